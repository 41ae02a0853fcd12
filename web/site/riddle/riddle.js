// Riddle chess in a page.
import { Board } from '../board.js';
import { Engine } from '../engine.js';
import { onKeys } from '../keys.js';
import { asDate, asks, at, copy, counted, keepOffline, make, nextSeed, nextTools, resultButton, sayFaults, showOpen, today, visit } from '../page.js';
import { Record, Shown, Slots, areTexts, inWords, isText, onOtherTab } from '../record.js';

/**
 * @typedef {{ name: string, short: string, symbol: string, home: string[] }} Man
 * @typedef {{ width: number, cells: { name: string, number: number | null }[], pieces: Man[], id: string }} Riddle
 * @typedef {{ counts: number[], attacks: string[][], broken: string[], told: string[], solved: boolean }} Judgement
 */

/** Keeps the answer. */
const referee = new Engine('riddle');
const board = new Board(at('cells'), tap);

/** The mark for cells where nothing can stand, chosen like a piece. */
const MARK = -1;

const game = {
  variant: 'chess',
  /** The numbers shown: all, or few. */
  level: 'few',
  seed: today(),
  /** @type {Riddle} */
  riddle: /** @type {any} */ (null),
  /** The cell of each piece, '-' for none. @type {string[]} */
  placed: [],
  /** @type {Set<string>} */
  marks: new Set(),
  /** The piece that the next tap places. @type {number | null} */
  chosen: null,
  grade: '',
  /** @type {Judgement} */
  judgement: /** @type {any} */ (null),
  helped: false,
  isOver: false,
  /** True if the record has no finished game of this riddle. */
  counts: true,
  /** What was asked for, one after another. */
  queue: Promise.resolve(),
};

const record = () => new Record(`riddle/${game.variant}/${game.level}`);
/** @typedef {{ id: string, placed: string[], marks: string[], helped: boolean, counts: boolean }} Left */

/** @param {any} left @returns {left is Left} */
const isLeft = (left) => isText(left?.id) && areTexts(left.placed) && areTexts(left.marks) && typeof left.helped === 'boolean' && typeof left.counts === 'boolean';

const VARIANTS = ['chess', 'makruk', 'xiangqi', 'shogi'];
const LEVELS = ['few', 'all'];
const slots = (variant = game.variant, level = game.level) => new Slots(`riddle/${variant}/${level}`, isLeft);
/** A riddle has the same answer with few numbers and with all. */
const shown = () => new Shown(`riddle/${game.variant}`);
const isBegun = (/** @type {string[]} */ placed) => placed.some((cell) => cell !== '-');
const isOpen = () => !game.isOver && isBegun(game.placed);
const HELPED = 'This riddle counts as one with help.';

/** @param {string} text */
const say = (text) => (at('said').textContent = text);

/** A picture where every system has one, else letters. @param {Man} man */
const sign = ({ symbol, short }) => (symbol < '\u2e80' ? symbol : short);

/** Does things in the order in which they were asked for. @param {() => Promise<void>} task */
function then(task) {
  game.queue = game.queue.then(task).catch((error) => void say(error.message));
  return game.queue;
}

/** @param {string} variant @param {string} level @param {number} seed @param {boolean} [isNew] true if the person asked for it here */
async function begin(variant, level, seed, isNew = false) {
  say('Making the riddle …');
  const riddle = await referee.ask(`riddle make ${variant} ${level} ${seed}`);
  Object.assign(game, {
    variant, level, seed, riddle, grade: '', placed: riddle.pieces.map(() => '-'), marks: new Set(), chosen: null, isOver: false,
  });
  game.helped = shown().has(seed);
  game.counts = !record().has(seed);
  at('variant').value = variant;
  at('level').value = level;
  at('seed').value = seed;
  at('which').textContent = `${variant} · ${asDate(seed) ?? `riddle ${seed}`}`;
  at('command').textContent = `etude make riddle --variant ${variant} --seed ${seed}`;
  document.querySelectorAll('.variant').forEach((words) => words.toggleAttribute('hidden', words.id !== `of-${variant}`));
  at('hidden').textContent = list(riddle.pieces.map((/** @type {Man} */ man) => man.name));
  at('proof').textContent = 'Proving that only one placement fits …';
  visit(`#${variant}/${level}/${seed}`, isNew);
  at('over').hidden = true;
  at('answer').disabled = at('hint').disabled = false;
  board.lay(riddle.cells.map((/** @type {{ name: string }} */ cell) => cell.name), riddle.width);
  resume();
  say(game.helped ? `You have had help with this riddle. ${HELPED}` : 'Tap a piece below, then its cell.');
  nameOpen();
  await judge();
  await showRecord();
  await prove();
}

/** Goes on with a riddle that was left. */
function resume() {
  const left = slots().read(game.seed);
  if (left?.id !== game.riddle.id || left.placed.length !== game.placed.length) return;
  Object.assign(game, { placed: left.placed, marks: new Set(left.marks), helped: game.helped || left.helped, counts: left.counts });
}

/** Makes another riddle, after a question if one is open. @param {() => [string, string, number]} named */
const change = (named) => then(async () => {
  const isLeaving = !isOpen() || await asks('This riddle stays open, and counts as not solved until it is.', 'Leave it open');
  if (isLeaving) return begin(...named(), true);
  Object.assign(at('variant'), { value: game.variant });
  Object.assign(at('level'), { value: game.level });
});

/** Names the other riddles that are open. */
function nameOpen() {
  const kinds = VARIANTS.flatMap((variant) => LEVELS.map((level) => ({ variant, level })));
  const open = kinds.flatMap(({ variant, level }) => slots(variant, level).all().map(({ puzzle, game: left }) => ({ address: `#${variant}/${level}/${puzzle}`, variant, puzzle, left })));
  const others = open.filter(({ address, left }) => isBegun(left.placed) && address !== location.hash);
  others.sort((one, other) => other.left.time - one.left.time);
  showOpen(others.map(({ address, variant, puzzle }) => ({ address, words: `${variant}, ${asDate(Number(puzzle)) ?? `riddle ${puzzle}`}` })));
}

/** Has the engine show that nothing else fits. */
async function prove() {
  const { placements, steps, grade } = await referee.ask('riddle prove');
  game.grade = grade;
  const only = placements === 1 ? 'Exactly one placement fits these numbers' : 'More than one placement fits these numbers';
  at('proof').textContent = `Grade: ${grade}. ${only}: proved on this page just now, in ${counted(steps, 'step')}.`;
}

/** Asks what is true of the pieces as they stand, and shows it. */
async function judge() {
  game.judgement = await referee.ask(`riddle judge ${game.placed.join(' ')}`);
  show();
}

function show() {
  const { riddle, placed, judgement, chosen, marks } = game;
  const man = chosen === null || chosen === MARK ? null : riddle.pieces[chosen];
  const reached = man ? judgement.attacks[chosen ?? 0] : [];
  const isStarted = placed.some((cell) => cell !== '-');
  at('cells').classList.toggle('shut', man !== null && man.home.length < riddle.cells.length);
  const cells = new Map(riddle.cells.map((cell, index) => [cell.name, { number: cell.number, now: judgement.counts[index] }]));
  board.show((cell) => {
    const { number, now } = /** @type {{ number: number | null, now: number }} */ (cells.get(cell));
    const piece = placed.indexOf(cell);
    const isBroken = judgement.broken.includes(cell);
    const classes = {
      dark: (cell.charCodeAt(0) + Number(cell.slice(1))) % 2 === 0, part: piece >= 0 || marks.has(cell), met: number !== null && isStarted && number === now, broken: isBroken, reached: reached.includes(cell),
      chosen: piece >= 0 && piece === chosen, home: man?.home.includes(cell),
    };
    const content = [];
    if (number !== null) content.push(make('span', 'number', `${number}`));
    if (piece >= 0) content.push(make('span', 'man', sign(riddle.pieces[piece])));
    else if (marks.has(cell)) content.push(make('span', 'mark', '✕'));
    if (number !== null && isStarted && now !== number) content.push(make('span', 'now', `${now}`));
    return {
      classes: Object.entries(classes).flatMap(([name, is]) => (is ? [name] : [])),
      content,
      label: [
        number !== null && `shows ${number}`, number !== null && isStarted && `attacked by ${now}`, isBroken && 'broken',
        piece >= 0 && riddle.pieces[piece].name, marks.has(cell) && 'marked as empty', reached.includes(cell) && `attacked by the ${man?.name}`,
      ].flatMap((part) => part || []),
    };
  });
  showMen();
  at('count').textContent = `${placed.filter((cell) => cell !== '-').length} of ${placed.length} placed`;
}

function showMen() {
  const { riddle, placed, chosen } = game;
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.man : undefined;
  const button = (/** @type {number} */ piece, /** @type {string} */ sign, /** @type {string} */ words) => {
    const one = make('button', placed[piece] && placed[piece] !== '-' ? 'placed' : '');
    one.dataset.man = `${piece}`;
    one.setAttribute('aria-pressed', `${piece === chosen}`);
    one.append(make('span', 'man', sign), words);
    one.onclick = () => choose(piece);
    return one;
  };
  const words = (/** @type {Man} */ man, /** @type {number} */ piece) => `${man.name}${placed[piece] === '-' ? '' : ` ${placed[piece]}`}`;
  at('men').replaceChildren(...riddle.pieces.map((man, piece) => button(piece, sign(man), words(man, piece))), button(MARK, '✕', 'mark'));
  if (focused !== undefined) at('men').querySelector(`[data-man="${focused}"]`)?.focus();
}

/** @param {number} piece */
function choose(piece) {
  if (game.isOver || piece >= game.placed.length) return;
  game.chosen = game.chosen === piece ? null : piece;
  show();
}

/** @param {string} cell */
function tap(cell) {
  return then(async () => {
    const { chosen, placed, marks, riddle } = game;
    if (game.isOver) return;
    const here = placed.indexOf(cell);
    if (chosen === MARK && here < 0) {
      if (!marks.delete(cell)) marks.add(cell);
      remember();
      return show();
    }
    if (here >= 0 && here !== chosen) game.chosen = here;
    else if (here >= 0) [placed[here], game.chosen] = ['-', null];
    else if (chosen === null || chosen === MARK) return void say('Tap a piece below the board first.');
    else if (!riddle.pieces[chosen].home.includes(cell)) return void say(`The ${riddle.pieces[chosen].name} never stands on ${cell}.`);
    else placed[chosen] = cell;
    await judge();
    remember();
    say(told(game.judgement));
    if (game.judgement.solved) await conclude(true);
  });
}

/** What is wrong, the first of it. @param {Judgement} judgement */
function told({ told }) {
  const more = told.length > 1 ? ` (and ${told.length - 1} more)` : '';
  return told.length > 0 ? told[0] + more : '';
}

/** Writes the riddle down: it counts from its first piece on. */
function remember() {
  game.helped ||= shown().has(game.seed);
  const { riddle, seed, placed, marks, helped, counts } = game;
  if (helped) shown().add(seed);
  slots().write(seed, { id: riddle.id, placed, marks: [...marks], helped, counts });
  if (isBegun(placed)) write(false);
}

/** @param {boolean} won */
function write(won) {
  if (game.counts) record().write({ seed: game.seed, won, helped: game.helped });
}

const hint = () => then(async () => {
  if (game.isOver) return;
  const { riddle, placed } = game;
  const found = await referee.ask(`riddle hint ${placed.join(' ')}`);
  if (!found) return;
  game.helped = true;
  const { name } = riddle.pieces[found.piece];
  if (found.is_right) placed[found.piece] = found.cell;
  game.chosen = found.piece;
  await judge();
  remember();
  say(`The ${name} ${found.is_right ? 'stands' : 'does not stand'} on ${found.cell}. ${HELPED}`);
  if (game.judgement.solved) await conclude(true);
});

const giveUp = () => then(async () => {
  game.placed = await referee.ask('riddle answer');
  game.helped = true;
  await judge();
  await conclude(false);
});

/** @param {boolean} won */
async function conclude(won) {
  const { variant, level, seed, grade, helped } = game;
  Object.assign(game, { isOver: true, chosen: null });
  write(won);
  shown().add(seed);
  slots().drop(seed);
  nameOpen();
  show();
  const how = helped ? 'with help' : 'without help';
  say(won ? 'Right: every number is met.' : 'The pieces stood here.');
  const tools = nextTools('Next riddle', () => change(() => [variant, level, nextSeed(seed, isUsed)]));
  const words = `Riddle chess, ${variant}, ${asDate(seed) ?? `riddle ${seed}`} (${level} numbers, ${grade}): ${won ? `solved ${how}` : 'not solved'}.`;
  tools.append(resultButton(words, say));
  at('over').replaceChildren(make('p', '', won ? `You: solved ${how}. Grade: ${grade}.` : `You: not solved. Grade: ${grade}.`), tools);
  at('over').hidden = false;
  at('answer').disabled = at('hint').disabled = true;
  at('over').append(make('p', 'soft', await referee.ask('riddle needed')));
  await showRecord();
}

async function showRecord() {
  const { games } = record();
  const { told, brackets } = await inWords(referee, games, 'solved');
  const helped = games.filter((one) => one.helped);
  at('record').textContent = [told || 'Your record begins with the first piece you place.', helped.length > 0 && `With help: ${helped.filter((one) => one.won).length} of ${helped.length} solved.`].filter(Boolean).join(' ');
  at('enough').textContent = `Each riddle counts once, from its first piece. ${brackets}`;
}

/** @param {string[]} words */
const list = (words) => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** A riddle that is not new to the person. @param {number} seed */
const isUsed = (seed) => record().has(seed) || shown().has(seed) || slots().read(seed) !== null;

const pieces = [1, 2, 3, 4, 5].map((piece) => [`${piece}`, () => choose(piece - 1)]);
onKeys({ ...Object.fromEntries(pieces), h: hint, x: () => choose(MARK) });

/** The riddle of the address, or today's. @returns {[string, string, number]} */
function named() {
  const [, variant, level, seed] = location.hash.match(/^#(chess|makruk|xiangqi|shogi)\/(all|few)\/(\d{1,16})$/) ?? [];
  return variant ? [variant, level, Number(seed)] : ['chess', 'few', today()];
}

at('hint').onclick = hint;
at('answer').onclick = giveUp;
at('new').onclick = () => change(() => [game.variant, game.level, nextSeed(game.seed, isUsed)]);
at('variant').onchange = at('level').onchange = () => change(() => [at('variant').value, at('level').value, game.seed]);
at('share').onclick = () => copy(location.href, at('share'), say);
at('any').onsubmit = (/** @type {Event} */ event) => {
  event.preventDefault();
  const seed = Number(at('seed').value);
  change(() => [game.variant, game.level, seed]);
};
window.addEventListener('hashchange', () => then(() => begin(...named())));
sayFaults(say);
keepOffline();
// Tabs with the same riddle show the same pieces.
onOtherTab((key) => {
  if (!game.isOver && key === `${slots().prefix}${game.seed}`) then(() => begin(game.variant, game.level, game.seed));
});
then(() => begin(...named()));
