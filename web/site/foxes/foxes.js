// Foxes and hens in a page.
import { Board, picture } from '../board.js';
import { Engine } from '../engine.js';
import { at, counted, keepOffline, make, nextTools, resultButton, sayFaults } from '../page.js';
import { Record, inWords, keep, kept } from '../record.js';

/**
 * @typedef {{ text: string, from: string, to: string, taken: string[] }} Step
 * @typedef {{ hens: string[], foxes: string[], square: string[], side: string, eaten: number, threatened: string[],
 *   moves: Step[], ending: string | null, winner: string | null }} View
 */

const referee = new Engine('foxes');
const opponent = new Engine('foxes');
const board = new Board(at('cross'), (cell) => tap(cell));

const game = {
  side: 'hens',
  against: 'arsac',
  seed: 1,
  /** @type {string[]} */
  moves: [],
  /** @type {View} */
  view: /** @type {any} */ (null),
  /** The piece that was chosen. */
  chosen: '',
  /** @type {Step | null} */
  last: null,
  helped: false,
  isThinking: false,
  /** Counts the games, so that an answer to an earlier one is dropped. */
  number: 0,
};

const PIECES = {
  hen: '<path d="M4 15 C3 9 8 9 10 9 C10 5 15 4 16 7 L19 8.4 L16 9.6 C17 15 14 18 10 18 C7 18 4.6 17 4 15 Z"/><path class="comb" d="M11.4 5.4 L12 3 L13.2 4.4 L14.4 2.8 L15.2 5.2 Z"/>',
  fox: '<path d="M2.5 3 L7.5 5.5 L12.5 5.5 L17.5 3 L16.5 10 L10 18 L3.5 10 Z"/><path style="fill:#fff" d="M6 10 L10 12 L14 10 L10 17 Z"/>',
};

const record = () => new Record(`foxes/${game.side}/${game.against}`);
const openKey = () => `etude/foxes/${game.side}/${game.against}/open`;
/** The name of the match that was chosen last. */
const MATCH = 'etude/foxes/match';
const HELPED = 'This game counts as played with help.';

/** @param {string} text */
const say = (text) => (at('said').textContent = text);

/** The cells of the cross, from the top. */
function cells() {
  const all = [];
  for (let row = 7; row >= 1; row--) {
    for (const column of 'abcdefg') all.push('cde'.includes(column) || (row >= 3 && row <= 5) ? `${column}${row}` : '');
  }
  return all;
}

/** Begins with the match that is chosen: goes on with its game if one was left. @returns {Promise<void>} */
async function begin() {
  keep(MATCH, at('match').value);
  [game.side, game.against] = at('match').value.split(' ');
  const left = kept(openKey());
  Object.assign(game, { chosen: '', last: null, isThinking: false }, left ?? { seed: 1 + Math.floor(Math.random() * 1e9), moves: [], helped: false });
  game.number++;
  say(left ? 'Your game goes on.' : game.side === 'hens' ? 'Hens move first: tap one.' : 'The hens move first.');
  try {
    await update();
  } catch (fault) {
    // A game that cannot be read is begun anew.
    if (!left) throw fault;
    return beginNew();
  }
  await showRecord();
  await answer();
}

/** A new game; the one before it stays in the record as it stood. @returns {Promise<void>} */
function beginNew() {
  keep(openKey(), null);
  return begin();
}

/** Writes down the game so far: it counts as lost from the person's first move on, until it is won. */
function remember() {
  const { seed, moves, helped } = game;
  keep(openKey(), { seed, moves, helped });
  if (ownMoves() > 0 || record().has(seed)) record().write({ seed, won: false, helped });
}

/** The moves of the person's: hens have the first. */
const ownMoves = () => Math.floor((game.moves.length + (game.side === 'hens' ? 1 : 0)) / 2);

async function update() {
  game.view = await referee.ask(`foxes view ${game.moves.join(' ')}`);
  game.isThinking = false;
  game.chosen = '';
  at('worths').hidden = at('over').hidden = true;
  show();
}

/** Shows the board: pieces, the piece chosen with its cells, hens in danger. */
function show() {
  const { view, chosen, last } = game;
  const own = view.moves.filter(({ from }) => from === chosen);
  const isOwnTurn = isMine();
  const taken = new Set(own.flatMap((step) => step.taken));
  board.show((cell) => {
    const kind = view.foxes.includes(cell) ? 'fox' : view.hens.includes(cell) ? 'hen' : '';
    const target = own.find(({ to }) => to === cell);
    const isThreatened = isOwnTurn && game.side === 'hens' && view.threatened.includes(cell);
    const classes = {
      square: view.square.includes(cell), chosen: cell === chosen, last: last?.to === cell || last?.from === cell,
      target: target !== undefined, eaten: taken.has(cell),
    };
    return {
      classes: Object.entries(classes).flatMap(([name, is]) => (is ? [name] : [])),
      content: kind ? [picture(PIECES[kind], `${kind}${isThreatened ? ' threat' : ''}`)] : [],
      label: [
        kind, isThreatened && 'can be eaten', cell === chosen && 'chosen',
        target && (target.taken.length ? `goes here and eats ${target.taken.length}` : 'goes here'),
      ].flatMap((part) => part || []),
    };
  });
  at('count').textContent = `${view.eaten} of 12 eaten · ${view.hens.filter((cell) => view.square.includes(cell)).length} of 9 home`;
  at('undo').disabled = !canUndo();
  at('hint').disabled = !isOwnTurn;
}

/** What has ended stays as it is. */
const canUndo = () => game.moves.length >= 2 && !game.isThinking && !game.view.ending;

const isMine = () => game.view.side === game.side && !game.view.ending && !game.isThinking;

/** @param {string} cell */
async function tap(cell) {
  if (!isMine()) return;
  const ways = game.view.moves.filter(({ from, to }) => from === game.chosen && to === cell);
  if (ways.length > 0) return ways.length === 1 ? play(ways[0]) : choose(ways);
  const own = game.view.moves.filter(({ from }) => from === cell);
  if (own.length === 0) {
    const pieces = game.side === 'hens' ? game.view.hens : game.view.foxes;
    const mustEat = game.view.moves.some(({ taken }) => taken.length > 0);
    if (pieces.includes(cell)) say(mustEat ? 'The longest chain must be taken: another fox has it.' : 'It cannot move.');
    game.chosen = '';
  } else {
    game.chosen = cell;
    const most = Math.max(...own.map(({ taken }) => taken.length));
    say(most > 0 ? `It eats ${most}: the hens marked with a cross. Tap where it ends.` : 'Tap a marked cell.');
  }
  show();
}

/** Several chains end on one cell: which hens are eaten? @param {Step[]} ways */
function choose(ways) {
  const box = at('worths');
  const row = make('div', 'bar');
  for (const way of ways) {
    const button = make('button', '', way.taken.join(', '));
    button.onclick = () => play(way);
    row.append(button);
  }
  box.replaceChildren(make('p', '', 'Which hens does it eat?'), row);
  box.hidden = false;
}

/** @param {Step} step */
async function play(step) {
  // A second tap may come before the first one is shown.
  if (!isMine()) return;
  game.isThinking = true;
  game.moves.push(step.text);
  game.last = step;
  remember();
  say('');
  await update();
  await answer();
}

/** Lets the opponent move until it is the person's turn; a chain is shown before it is taken. */
async function answer() {
  const number = game.number;
  while (game.view.side !== game.side && !game.view.ending) {
    game.isThinking = true;
    show();
    if (game.against === 'deep') say('The foxes think …');
    const step = await opponent.ask(`foxes reply ${game.against} ${game.seed} ${game.moves.join(' ')}`);
    if (number !== game.number) return;
    say('');
    if (step.taken.length > 0) {
      game.chosen = step.from;
      show();
      say(`The fox on ${step.from} eats ${step.taken.length}: ${step.taken.join(', ')}.`);
      await new Promise((done) => setTimeout(done, 900));
      if (number !== game.number) return;
    }
    game.isThinking = false;
    game.moves.push(step.text);
    game.last = step;
    remember();
    await update();
  }
  if (game.view.ending) await conclude();
}

async function conclude() {
  const { view, seed, side, helped } = game;
  const won = view.winner === side;
  say(`${view.winner === null ? 'Nobody wins' : won ? 'You win' : 'You lose'}: ${view.ending}.`);
  keep(openKey(), null);
  record().write({ seed, won, helped });
  const match = at('match').selectedOptions[0].textContent.replace('You: ', '');
  const tools = nextTools('Next game', beginNew);
  tools.append(resultButton(`Foxes and hens, ${match}\nI: ${outcome()}`, say));
  at('over').replaceChildren(make('p', '', `You: ${outcome()}`), tools);
  at('over').hidden = false;
  await showRecord();
}

/** What became of the game, for the person who played it. */
function outcome() {
  const { view, helped } = game;
  const end = view.winner === null ? 'a draw' : view.winner === game.side ? 'won' : 'lost';
  return `${end} in ${counted(ownMoves(), 'move')}${helped ? ', with help' : ''}; ${counted(view.eaten, 'hen')} eaten.`;
}

async function undo() {
  if (!canUndo()) return;
  // A move of the person's, with the answer to it.
  do game.moves.pop();
  while (game.moves.length > 0 && game.moves.length % 2 !== (game.side === 'hens' ? 0 : 1));
  Object.assign(game, { last: null, helped: true });
  remember();
  say(HELPED);
  await update();
}

async function hint() {
  if (!isMine()) return;
  game.helped = true;
  remember();
  const { number, moves } = game;
  const count = moves.length;
  say('Searching …');
  const worths = await opponent.ask(`foxes worth ${moves.join(' ')}`);
  if (number !== game.number || count !== game.moves.length) return;
  say(HELPED);
  const box = at('worths');
  const list = make('ol');
  for (const { text, words } of worths) {
    const row = make('li');
    const button = make('button', '', text.split(':')[0]);
    button.onclick = () => {
      const step = game.view.moves.find((move) => move.text === text);
      if (step) play(step);
    };
    row.append(button, ` ${words}`);
    list.append(row);
  }
  box.replaceChildren(make('p', '', 'What each of your moves is worth, six moves further: above zero is good for you.'), list);
  box.hidden = false;
}

async function showRecord() {
  const { games } = record();
  const { told, brackets } = await inWords(referee, games);
  const helped = games.filter((one) => one.helped);
  const withHelp = `With hints or moves taken back: ${helped.filter((one) => one.won).length} of ${helped.length} won.`;
  at('record').textContent = [games.length === 0 && 'Your record begins with your first move.', told, helped.length > 0 && withHelp].filter(Boolean).join(' ');
  at('enough').textContent = `Each game counts once, from its first move. ${brackets}`;
}

document.addEventListener('keydown', (event) => {
  if (event.target instanceof Element && event.target.closest('select, input, summary')) return;
  const key = event.key.toLowerCase();
  if (key === 'u') undo();
  if (key === 'h') hint();
});

at('new').onclick = beginNew;
at('match').onchange = begin;
at('undo').onclick = undo;
at('hint').onclick = hint;
sayFaults((text) => {
  game.isThinking = false;
  say(text);
});
keepOffline();
board.lay(cells(), 7);
if ([...at('match').options].some(({ value }) => value === kept(MATCH))) at('match').value = kept(MATCH);
begin();
