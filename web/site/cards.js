// A game of cards in a page: what a person does, and what the engines say to it. Each game of them is a `CardGame`.
import { Engine } from './engine.js';
import { asDate, at, copy, counted, keepOffline, make, nextSeed, nextTools, resultButton, sayFaults, today } from './page.js';
import { Record, keep, kept } from './record.js';
import { Table, inWords } from './table.js';

/** @typedef {import('./table.js').View} View */
/** @typedef {import('./table.js').Piece} Piece */

/**
 * What one game of cards does in its own way.
 * @typedef {{ moves: string, told: string[], mean: number, lo: number, hi: number }} Choice
 * @typedef {{ won: boolean | null, cards: number, moves: string[], told: string[] }} Sight
 * @typedef {import('./record.js').Game} Game
 * @typedef {{
 *   name: string, title: string, hasStock: boolean,
 *   rules: { [name: string]: string },
 *   command: string,
 *   most: number,
 *   score: (cards: number, moves?: number) => string,
 *   wins: (cards: number) => boolean,
 *   verb: string,
 *   best: (sight: Sight) => string,
 *   judged: (choice: Choice) => string[],
 *   advises: (worlds: number) => string,
 *   inWords: (engine: Engine, games: Game[]) => Promise<{ told: string, brackets: string }>,
 * }} CardGame
 */

/** @type {CardGame} */
let spec;
/** Keeps the deal. @type {Engine} */
let referee;
/** Is told what has been seen. @type {Engine} */
let adviser;
/** Judge guesses beside the adviser. @type {Engine[]} */
const helpers = [];
/** @type {Table} */
let table;

/** The game that is played. */
const game = {
  rules: '',
  seed: today(),
  /** @type {View} */
  view: /** @type {any} */ (null),
  guess: '',
  helped: false,
  /** True if the page has shown what the deal can bring. */
  isKnown: false,
  isOver: false,
  /** True if the record has no finished game of this deal. */
  counts: true,
  /** Moves that were asked for, one after another. */
  queue: Promise.resolve(),
  /** Counts what ends the advice being made. */
  turn: 0,
};

/** The card tapped last, with its places: another tap takes the next. */
let tapped = { card: '', base: -1, places: /** @type {string[]} */ ([]), next: 0, hasTurned: false, time: 0, x: 0, y: 0 };

const record = () => new Record(`${spec.name}/${game.rules}`);
const shownKey = () => `etude/${spec.name}/${game.rules}/shown`;
const openKey = () => `etude/${spec.name}/${game.rules}/open`;

/** Does things in the order in which they were asked for. @param {() => Promise<void>} task */
function then(task) {
  game.queue = game.queue.then(task).catch((error) => say(error.message));
  return game.queue;
}

/** @param {string} text */
function say(text) {
  at('said').textContent = text;
}

// Deals.

/** @param {string} rules @param {number} seed */
async function deal(rules, seed) {
  Object.assign(game, { rules, seed, guess: '', isOver: false });
  game.counts = !record().has(seed);
  game.helped = game.isKnown = shown().includes(seed);
  game.turn++;
  const view = await referee.ask(`${spec.name} deal ${rules} ${seed}`);
  at('rules').value = rules;
  at('seed').value = seed;
  at('which').textContent = `${spec.rules[rules]} · ${asDate(seed) ?? `deal ${seed}`}`;
  at('command').textContent = `etude play ${spec.command} ${rules} --seed ${seed}`;
  document.querySelectorAll('[data-rules]').forEach((words) => words.toggleAttribute('hidden', words.getAttribute('data-rules') !== rules));
  history.replaceState(null, '', `#${rules}/${seed}`);
  at('over').hidden = true;
  say(isStuck(view) ? STUCK : game.isKnown ? `You have seen how this deal ends. ${HELPED}` : '');
  update(view);
  await resume();
  await showRecord();
}

/** Deals that were ended before their first move: they are not in the record, but what they can bring was shown. @returns {number[]} */
const shown = () => kept(shownKey()) ?? [];

/** Goes on with a game of this deal that was left. */
async function resume() {
  const left = kept(openKey());
  if (left?.seed !== game.seed || !left.line) return;
  game.counts = left.counts;
  game.guess = left.guess;
  game.helped ||= left.helped;
  // A line stops where it turns a card.
  while (game.view.line !== left.line) {
    const rest = left.line.slice(game.view.line.length).replace(/^; /, '');
    const before = game.view.played;
    game.view = await referee.ask(`${spec.name} play ${rest}`);
    if (game.view.played === before) break;
  }
  update(game.view);
  say('Your game goes on.');
}

/** Shows a view, and what can be done. @param {View} view */
function update(view) {
  game.view = view;
  game.turn++;
  table.show(view);
  at('guess').hidden = view.played > 0 || game.guess !== '' || game.isOver || game.isKnown;
  at('undo').disabled = view.played === 0 || game.isOver;
  at('advice').disabled = game.isOver || view.won;
  at('end').disabled = game.isOver;
  at('finish').hidden = game.isOver || !canFinish(view);
  at('count').textContent = `${view.founded} of 52`;
  at('advised').hidden = true;
}

/** Nothing is hidden, so that every card goes up. @param {View} view */
const canFinish = (view) => !view.won && spec.hasStock && view.stock + view.waste.length === 0 && view.columns.every(({ down }) => down === 0);

/** @param {View} view */
const isStuck = (view) => !view.won && view.moves.length === 0;
const HELPED = 'This game counts as played with help.';
const STUCK = 'Nothing can move any more: take a move back, or end the game.';

/** Writes down the game so far: it counts from its first move on. */
function remember() {
  if (game.isOver) return;
  const { view, seed, guess, helped, counts } = game;
  keep(openKey(), { seed, line: view.line, guess, helped: helped || view.peeked > 0, counts });
  write(undefined);
}

/** Writes the game to the record. @param {boolean | null | undefined} winnable */
function write(winnable) {
  const { view, seed, guess, counts } = game;
  if (!counts || view.played === 0) return;
  record().write({ seed, won: spec.wins(view.founded), cards: view.founded, helped: game.helped || view.peeked > 0, guess, winnable });
}

// Moves.

/** Plays moves as they are typed. @param {string} moves */
function play(moves) {
  return then(async () => {
    if (game.isOver) return;
    const told = game.view.moves.find(({ text }) => text === moves)?.told ?? '';
    const view = await referee.ask(`${spec.name} play ${moves}`);
    update(view);
    say(isStuck(view) ? STUCK : told === 'draw' ? '' : told);
    remember();
    if (view.won) conclude();
  });
}

const undo = () => then(async () => {
  if (game.isOver || game.view.played === 0) return;
  const before = game.view.peeked;
  update(await referee.ask(`${spec.name} undo`));
  remember();
  say(game.view.peeked > before ? `You have seen a hidden card. ${HELPED}` : '');
});

/** The moves of a card, foundations first. @param {string} card */
const movesOf = (card) => game.view.moves.filter((move) => move.card === card).map(({ text }) => text);

/** The face-down cards of the columns. */
const faceDown = () => game.view.columns.reduce((sum, column) => sum + column.down, 0);

/** Plays a card to its best place; if it was the last that was played, to its next. @param {string} card */
async function tap(card) {
  // A card that was turned has been seen: then the move stays.
  const isAgain = tapped.card === card && game.view.played === tapped.base + 1 && tapped.places.length > 1 && !tapped.hasTurned;
  if (!isAgain) {
    const places = movesOf(card);
    Object.assign(tapped, { card, base: game.view.played, places, next: 0 });
    if (places.length === 0) return refuse(card);
  } else await then(async () => update(await referee.ask(`${spec.name} undo`)));
  const before = faceDown();
  const place = tapped.places[tapped.next++];
  if (place) await play(place);
  else {
    tapped.card = '';
    remember();
  }
  tapped.hasTurned = faceDown() < before;
}

/** @param {string} card */
function refuse(card) {
  say(`No place for the ${inWords(card)}.`);
  const element = table.elements.get(card);
  element?.classList.add('no');
  setTimeout(() => element?.classList.remove('no'), 400);
}

/** Draws, or turns the waste over. */
const draw = () => then(async () => {
  const move = game.view.moves.find(({ card }) => card === null);
  if (!move || game.isOver) return say(game.isOver ? '' : 'There is nothing to draw.');
  update(await referee.ask(`${spec.name} play ${move.text}`));
  say(move.text === 'turn' ? 'The waste is turned over.' : '');
  remember();
});

/** Moves a card to a pile, if it may. @param {Piece} piece @param {string} pile */
function moveTo(piece, pile) {
  const to = pile[0] === 'f' ? 'f' : pile;
  const move = movesOf(piece.card ?? '').find((text) => [to, undefined].includes(text.split(' ')[1]));
  if (move) play(move);
  else refuse(piece.card ?? '');
  return Boolean(move);
}

const finish = () => then(async () => {
  while (!game.view.won) {
    const move = game.view.moves.find(({ text }) => text.endsWith(' f'));
    if (!move) return;
    update(await referee.ask(`${spec.name} play ${move.text}`));
    await new Promise((done) => setTimeout(done, 60));
  }
  remember();
  conclude();
});

// Fingers.

/** @type {{ piece: Piece, x: number, y: number, moves: boolean, id: number } | null} */
let held = null;
/** The time of the last drop: the click that follows it is none. */
let dropped = -1000;

at('board').addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
  const piece = table.pieceOf(event.target);
  if (!piece || event.button !== 0 || game.isOver) return;
  held = { piece, x: event.clientX, y: event.clientY, moves: false, id: event.pointerId };
});

window.addEventListener('pointermove', (event) => {
  if (!held || held.id !== event.pointerId || !held.piece.card || held.piece.back !== undefined) return;
  const [x, y] = [event.clientX - held.x, event.clientY - held.y];
  if (!held.moves && Math.hypot(x, y) < 8) return;
  held.moves = true;
  for (const part of table.run(held.piece)) {
    const element = /** @type {HTMLElement} */ (table.elements.get(part.key));
    element.classList.add('held');
    element.style.transform = `translate(${part.x + x}px, ${part.y + y}px)`;
  }
});

/** @param {PointerEvent} event */
function release(event) {
  if (!held || held.id !== event.pointerId) return;
  const { piece, moves } = held;
  held = null;
  if (!moves) return;
  const run = table.run(piece);
  run.forEach(({ key }) => table.elements.get(key)?.classList.remove('held'));
  const box = at('board').getBoundingClientRect();
  const pile = table.pileAt(event.clientX - box.left, event.clientY - box.top);
  const isHome = event.type === 'pointercancel' || pile === piece.pile;
  tapped.card = '';
  if (isHome || !moveTo(piece, pile)) table.show(game.view);
  dropped = performance.now();
}
window.addEventListener('pointerup', release);
window.addEventListener('pointercancel', release);

at('board').addEventListener('click', (/** @type {MouseEvent} */ event) => {
  const piece = table.pieceOf(event.target);
  const now = performance.now();
  if (!piece || game.isOver || now - dropped < 60) return;
  table.rove(piece);
  const isDouble = event.detail > 0 && now - tapped.time < 320 && Math.hypot(event.clientX - tapped.x, event.clientY - tapped.y) < 24;
  if (piece.pile === 'stock') return void draw();
  Object.assign(tapped, { time: now, x: event.clientX, y: event.clientY });
  // The first of two taps has already played the card to its foundation.
  if (isDouble) return;
  act(piece);
});

/** @param {Piece} piece */
function act(piece) {
  if (piece.pile === 'stock') return draw();
  if (!piece.card || piece.back !== undefined) return say('This card is face down.');
  return tap(piece.card);
}

// Keys.

document.addEventListener('keydown', (event) => {
  const isElsewhere = event.target instanceof Element && event.target.closest('input, select, summary, form');
  if (event.ctrlKey && event.key === 'z') {
    event.preventDefault();
    undo();
  }
  if (isElsewhere || event.altKey || event.ctrlKey || event.metaKey || game.isOver) return;
  const piece = table.focused();
  const key = event.key.toLowerCase();
  if (event.key.startsWith('Arrow')) {
    event.preventDefault();
    table.focus(piece ? table.towards(piece, event.key) : table.last(table.at));
  } else if (key === 'd') draw();
  else if (key === 'u') undo();
  else if (key === 'a') advise();
  else if (piece?.card && (key === 'f' || /^[1-7]$/.test(key))) moveTo(piece, key);
});

// Advice.

async function advise() {
  if (game.isOver || game.view.won) return;
  game.helped = true;
  say(`You have asked for advice. ${HELPED}`);
  remember();
  const { rules, seed, view } = game;
  const turn = ++game.turn;
  const box = at('advised');
  box.hidden = false;
  box.replaceChildren(make('p', '', 'Guessing the hidden cards …'));
  const tell = (/** @type {number} */ judged, /** @type {number} */ worlds) => {
    box.firstChild.textContent = `Guessing the hidden cards: ${judged} of ${worlds} orders`;
  };
  const advice = await judge(`${rules} ${seed} ${view.played} ${view.text}`, () => game.turn === turn, tell);
  if (advice) showAdvice(advice);
}

/** The choices shown. */
const SHOWN = 5;
/** The guesses that an adviser takes at a time. */
const JUDGED = 10;
/** One in 1,000 positions has over 350 choices, each judged on every guess: a phone needs all its cores to be quick there. */
const ADVISERS = Math.min(navigator.hardwareConcurrency || 1, 8);

/**
 * Shares the guesses of the hidden cards out among the advisers: each takes the next ones when it has judged its own.
 * @param {string} seen @param {() => boolean} isWanted @param {(judged: number, worlds: number) => void} tell
 */
async function judge(seen, isWanted, tell) {
  while (helpers.length < ADVISERS - 1) helpers.push(new Engine(spec.name));
  const advisers = [adviser, ...helpers];
  const [{ worlds }] = await Promise.all(advisers.map((one) => one.ask(`${spec.name} advise ${seen}`)));
  /** @type {number[][]} */
  const scores = Array(worlds);
  let [next, judged] = [0, 0];
  await Promise.all(advisers.map(async (one) => {
    while (next < worlds && isWanted()) {
      const from = next;
      next = Math.min(from + JUDGED, worlds);
      const rows = (await one.ask(`${spec.name} judge ${from} ${next}`)).scores;
      scores.splice(from, rows.length, ...rows);
      judged += rows.length;
      if (isWanted()) tell(judged, worlds);
    }
  }));
  if (!isWanted()) return null;
  const { choices } = await adviser.ask(`${spec.name} weigh ${scores.join(';')}`);
  return isWanted() ? { worlds, choices } : null;
}

/** @param {{ worlds: number, choices: Choice[] }} advice */
function showAdvice({ worlds, choices }) {
  const box = at('advised');
  if (choices.length === 0) return box.replaceChildren(make('p', '', 'Nothing that can be played turns another card.'));
  const list = make('ol');
  for (const choice of choices.slice(0, SHOWN)) {
    const row = make('li');
    const chance = make('div');
    const track = make('div', 'track');
    const range = make('i');
    const part = (/** @type {number} */ value) => (100 * value) / spec.most;
    Object.assign(range.style, { left: `${part(choice.lo)}%`, width: `${Math.max(part(choice.hi - choice.lo), 0.5)}%` });
    const mark = make('em');
    mark.style.left = `calc(${part(choice.mean)}% - 1px)`;
    track.append(range, mark);
    const [share, interval] = spec.judged(choice);
    chance.append(make('strong', '', share), make('span', 'soft', interval));
    const button = make('button', '', 'Play');
    button.setAttribute('aria-label', `Play: ${inShort(choice.told)}`);
    button.onclick = () => play(choice.moves);
    const how = make('div', 'how');
    how.append(chance, track, make('div', '', inShort(choice.told)));
    row.append(how, button);
    list.append(row);
  }
  const more = choices.length > SHOWN ? ` ${counted(choices.length - SHOWN, 'more choice')} judged no better.` : '';
  box.replaceChildren(
    make('p', '', `${spec.advises(worlds)}${more}`),
    list,
  );
}

/** Moves in words, draws joined. @param {string[]} told */
function inShort(told) {
  const parts = [];
  for (const [index, move] of told.entries()) {
    if (move === told[index - 1]) continue;
    let times = 1;
    while (told[index + times] === move) times++;
    parts.push([move, times === 2 ? 'twice' : times > 2 ? `${times} times` : ''].filter(Boolean).join(' '));
  }
  return parts.join(', ');
}

// The end.

async function conclude() {
  if (game.isOver) return;
  game.isOver = true;
  const { rules, seed, view } = game;
  keep(openKey(), null);
  update(view);
  const box = at('over');
  const [you, other, sight, guess] = [make('p'), make('p', '', 'A player who saw what you saw: playing …'), make('p', '', 'With every card visible: searching …'), make('p')];
  you.append(make('strong', '', `You: ${spec.score(view.founded, view.played)}.`));
  const tools = nextTools('Next deal', () => then(() => deal(rules, next())));
  const watch = make('div');
  box.replaceChildren(you, other, sight, guess, tools, watch);
  box.hidden = false;
  box.scrollIntoView({ behavior: 'smooth', block: 'nearest' });
  const best = await adviser.ask(`${spec.name} sight ${rules} ${seed}`);
  const isHere = () => game.isOver && game.seed === seed && game.rules === rules;
  if (!isHere()) return;
  write(best.won);
  if (!record().has(seed) && !shown().includes(seed)) keep(shownKey(), [...shown(), seed]);
  const canBe = spec.best(view.founded > best.cards ? { ...best, cards: view.founded } : best);
  sight.textContent = `With every card visible: ${canBe}.`;
  if (game.guess && best.won !== null) guess.textContent = `Your guess, ${game.guess}, was ${(game.guess === 'yes') === best.won ? 'right' : 'wrong'}.`;
  const show = make('button', '', best.cards === 52 ? 'Watch the win' : 'Watch the best game');
  show.onclick = () => review(watch, best);
  tools.append(show);
  await showRecord();
  const rival = await adviser.ask(`${spec.name} rival ${rules} ${seed}`);
  if (!isHere()) return;
  other.textContent = `A player who saw what you saw: ${spec.score(rival.score)}.`;
  tools.append(resultButton(resultText(rival, canBe), say));
}

/** @param {{ score: number }} rival @param {string} canBe */
function resultText(rival, canBe) {
  const { view, seed, rules } = game;
  const helped = game.helped || view.peeked > 0 ? ' (with help)' : '';
  return `${spec.title}, ${spec.rules[rules]}, ${asDate(seed) ?? `deal ${seed}`}\nI: ${spec.score(view.founded, view.played)}${helped}. ` +
    `A player who sees what I saw: ${spec.score(rival.score)}. With every card visible: ${canBe}.`;
}

/** The best line, to be stepped through. @param {HTMLElement} box @param {{ moves: string[], told: string[] }} line */
function review(box, { moves, told }) {
  const [slider, caption] = [make('input'), make('p')];
  Object.assign(slider, { type: 'range', min: 0, max: moves.length, value: 0 });
  slider.setAttribute('aria-label', 'Move');
  const step = async () => {
    const count = Number(slider.value);
    caption.textContent = count === 0 ? 'The deal, face-down cards shown.' : `Move ${count} of ${moves.length}: ${told[count - 1]}`;
    const view = await referee.ask(`${spec.name} replay ${game.rules} ${game.seed} ${count} ${moves.join(';')}`);
    if (!game.isOver || Number(slider.value) !== count) return;
    table.show(view);
    at('count').textContent = `${view.founded} of 52`;
  };
  slider.oninput = step;
  const go = (/** @type {number} */ by) => () => {
    slider.value = `${Number(slider.value) + by}`;
    step();
  };
  const [back, on] = [make('button', '', '◀ Back'), make('button', '', 'Next ▶')];
  [back.onclick, on.onclick] = [go(-1), go(1)];
  const bar = make('div', 'bar');
  bar.append(back, on);
  box.replaceChildren(caption, slider, bar);
  say('');
  step();
  at('felt').scrollIntoView({ behavior: 'smooth', block: 'nearest' });
}

/** A deal that was not played. */
const next = () => nextSeed(game.seed, (seed) => record().has(seed) || shown().includes(seed));

// The record.

async function showRecord() {
  const games = record().games;
  const { told: own, brackets } = await spec.inWords(referee, games);
  const told = [own];
  const helped = games.filter((one) => one.helped);
  if (games.length === 0) told.push('Your record begins with your first move.');
  if (helped.length > 0) told.push(`With advice, or hidden cards or the answer seen: ${helped.filter((one) => one.won).length} of ${helped.length} ${spec.verb}.`);
  const guessed = games.filter(({ guess, winnable }) => guess && typeof winnable === 'boolean');
  const right = guessed.filter(({ guess, winnable }) => (guess === 'yes') === winnable).length;
  if (guessed.length > 0) told.push(`Your guesses: ${right} of ${guessed.length} right.`);
  at('record').textContent = told.join(' ');
  at('enough').textContent = `Each deal counts once, from its first move. ${brackets}`;
}

// The page.

at('undo').onclick = undo;
at('advice').onclick = advise;
at('finish').onclick = finish;
at('end').onclick = () => void conclude();
at('new').onclick = () => then(() => deal(game.rules, next()));
at('rules').onchange = () => then(() => deal(at('rules').value, game.seed));
at('share').onclick = () => copy(location.href, at('share'), say);
at('any').onsubmit = (/** @type {Event} */ event) => {
  event.preventDefault();
  then(() => deal(game.rules, Number(at('seed').value)));
};
at('guess').onclick = (/** @type {Event} */ event) => {
  const guess = event.target instanceof HTMLElement ? event.target.dataset.guess : undefined;
  if (guess === undefined) return;
  game.guess = guess;
  at('guess').hidden = true;
  say(guess ? `You guess ${guess}. The end of the game tells.` : '');
};
// What is on the table stays: it may be a game that is watched.
window.addEventListener('resize', () => table.view && table.show(table.view));
window.addEventListener('hashchange', () => then(() => deal(...named())));

/** The deal of the address, or today's. @returns {[string, number]} */
function named() {
  const [, rules, seed] = location.hash.match(/^#([a-z0-9-]+)\/(\d{1,16})$/) ?? [];
  return rules in spec.rules ? [rules, Number(seed)] : [Object.keys(spec.rules)[0], today()];
}

/** Begins with the deal of the address. @param {CardGame} played */
export function begin(played) {
  spec = played;
  [referee, adviser] = [new Engine(spec.name), new Engine(spec.name)];
  table = new Table(at('board'), spec.hasStock);
  sayFaults(say);
  keepOffline();
  then(() => deal(...named()));
}
