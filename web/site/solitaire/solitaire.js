// Solitaire in a page.
import { begin } from '../cards.js';
import { counted } from '../page.js';
import { inWords } from '../record.js';
import { review } from './review.js';

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
  inWords: async (engine, games) => {
    const wins = await inWords(engine, games);
    const plays = games.flatMap(({ helped, play }) => (helped || play === undefined ? [] : [play]));
    const { points, enough } = await engine.ask(`solitaire beside ${plays.join(' ')}`);
    if (!points) return wins;
    const [mean, lo, hi] = points.map(Math.round).map((/** @type {number} */ one) => `${one < 0 ? '\u2212' : ''}${Math.abs(one)}`);
    const side = points[0] < 0 ? 'worse' : 'better';
    return {
      told: `${wins.told} Your play in ${counted(plays.length, 'game')}, luck set aside, beside a player who sees what you see: ${mean.replace('\u2212', '')} points ${side} (${lo} to ${hi}).`,
      brackets: `${wins.brackets} Those of your play, in which no game counts more than a hundred points, do after about ${enough}.`,
    };
  },
  atEnd: review,
});
