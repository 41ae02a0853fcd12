// Peg solitaire in a page.
import { Board } from '../board.js';
import { Engine } from '../engine.js';
import { at, counted, keepOffline, sayFaults } from '../page.js';
import { keep, kept } from '../record.js';

/**
 * @typedef {{ from: string, over: string, to: string }} Jump
 * @typedef {{ width: number, holes: string[], pegs: string[], end: string[], jumps: Jump[], moves: number, solved: boolean }} View
 * @typedef {{ possible: boolean | null, fewest: number | null, solutions: string | null, next: Jump | null, reason: string | null }} Judgement
 */

const referee = new Engine('pegs');
const adviser = new Engine('pegs');
const board = new Board(at('holes'), tap);

const game = {
  figure: 'latin-cross',
  /** @type {string[]} */
  jumps: [],
  /** @type {View} */
  view: /** @type {any} */ (null),
  /** The peg that was chosen. */
  chosen: '',
  helped: false,
  /** True if every jump is judged. */
  isWatched: false,
  /** What was asked for, one after another. */
  queue: Promise.resolve(),
};

/** @param {string} text */
const say = (text) => (at('said').textContent = text);
const bestKey = () => `etude/pegs/${game.figure}/best`;
const words = () => `${game.figure} ${game.jumps.join(' ')}`;

/** Does things in the order in which they were asked for. @param {() => Promise<void>} task */
function then(task) {
  game.queue = game.queue.then(task).catch((error) => void say(error.message));
  return game.queue;
}

/** @param {string} figure */
async function begin(figure) {
  Object.assign(game, { figure, jumps: [], chosen: '', helped: false });
  at('figure').value = figure;
  at('which').textContent = at('figure').selectedOptions[0].textContent;
  at('command').textContent = `etude solve pegs --problem ${figure}`;
  history.replaceState(null, '', `#${figure}`);
  game.view = await referee.ask(`pegs view ${words()}`);
  board.lay(game.view.holes, game.view.width);
  say('Tap a peg that can jump.');
  show();
  showBest();
  at('fewest').textContent = 'Searching for the fewest moves …';
  void judge().then((judged) => {
    if (figure === game.figure && judged) at('fewest').textContent = about(judged);
  });
}

/** What is known of the whole figure. @param {Judgement} judged */
function about({ possible, fewest, solutions, reason }) {
  if (possible === false) return `This figure cannot be done: ${reason}.`;
  if (fewest === null || solutions === null) return possible ? 'It can be done; the fewest moves are too far to search in a page.' : 'Whether it can be done is too far to search in a page.';
  const all = BigInt(solutions);
  return `Fewest moves: ${fewest}. ${all === 1n ? 'One jump sequence solves it' : `${all.toLocaleString('en')} jump sequences solve it`}.`;
}

/** Asks what can still be reached; null if something else was played meanwhile. @returns {Promise<Judgement | null>} */
async function judge() {
  const asked = words();
  const judged = await adviser.ask(`pegs judge ${asked}`);
  return asked === words() ? judged : null;
}

function show() {
  const { view, chosen } = game;
  const own = view.jumps.filter(({ from }) => from === chosen);
  board.show((cell) => {
    const is = {
      peg: view.pegs.includes(cell), end: view.end.includes(cell), chosen: cell === chosen,
      target: own.some(({ to }) => to === cell), over: own.some(({ over }) => over === cell),
    };
    return {
      classes: Object.entries(is).flatMap(([name, yes]) => (yes ? [name] : [])),
      content: [],
      label: [is.peg ? 'peg' : 'free', is.end && 'a peg is to be left here', is.chosen && 'chosen', is.target && 'lands here', is.over && 'is taken'].flatMap((part) => part || []),
    };
  });
  at('count').textContent = `${counted(view.moves, 'move')} · ${counted(view.pegs.length, 'peg')}`;
  at('undo').disabled = game.jumps.length === 0;
  at('hint').disabled = view.solved || view.jumps.length === 0;
}

/** @param {string} cell */
function tap(cell) {
  return then(async () => {
    const { view, chosen } = game;
    const jump = view.jumps.find(({ from, to }) => from === chosen && to === cell);
    if (jump) return play(jump);
    const own = view.jumps.filter(({ from }) => from === cell);
    game.chosen = own.length > 0 && cell !== chosen ? cell : '';
    if (view.pegs.includes(cell)) say(own.length > 0 ? 'Tap the hole where it lands.' : 'It cannot jump.');
    show();
  });
}

/** @param {Jump} jump */
async function play({ from, to }) {
  game.jumps.push(`${from}-${to}`);
  await update();
  // The same peg may jump on, and that is the same move.
  if (game.view.jumps.some((next) => next.from === to)) game.chosen = to;
  show();
  if (game.view.solved) conclude();
}

async function update() {
  game.view = await referee.ask(`pegs view ${words()}`);
  game.chosen = '';
  say(game.view.solved || game.view.jumps.length > 0 ? '' : 'No peg can jump any more: take a jump back, or begin again.');
  show();
  if (game.isWatched && !game.view.solved) void still();
}

/** Says whether it can still be done. */
async function still() {
  const judged = await judge();
  if (!judged) return;
  const { possible, fewest, reason } = judged;
  if (possible === false) say(`It can no longer be done: ${reason}.`);
  else if (possible === null) say('Not known: too far to search in a page.');
  else say(fewest === null ? 'It can still be done.' : `It can still be done, in ${counted(fewest, 'move')} altogether.`);
}

const hint = () => then(async () => {
  say('Searching …');
  game.helped = true;
  const judged = await judge();
  if (!judged) return;
  if (!judged.next) return void say(judged.possible === false ? `It can no longer be done: ${judged.reason}.` : 'No way is known from here.');
  game.chosen = judged.next.from;
  show();
  say(`Jump from ${judged.next.from} to ${judged.next.to}.`);
});

const undo = () => then(async () => {
  if (!game.jumps.pop()) return;
  await update();
});

function conclude() {
  const { view, helped } = game;
  const best = kept(bestKey());
  say(`Done, in ${counted(view.moves, 'move')}${helped ? ' with hints' : ''}.`);
  if (!helped && (best === null || view.moves < best)) keep(bestKey(), view.moves);
  showBest();
}

function showBest() {
  const best = kept(bestKey());
  at('best').textContent = best === null ? 'Your best: not done without hints yet.' : `Your best without hints: ${counted(best, 'move')}.`;
}

document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || (event.target instanceof Element && event.target.closest('select, summary'))) return;
  const key = event.key.toLowerCase();
  if (key === 'u') undo();
  if (key === 'h') hint();
  if (key === 's') at('still').click();
});

/** The figure of the address. */
function named() {
  const name = location.hash.slice(1);
  return [...at('figure').options].some(({ value }) => value === name) ? name : 'latin-cross';
}

at('still').onclick = () => then(async () => {
  game.isWatched = !game.isWatched;
  at('still').setAttribute('aria-pressed', `${game.isWatched}`);
  if (game.isWatched) await still();
});
at('undo').onclick = undo;
at('hint').onclick = hint;
at('new').onclick = () => then(() => begin(game.figure));
at('figure').onchange = () => then(() => begin(at('figure').value));
window.addEventListener('hashchange', () => then(() => begin(named())));
sayFaults(say);
keepOffline();
then(() => begin(named()));
