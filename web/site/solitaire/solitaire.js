// Solitaire in a page.
import { begin } from '../cards.js';
import { counted } from '../page.js';
import { inWords } from '../record.js';

/** Cards on the foundations in words: all of them are a win. @param {number} cards @param {number} [moves] */
const score = (cards, moves) => (cards < 52 ? counted(cards, 'card') : `won${moves ? `, in ${counted(moves, 'move')}` : ''}`);

begin({
  name: 'solitaire',
  title: 'Solitaire',
  hasStock: true,
  rules: { 'draw-3': 'draw three', 'draw-1': 'draw one' },
  command: 'solitaire --rules',
  most: 100,
  score,
  wins: (cards) => cards === 52,
  verb: 'won',
  best: ({ won, cards }) => (won || cards === 52 ? 'can be won' : won === false ? `cannot be won; ${counted(cards, 'card')} can be reached` : `not settled: ${counted(cards, 'card')} reached`),
  judged: ({ mean, lo, hi }) => [`${mean.toFixed(0)} %`, lo === hi ? '' : ` (${Math.floor(lo)} to ${Math.ceil(hi)})`],
  advises: (worlds) => 'Ways to the next hidden card, and how often each can still win, if every card were seen after it: of ' +
    (worlds === 1 ? 'one order of the hidden cards.' : `${worlds} guessed orders of the hidden cards.`),
  inWords,
  measure: { worlds: 25, unit: 'chances of a hundred', amount: (points) => counted(points, 'point'), number: (points) => `${points}`, ticks: () => [0, 50, 100] },
});
