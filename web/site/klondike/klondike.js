// The casino in a page.
import { begin } from '../cards.js';
import { counted, signed } from '../page.js';

/** @param {number} amount */
const amount = (amount) => `$${amount.toLocaleString('en')}`;

/** @param {number} gain */
const dollars = (gain) => signed(gain, amount, '+');

/** What is left of the $55 after a game. @param {number} cards */
const net = (cards) => 5 * cards - 55;

/** @param {number} cards */
const score = (cards) => `${counted(cards, 'card')}, ${dollars(net(cards))}`;

/** What may be left of the $55: a part of it, or more as far as this. @param {number} most */
function axis(most) {
  const ticks = [net(0), 0, 50, 100, 150, net(52)];
  return ticks.slice(0, Math.max(2, 1 + ticks.findIndex((tick) => tick >= most)));
}

/** @param {number} amount */
const cents = (amount) => `${amount < 0 ? '−' : '+'}\u2060$${Math.abs(amount).toFixed(2)}`;

// Results say what comes back of the $55; the record, what is left after paying it.
for (const words of document.querySelectorAll('[data-back]')) {
  words.textContent = (words.textContent ?? '').replace(/\$?([\d.]+)/g, (_, back) => cents(back - 55));
}

begin({
  name: 'klondike',
  title: 'The Klondike casino',
  hasStock: false,
  rules: { yukon: '21 cards face down', open: 'all cards visible' },
  allVisible: 'open',
  command: 'klondike --layout',
  most: 52,
  score,
  wins: (cards) => net(cards) > 0,
  verb: 'paid',
  best: ({ won, cards }) => (won === null ? `${score(cards)} at least` : `${score(cards)} at best`),
  judged: ({ mean, lo, hi }) => [
    dollars(Math.round(net(mean))),
    ` · ${mean.toFixed(1)} cards${lo === hi ? '' : ` (${(Math.floor(10 * lo) / 10).toFixed(1)} to ${(Math.ceil(10 * hi) / 10).toFixed(1)})`}`,
  ],
  advises: (worlds) => 'Your moves, and what each leaves of the $55 on average, if every card were seen after it: over ' +
    (worlds === 1 ? 'one order of the hidden cards.' : `${worlds.toLocaleString('en')} guessed orders of the hidden cards.`),
  async inWords(engine, games) {
    const own = games.filter(({ helped }) => !helped).map(({ cards }) => cards);
    const { mean: cards, level, apart, enough } = await engine.ask(`klondike record ${own.join(' ')}`);
    const paid = own.filter((one) => net(one ?? 0) > 0).length;
    const round = [Math.round, Math.floor, Math.ceil];
    const [mean, lo, hi] = (cards ?? []).map((/** @type {number} */ one, /** @type {number} */ at) => dollars(round[at](net(one))));
    return {
      told: cards ? `Your record: ${mean} a game over ${counted(own.length, 'game')} without help (${lo} to ${hi}); ${paid} paid.` : '',
      brackets: `The brackets hold at ${Math.round(100 * level)}\u00a0% however often you look. They narrow to $${5 * apart} on either side after about ${enough.toLocaleString('en')} games: ` +
        `only then could you tell a difference of $${5 * apart}.`,
    };
  },
  measure: { worlds: 50, unit: 'dollars', amount, number: amount, ticks: axis },
});
