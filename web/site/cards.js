// A game of cards in a page: what a person does, and what the engines say to it. Each game of them is a `CardGame`.
import { Engine } from './engine.js';
import { onKeys } from './keys.js';
import { asDate, asks, at, copy, counted, keepOffline, make, nextSeed, nextTools, puzzleOf, resultButton, sayFaults, showOpen, today, visit } from './page.js';
import { Record, Shown, Slots, isNumber, isText, onOtherTab, playInWords } from './record.js';
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
 *   allVisible?: string,
 *   command: string,
 *   most: number,
 *   score: (cards: number, moves?: number) => string,
 *   wins: (cards: number) => boolean,
 *   verb: string,
 *   best: (sight: Sight) => string,
 *   judged: (choice: Choice) => string[],
 *   advises: (worlds: number) => string,
 *   inWords: (engine: Engine, games: Game[]) => Promise<{ told: string, brackets: string }>,
 *   measure: import('./record.js').Measure,
 * }} CardGame
 */

/**
 * A game that is over, and what its end may do.
 * @typedef {{
 *   name: string, measure: import('./record.js').Measure, rules: string, seed: import('./page.js').Puzzle, line: string, moves: number, words: string,
 *   box: HTMLElement, record: Record,
 *   isHere: () => boolean,
 *   show: (request: string, words: string) => Promise<void>,
 *   showRecord: () => Promise<void>,
 *   tellReview: (words: string) => void,
 *   again: () => void,
 * }} End
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
  /** @type {import('./page.js').Puzzle} */
  seed: today(),
  /** @type {View} */
  view: /** @type {any} */ (null),
  guess: '',
  /** What its review says. */
  review: '',
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

/** @typedef {{ line: string, played: number, guess: string, helped: boolean, counts: boolean }} Left */

/** @param {any} left @returns {left is Left} */
const isLeft = (left) => isText(left?.line) && isNumber(left.played) && isText(left.guess) && typeof left.helped === 'boolean' && typeof left.counts === 'boolean';

const record = () => new Record(`${spec.name}/${game.rules}`);
/** Guesses whether a deal can be won, beside the games: one needs no move. */
const guesses = () => new Record(`${spec.name}/${game.rules}/guesses`);
/** A deal has the same cards under all rules. */
const shown = () => new Shown(spec.name);
const slots = (rules = game.rules) => new Slots(`${spec.name}/${rules}`, isLeft);
/** Where all cards are visible there is no luck. */
const isReviewed = () => game.rules !== spec.allVisible && game.view.played > 0;
const isOpen = () => !game.isOver && game.view?.played > 0;

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

/** @param {string} rules @param {import('./page.js').Puzzle} seed @param {boolean} [isNew] true if the person asked for it here */
async function deal(rules, seed, isNew = false) {
  Object.assign(game, { rules, seed, guess: '', isOver: false });
  game.counts = !record().has(seed);
  game.helped = game.isKnown = isKnown();
  game.turn++;
  const view = await referee.ask(`${spec.name} deal ${rules} ${seed}`);
  at('rules').value = rules;
  const [number, sample] = `${seed}`.split('.');
  at('seed').value = number;
  at('which').textContent = `${spec.rules[rules]} · ${asDate(seed) ?? `deal ${seed}`}`;
  at('command').textContent = `etude play ${spec.command} ${rules} --seed ${number}${sample ? ` --index ${sample}` : ''}`;
  document.querySelectorAll('[data-rules]').forEach((words) => words.toggleAttribute('hidden', words.getAttribute('data-rules') !== rules));
  visit(`#${rules}/${seed}`, isNew);
  at('over').hidden = true;
  say(isStuck(view) ? STUCK : game.isKnown ? `${known()} ${HELPED}` : '');
  update(view);
  await resume();
  if (rules === spec.allVisible) shown().add(`${rules} ${seed}`);
  nameOpen();
  await showRecord();
}

/** True if more of the deal was shown than its game shows: its end, advice, or all its cards under other rules. */
function isKnown() {
  if (shown().has(paying(game.seed))) return true;
  const isSeen = spec.allVisible !== undefined && game.rules !== spec.allVisible && shown().has(`${spec.allVisible} ${game.seed}`);
  return isSeen || shown().has(game.seed);
}

/** Deals another game, after a question if one is open. @param {() => [string, import('./page.js').Puzzle] | Promise<[string, import('./page.js').Puzzle]>} named */
const change = (named) => then(async () => {
  const isLeaving = !isOpen() || await asks('This game stays open, and counts as not won until you end it.', 'Leave it open');
  if (isLeaving) await deal(...await named(), true);
  else at('rules').value = game.rules;
});

/** @param {import('./page.js').Puzzle} seed */
const paying = (seed) => `pays ${seed}`;

/** What is known of a deal before it is played. */
const known = () => (shown().has(game.seed) || !shown().has(paying(game.seed)) ? 'You have had help with this deal, or seen how it ends.' : 'More than your $55 can come back from this deal.');

/** Deals one of which more comes back than was paid: to know that is help. */
const offer = () => change(async () => {
  for (let seed = next(); ; seed = nextSeed(seed, isUsed)) {
    say(`Looking for a deal that pays: ${seed} …`);
    const best = await adviser.ask(`${spec.name} sight ${game.rules} ${seed}`);
    if (!best.won) continue;
    shown().add(paying(seed));
    return [game.rules, seed];
  }
});

/** Goes on with a game of this deal that was left. */
async function resume() {
  const left = slots().read(game.seed);
  if (!left) return;
  game.counts = left.counts;
  game.guess = left.guess;
  game.helped ||= left.helped;
  // A line stops where it turns a card.
  while (game.view.line !== left.line) {
    const rest = left.line.slice(game.view.line.length).replace(/^; /, '');
    const before = game.view.played;
    const view = await referee.ask(`${spec.name} play ${rest}`).catch(() => null);
    if (!view) break;
    game.view = view;
    if (view.played === before) break;
  }
  update(game.view);
  if (game.view.played > 0) say('Your game goes on.');
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
  const { view, seed, guess, counts } = game;
  // Another tab may have shown the end.
  if (view.peeked > 0 || isKnown()) game.helped = true;
  if (game.helped) shown().add(seed);
  slots().write(seed, { line: view.line, played: view.played, guess, helped: game.helped, counts });
  write(undefined);
  nameOpen();
}

/** Names the other games that are open. */
function nameOpen() {
  const open = Object.keys(spec.rules).flatMap((rules) => slots(rules).all().map(({ puzzle, game: left }) => ({ rules, puzzle, left, address: `#${rules}/${puzzle}` })));
  const others = open.filter(({ left, address }) => left.played > 0 && address !== location.hash);
  others.sort((one, other) => other.left.time - one.left.time);
  showOpen(others.map(({ rules, puzzle, left, address }) => ({ address, words: `${spec.rules[rules]}, ${asDate(puzzleOf(puzzle)) ?? `deal ${puzzle}`} (${counted(left.played, 'move')})` })));
}

/** Writes the game to the record. @param {boolean | null | undefined} winnable what a guess is held against */
function write(winnable) {
  const { view, seed, guess, counts, isKnown, helped } = game;
  if (guess && !isKnown && typeof winnable === 'boolean') guesses().write({ seed, won: (guess === 'yes') === winnable, helped });
  if (!counts || view.played === 0) return;
  const line = isReviewed() && game.isOver && !helped ? view.line : undefined;
  const { play } = record().games.find((game) => game.seed === seed) ?? {};
  record().write({ seed, won: spec.wins(view.founded), cards: view.founded, helped, ...(play === undefined ? { line } : { play }) });
}

// Moves.

/** Plays moves as they are typed. @param {string} moves */
function play(moves) {
  return then(async () => {
    if (game.isOver) return;
    const told = game.view.moves.find(({ text }) => text === moves)?.told ?? '';
    const before = game.view;
    const view = await referee.ask(`${spec.name} play ${moves}`);
    update(view);
    say([told === 'draw' ? drawn() : told + turned(before, view), isStuck(view) && STUCK].filter(Boolean).join(' '));
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
  say(move.text === 'turn' ? 'The waste is turned over.' : drawn());
  remember();
});

/** What a draw has brought: the card that can be played, and what is left. */
function drawn() {
  const { waste, stock } = game.view;
  return `Drawn: ${waste.slice(-3).reverse().map(inWords).join(', on the ')}. ${stock === 0 ? 'The stock is empty' : `${counted(stock, 'card')} left in the stock`}.`;
}

/** The card that a move has turned up, if it has: the last one of a column that had more face-down cards before. @param {View} before @param {View} after */
function turned(before, after) {
  const column = after.columns.findIndex(({ down }, place) => down < before.columns[place].down);
  const card = after.columns[column]?.up.at(-1);
  return card ? `. The ${inWords(card)} is turned up in column ${column + 1}.` : '';
}

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

/** Moves the focus, or the card that has it. @param {string} key */
function byCard(key) {
  const piece = table.focused();
  if (game.isOver) return false;
  if (key.startsWith('arrow')) {
    table.focus(piece ? table.towards(piece, key) : table.last(table.at));
    return true;
  }
  const isPile = key === 'f' || /^[1-7]$/.test(key);
  if (isPile && piece?.card) moveTo(piece, key);
  return isPile;
}

/** @param {() => unknown} move */
const unlessOver = (move) => () => !game.isOver && move();
onKeys({ d: unlessOver(draw), u: unlessOver(undo), a: unlessOver(advise) }, { undo: unlessOver(undo), other: byCard });

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
  const tied = choices.filter(({ mean }) => mean === choices[0].mean).length;
  const ties = tied < 2 ? '' : ` The first ${tied === choices.length ? `${tied}, which are all,` : tied} are judged alike: nothing here tells them apart.`;
  const more = choices.length > SHOWN ? ` ${counted(choices.length - SHOWN, 'more choice')} judged no better.` : '';
  box.replaceChildren(
    make('p', '', `${spec.advises(worlds)}${ties}${more}`),
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
  shown().add(seed);
  slots().drop(seed);
  update(view);
  nameOpen();
  // Whoever leaves before the rest is known has ended the game all the same.
  write(undefined);
  const box = at('over');
  const [you, other, sight, guess] = [make('p'), make('p', '', 'A player who saw what you saw: playing …'), make('p', '', 'With every card visible: searching …'), make('p')];
  you.append(make('strong', '', `You: ${spec.score(view.founded, view.played)}.`));
  const tools = nextTools('Next deal', () => change(() => [rules, next()]));
  const [watch, more] = [make('div'), make('div')];
  box.replaceChildren(you, more, other, sight, guess, tools, watch);
  box.hidden = false;
  box.scrollIntoView({ behavior: 'smooth', block: 'nearest' });
  const isHere = () => game.isOver && game.seed === seed && game.rules === rules;
  if (isReviewed()) {
    const end = ended(more, isHere);
    import('./review.js').then(({ review }) => review(end)).catch((error) => isHere() && more.append(make('p', '', error.message)));
  }
  const best = await adviser.ask(`${spec.name} sight ${rules} ${seed}`);
  if (!isHere()) return;
  write(best.won);
  const canBe = spec.best(view.founded > best.cards ? { ...best, cards: view.founded } : best);
  sight.textContent = `With every card visible: ${canBe}.`;
  if (game.guess && best.won !== null) guess.textContent = `Your guess, ${game.guess}, was ${(game.guess === 'yes') === best.won ? 'right' : 'wrong'}.`;
  const show = make('button', '', best.cards === 52 ? 'Watch the win' : 'Watch the best game');
  show.onclick = () => stepThrough(watch, best);
  tools.append(show);
  await showRecord();
  const rival = await adviser.ask(`${spec.name} rival ${rules} ${seed}`);
  if (!isHere()) return;
  other.textContent = `A player who saw what you saw: ${spec.score(rival.score)}.`;
  tools.append(resultButton(() => resultText(rival, canBe), say));
}

/** The game that is over. @param {HTMLElement} box @param {() => boolean} isHere @returns {End} */
function ended(box, isHere) {
  const { rules, seed, view } = game;
  game.review = '';
  return {
    name: spec.name, measure: spec.measure, rules, seed, box, isHere, showRecord, record: record(), line: view.line, moves: view.played,
    words: `${spec.title}, ${spec.rules[rules]}, ${asDate(seed) ?? `deal ${seed}`}`,
    async show(request, words) {
      const view = await referee.ask(request);
      if (!isHere()) return;
      table.show(view);
      at('count').textContent = `${view.founded} of 52`;
      say(words);
      at('felt').scrollIntoView({ behavior: 'smooth', block: 'nearest' });
    },
    tellReview: (words) => (game.review = words),
    again: () => change(() => [rules, seed]),
  };
}

/** @param {{ score: number }} rival @param {string} canBe */
function resultText(rival, canBe) {
  const { view, seed, rules } = game;
  const helped = game.helped ? ' (with help)' : '';
  return `${spec.title}, ${spec.rules[rules]}, ${asDate(seed) ?? `deal ${seed}`}\nI: ${spec.score(view.founded, view.played)}${helped}. ` +
    `A player who sees what I saw: ${spec.score(rival.score)}. With every card visible: ${canBe}.${game.review && ` ${game.review}`}`;
}

/** The best line, to be stepped through. @param {HTMLElement} box @param {{ moves: string[], told: string[] }} line */
function stepThrough(box, { moves, told }) {
  const [slider, caption] = [make('input'), make('p')];
  Object.assign(slider, { type: 'range', min: 0, max: moves.length, value: 0 });
  slider.setAttribute('aria-label', 'Move');
  const step = async () => {
    const count = Number(slider.value);
    caption.textContent = count === 0 ? 'The deal, face-down cards shown.' : `Move ${count} of ${moves.length}: ${told[count - 1]}`;
    const view = await referee.ask(`${spec.name} replay ${count} ${game.rules} ${game.seed} ${moves.join(';')}`);
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

/** A deal that is not new to the person. @param {number} seed */
const isUsed = (seed) => record().has(seed) || shown().has(seed) || slots().read(seed) !== null;

/** A deal that was not played. */
const next = () => nextSeed(game.seed, isUsed);

// The record.

async function showRecord() {
  const games = record().games;
  const own = await spec.inWords(referee, games);
  const play = await playInWords(referee, spec.name, spec.measure, games);
  const told = [own.told, play.told].filter(Boolean);
  const helped = games.filter((one) => one.helped);
  if (games.length === 0) told.push('Your record begins with your first move.');
  if (helped.length > 0) told.push(`With advice, or hidden cards or the answer seen: ${helped.filter((one) => one.won).length} of ${helped.length} ${spec.verb}.`);
  const guessed = guesses().games;
  if (guessed.length > 0) told.push(`Your guesses: ${guessed.filter(({ won }) => won).length} of ${guessed.length} right.`);
  const isLeft = (/** @type {Game} */ { seed }) => (slots().read(seed)?.played ?? 0) > 0;
  const open = games.filter(isLeft).length;
  if (open > 0) told.push(`${counted(open, 'game')} of these ${open === 1 ? 'is' : 'are'} still open.`);
  at('record').textContent = told.join(' ');
  at('enough').textContent = `Each deal counts once, from its first move. ${own.brackets} ${play.brackets}`;
}

// The page.

at('undo').onclick = undo;
at('advice').onclick = advise;
at('finish').onclick = finish;
at('end').onclick = () => void conclude();
at('new').onclick = () => change(() => [game.rules, next()]);
at('paying')?.addEventListener('click', offer);
at('rules').onchange = () => change(() => [at('rules').value, game.seed]);
at('share').onclick = () => copy(location.href, at('share'), say);
at('any').onsubmit = (/** @type {Event} */ event) => {
  event.preventDefault();
  const seed = Number(at('seed').value);
  change(() => [game.rules, seed]);
};
at('guess').onclick = (/** @type {Event} */ event) => {
  const guess = event.target instanceof HTMLElement ? event.target.dataset.guess : undefined;
  if (guess === undefined) return;
  game.guess = guess;
  at('guess').hidden = true;
  if (guess) remember();
  say(guess ? `You guess ${guess}. Play, or end the game: its end tells.` : '');
};
// What is on the table stays: it may be a game that is watched.
window.addEventListener('resize', () => table.view && table.show(table.view));
window.addEventListener('hashchange', () => then(() => deal(...named())));

/** The deal of the address, or today's. @returns {[string, import('./page.js').Puzzle]} */
function named() {
  const [, rules, seed] = location.hash.match(/^#([a-z0-9-]+)\/(\d{1,15}(?:\.\d{1,15})?)$/) ?? [];
  return rules in spec.rules ? [rules, puzzleOf(seed)] : [Object.keys(spec.rules)[0], today()];
}

/** Begins with the deal of the address. @param {CardGame} played */
export function begin(played) {
  spec = played;
  [referee, adviser] = [new Engine(spec.name), new Engine(spec.name)];
  table = new Table(at('board'), spec.hasStock);
  sayFaults(say);
  keepOffline();
  // Tabs with the same deal show the same game.
  onOtherTab((key) => {
    if (!game.isOver && key === `${slots().prefix}${game.seed}`) then(() => deal(game.rules, game.seed));
  });
  then(() => deal(...named()));
}
