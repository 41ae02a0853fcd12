// Peg solitaire in a page.
import { Board } from '../board.js';
import { Engine } from '../engine.js';
import { onKeys } from '../keys.js';
import { asks, at, counted, keepOffline, make, nextTools, resultButton, sayFaults, showOpen, visit } from '../page.js';
import { Shown, Slots, areTexts, isNumber, keep, kept, onOtherTab } from '../record.js';

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
  /** The jump of a hint, of those of the peg that is chosen. @type {Jump | null} */
  hinted: null,
  helped: false,
  /** The fewest moves of the whole figure, null as long as they are not known. @type {number | null} */
  fewest: null,
  /** True if every jump is judged. */
  isWatched: false,
  /** What was asked for, one after another. */
  queue: Promise.resolve(),
};

/** @param {string} text */
const say = (text) => (at('said').textContent = text);
/** @param {any} left @returns {left is { jumps: string[], helped: boolean }} */
const isLeft = (left) => areTexts(left?.jumps) && typeof left.helped === 'boolean';
const slots = new Slots('pegs', isLeft);
const shown = new Shown('pegs');
const bestKey = () => `etude/pegs/${game.figure}/best`;
const HELPED = 'This game counts as played with hints.';
const words = () => `${game.figure} ${game.jumps.join(' ')}`;

/** Does things in the order in which they were asked for. @param {() => Promise<void>} task */
function then(task) {
  game.queue = game.queue.then(task).catch((error) => void say(error.message));
  return game.queue;
}

/** @param {string} figure @param {boolean} [isNew] true if the person asked for it here */
async function begin(figure, isNew = false) {
  Object.assign(game, { figure, jumps: [], chosen: '', hinted: null, helped: shown.has(figure), fewest: null });
  at('figure').value = figure;
  at('which').textContent = at('figure').selectedOptions[0].textContent;
  at('command').textContent = `etude solve pegs --problem ${figure}`;
  visit(`#${figure}`, isNew);
  game.view = await referee.ask(`pegs view ${words()}`);
  board.lay(game.view.holes, game.view.width);
  at('over').hidden = true;
  say(game.helped ? `You have had a hint on this figure. ${HELPED}` : 'Tap a peg that can jump.');
  nameOpen();
  show();
  showBest();
  at('fewest').textContent = 'Searching for the fewest moves …';
  void adviser.ask(`pegs judge ${figure}`).then((judged) => {
    if (figure !== game.figure) return;
    game.fewest = judged.fewest;
    at('fewest').textContent = about(judged);
  });
  await resume();
}

/** Goes on with a game of this figure that was left. */
async function resume() {
  const left = slots.read(game.figure);
  if (!left) return;
  Object.assign(game, { jumps: left.jumps, helped: game.helped || left.helped });
  try {
    await update();
  } catch {
    // A game that cannot be read is begun anew.
    slots.drop(game.figure);
    game.jumps = [];
    await update();
  }
  if (game.jumps.length > 0 && game.view.jumps.length > 0) say('Your game goes on.');
}

/** Begins the figure anew, after a question if jumps would be lost. */
const beginAgain = () => then(async () => {
  const isLost = game.jumps.length > 0 && !game.view.solved;
  if (isLost && !await asks(`Begin again? ${counted(game.jumps.length, 'jump')} will be forgotten.`, 'Begin again')) return;
  slots.drop(game.figure);
  await begin(game.figure);
});

/** Writes down the game so far. */
function remember() {
  if (game.helped) shown.add(game.figure);
  slots.write(game.figure, { jumps: game.jumps, helped: game.helped });
}

/** Names the other figures that are open. */
function nameOpen() {
  const named = (/** @type {string} */ figure) => [...at('figure').options].find(({ value }) => value === figure);
  const open = slots.all().filter(({ puzzle, game: { jumps } }) => puzzle !== game.figure && jumps.length > 0 && named(puzzle));
  showOpen(open.map(({ puzzle, game: { jumps } }) => ({ address: `#${puzzle}`, words: `${named(puzzle)?.textContent} (${counted(jumps.length, 'jump')})` })));
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
  const { view, chosen, hinted } = game;
  const own = view.jumps.filter(({ from, to }) => from === chosen && (!hinted || to === hinted.to));
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
    game.hinted = null;
    if (view.pegs.includes(cell)) say(own.length > 0 ? 'Tap the hole where it lands.' : 'It cannot jump.');
    show();
  });
}

/** @param {Jump} jump */
async function play({ from, to }) {
  game.jumps.push(`${from}-${to}`);
  remember();
  await update();
  // The same peg may jump on, and that is the same move.
  if (game.view.jumps.some((next) => next.from === to)) game.chosen = to;
  show();
  if (game.view.solved) conclude();
}

async function update() {
  game.view = await referee.ask(`pegs view ${words()}`);
  Object.assign(game, { chosen: '', hinted: null });
  at('over').hidden = true;
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
  remember();
  const judged = await judge();
  if (!judged) return;
  if (!judged.next) return void say(judged.possible === false ? `It can no longer be done: ${judged.reason}.` : 'No way is known from here.');
  Object.assign(game, { chosen: judged.next.from, hinted: judged.next });
  show();
  say(`Jump from ${judged.next.from} to ${judged.next.to}. ${HELPED}`);
});

const undo = () => then(async () => {
  if (!game.jumps.pop()) return;
  remember();
  await update();
});

function conclude() {
  const { view, helped, fewest } = game;
  const best = kept(bestKey(), isNumber);
  const done = `in ${counted(view.moves, 'move')}${helped ? ' with hints' : ''}.`;
  say(`Done, ${done}`);
  slots.drop(game.figure);
  const tools = nextTools('Begin again', beginAgain);
  tools.append(resultButton(`Peg solitaire, ${at('which').textContent}\nI: done ${done}${fewest === null ? '' : ` Fewest: ${fewest}.`}`, say));
  at('over').replaceChildren(make('p', '', `You: done ${done}`), tools);
  at('over').hidden = false;
  if (!helped && (best === null || view.moves < best)) keep(bestKey(), view.moves);
  showBest();
}

function showBest() {
  const best = kept(bestKey(), isNumber);
  at('best').textContent = best === null ? 'Your best: not done without hints yet.' : `Your best without hints: ${counted(best, 'move')}.`;
}

onKeys({ u: undo, h: hint, s: () => at('still').click() }, { undo });

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
at('new').onclick = beginAgain;
at('figure').onchange = () => then(() => begin(at('figure').value, true));
window.addEventListener('hashchange', () => then(() => begin(named())));
sayFaults(say);
keepOffline();
// Tabs with the same figure show the same pegs.
onOtherTab((key) => {
  if (!game.view?.solved && key === slots.prefix + game.figure) then(() => begin(game.figure));
});
then(() => begin(named()));
