// Foxes and hens in a page.
import { Board, picture } from '../board.js';
import { Engine } from '../engine.js';
import { onKeys } from '../keys.js';
import { asks, at, counted, keepOffline, make, nextTools, resultButton, sayFaults, showOpen, visit } from '../page.js';
import { Record, Shown, Slots, areTexts, inWords, isText, keep, kept, onOtherTab } from '../record.js';

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
  /** The chain that the opponent takes next. @type {Step | null} */
  coming: null,
  helped: false,
  /** True if the record has no finished game of this number. */
  counts: true,
  isThinking: false,
  /** Counts the games, so that an answer to an earlier one is dropped. */
  number: 0,
};

const PIECES = {
  hen: '<path d="M4 15 C3 9 8 9 10 9 C10 5 15 4 16 7 L19 8.4 L16 9.6 C17 15 14 18 10 18 C7 18 4.6 17 4 15 Z"/><path class="comb" d="M11.4 5.4 L12 3 L13.2 4.4 L14.4 2.8 L15.2 5.2 Z"/>',
  fox: '<path d="M2.5 3 L7.5 5.5 L12.5 5.5 L17.5 3 L16.5 10 L10 18 L3.5 10 Z"/><path style="fill:#fff" d="M6 10 L10 12 L14 10 L10 17 Z"/>',
};

const record = () => new Record(`foxes/${game.side}/${game.against}`);
/** @param {any} left @returns {left is { moves: string[], helped: boolean, counts: boolean }} */
const isLeft = (left) => areTexts(left?.moves) && typeof left.helped === 'boolean' && typeof left.counts === 'boolean';
const slots = (match = matchOf(game)) => new Slots(`foxes/${match.replace(' ', '/')}`, isLeft);
const shown = () => new Shown(`foxes/${game.side}/${game.against}`);
/** A match as it is chosen: `hens arsac`. @param {{ side: string, against: string }} match */
const matchOf = ({ side, against }) => `${side} ${against}`;
/** @param {string} match @param {string | number} seed */
const addressOf = (match, seed) => `#${match.replace(' ', '-')}/${seed}`;
/** The matches that can be chosen, with their names. @type {[string, string][]} */
const MATCHES = [...at('match').options].map(({ value, textContent }) => [value, textContent]);
const isOpen = () => ownMoves() > 0 && !game.view?.ending;
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

/**
 * Begins a game, or goes on with it if it was left.
 * @param {string} match @param {number} seed @param {boolean} [isNew] true if the person asked for it here
 * @returns {Promise<void>}
 */
async function begin(match, seed, isNew = false) {
  keep(MATCH, match);
  at('match').value = match;
  const [side, against] = match.split(' ');
  // What is on the board is still the game before.
  Object.assign(game, { side, against, seed, chosen: '', last: null, isThinking: true });
  at('hint').disabled = true;
  const left = slots().read(seed);
  Object.assign(game, { moves: left?.moves ?? [], helped: shown().has(seed) || (left?.helped ?? false), counts: left?.counts ?? !record().has(seed) });
  game.number++;
  visit(addressOf(match, seed), isNew);
  say(left ? 'Your game goes on.' : game.helped ? `You have had help with this game. ${HELPED}` : side === 'hens' ? 'Hens move first: tap one.' : 'The hens move first.');
  nameOpen();
  try {
    await update();
  } catch (fault) {
    // A game that cannot be read is begun anew.
    if (!left) throw fault;
    slots().drop(seed);
    return begin(match, seed);
  }
  await showRecord();
  await answer();
}

/** The number of a game that was not played. */
const anySeed = () => 1 + Math.floor(Math.random() * 1e9);

/** Begins a new game, after a question if one is open. @param {string} match */
async function change(match) {
  const isLeaving = !isOpen() || await asks('This game stays open, and counts as not won until you end it.', 'Leave it open');
  if (isLeaving) await begin(match, slots(match).all().length > 0 && match !== matchOf(game) ? Number(slots(match).all()[0].puzzle) : anySeed(), true);
  else at('match').value = matchOf(game);
}

/** The game of the address, or else the last one that was left of the match that was chosen last. @returns {[string, number]} */
function named() {
  const [, side, against, seed] = location.hash.match(/^#(hens|foxes)-([a-z]+)\/(\d{1,10})$/) ?? [];
  const isMatch = (/** @type {any} */ name) => MATCHES.some(([match]) => match === name);
  if (isMatch(`${side} ${against}`)) return [`${side} ${against}`, Number(seed)];
  const match = kept(MATCH, isText);
  const chosen = isMatch(match) ? /** @type {string} */ (match) : MATCHES[0][0];
  return [chosen, Number(slots(chosen).all()[0]?.puzzle ?? anySeed())];
}

/** Names the other games that are open. */
function nameOpen() {
  const open = MATCHES.flatMap(([match, words]) => slots(match).all().map(({ puzzle, game: left }) => ({ address: addressOf(match, puzzle), words, left })));
  const others = open.filter(({ address }) => address !== location.hash);
  others.sort((one, other) => other.left.time - one.left.time);
  showOpen(others.map(({ address, words, left }) => ({ address, words: `${words.replace('You: ', '')} (${counted(left.moves.length, 'move')})` })));
}

/** Writes down the game so far: it counts as lost from the person's first move on, until it is won. */
function remember() {
  const { seed, moves, helped, counts } = game;
  if (helped) shown().add(seed);
  slots().write(seed, { moves, helped, counts });
  if (ownMoves() > 0 || record().has(seed)) write(false);
}

/** @param {boolean} won */
function write(won) {
  if (game.counts) record().write({ seed: game.seed, won, helped: game.helped });
}

/** The moves of the person's: hens have the first. */
const ownMoves = () => Math.floor((game.moves.length + (game.side === 'hens' ? 1 : 0)) / 2);

async function update() {
  game.view = await referee.ask(`foxes view ${game.moves.join(' ')}`);
  Object.assign(game, { isThinking: false, chosen: '', coming: null });
  at('worths').hidden = at('ways').hidden = at('over').hidden = true;
  show();
}

/** Shows the board: pieces, the piece chosen with its cells, hens in danger. */
function show() {
  const { view, chosen, last } = game;
  const own = game.coming ? [game.coming] : view.moves.filter(({ from }) => from === chosen);
  const isOwnTurn = isMine();
  const taken = new Set(own.flatMap((step) => step.taken));
  const isSure = (/** @type {string} */ cell) => own.every((step) => step.taken.includes(cell));
  board.show((cell) => {
    const kind = view.foxes.includes(cell) ? 'fox' : view.hens.includes(cell) ? 'hen' : '';
    const target = own.find(({ from, to }) => to === cell && to !== from);
    const isThreatened = isOwnTurn && game.side === 'hens' && view.threatened.includes(cell);
    const classes = {
      square: view.square.includes(cell), chosen: cell === chosen, last: last?.to === cell || last?.from === cell,
      target: target !== undefined, eaten: taken.has(cell), perhaps: taken.has(cell) && !isSure(cell),
    };
    return {
      classes: Object.entries(classes).flatMap(([name, is]) => (is ? [name] : [])),
      content: kind ? [picture(PIECES[kind], `${kind}${isThreatened ? ' threat' : ''}`)] : [],
      label: [
        kind, isThreatened && 'can be eaten', cell === chosen && 'chosen', taken.has(cell) && (isSure(cell) ? 'is eaten' : 'is eaten on some ways'),
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
  // A chain that ends where it began is chosen by name: a tap on its fox may be meant to let go of it.
  if (ways.length > 0) return ways.length === 1 && cell !== game.chosen ? play(ways[0]) : choose(ways);
  const own = game.view.moves.filter(({ from }) => from === cell);
  at('ways').hidden = true;
  if (own.length === 0) {
    const pieces = game.side === 'hens' ? game.view.hens : game.view.foxes;
    const mustEat = game.view.moves.some(({ taken }) => taken.length > 0);
    if (pieces.includes(cell)) say(mustEat ? 'The longest chain must be taken: another fox has it.' : 'It cannot move.');
    game.chosen = '';
  } else {
    game.chosen = cell;
    const most = Math.max(...own.map(({ taken }) => taken.length));
    say(most > 0 ? chainInWords(own) : 'Tap a marked cell.');
    const round = own.filter(({ from, to }) => from === to);
    if (round.length > 0) choose(round);
  }
  show();
}

/** The chains of a fox in words: all are as long. @param {Step[]} own */
function chainInWords(own) {
  const eats = `It eats ${own[0].taken.length}`;
  if (own.length === 1) return `${eats}: the hens marked with a cross. ${own[0].from === own[0].to ? 'It comes back here: choose that below.' : 'Tap where it ends.'}`;
  return `${eats}, in ${own.length} ways: ✕ marks hens that all of them eat, ? those of some. Tap where it ends.`;
}

/** Several chains end on one cell, or one where it began: which hens are eaten? @param {Step[]} ways */
function choose(ways) {
  const box = at('ways');
  const row = make('div', 'bar');
  for (const way of ways) {
    const button = make('button', '', way.taken.join(', ') + (way.from === way.to ? `, and back to ${way.to}` : ''));
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
      Object.assign(game, { chosen: step.from, coming: step });
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
  slots().drop(seed);
  shown().add(seed);
  nameOpen();
  write(won);
  const match = at('match').selectedOptions[0].textContent.replace('You: ', '');
  const tools = nextTools('Next game', () => change(matchOf(game)));
  tools.append(resultButton(`Foxes and hens, ${match}\nI: ${outcome()}`, say));
  at('over').replaceChildren(make('p', '', `You: ${outcome()}`), tools);
  at('over').hidden = false;
  await showRecord();
  await review();
}

/** Adds to the end of the game what the costliest moves of both sides were. */
async function review() {
  const { number, moves } = game;
  const lines = await opponent.ask(`foxes review ${moves.join(' ')}`);
  if (number !== game.number || !game.view.ending) return;
  const list = make('ul', 'review');
  for (const line of lines) list.append(make('li', '', line));
  at('over').append(list);
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

onKeys({ u: undo, h: hint }, { undo });

at('new').onclick = () => change(matchOf(game));
at('match').onchange = () => change(at('match').value);
at('undo').onclick = undo;
at('hint').onclick = hint;
sayFaults((text) => {
  game.isThinking = false;
  say(text);
});
keepOffline();
board.lay(cells(), 7);
window.addEventListener('hashchange', () => begin(...named()));
// Tabs with the same game show the same moves.
onOtherTab((key) => {
  if (!game.view?.ending && key === `${slots().prefix}${game.seed}`) begin(matchOf(game), game.seed);
});
begin(...named());
