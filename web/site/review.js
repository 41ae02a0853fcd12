// The review of a game that is over: was it the person or the cards? The workers share what is measured; the numbers are
// those of `etude review`.
import { Engine } from './engine.js';
import { curve, picture } from './curve.js';
import { at, counted, make, signed } from './page.js';

/** @typedef {import('./cards.js').End} End */
/** @typedef {{ lines: string[], mistakes: number[], curve: number[][], ends: [number, number], cards: number, play: number, exact: number }} Told */

/** The review is shown after so many times the worlds of the first look: it sharpens while one reads. */
const LOOKS = [1, 2, 4, 8, 16, 32];
/** The worlds at which a game's play is kept for the mean over games: always as many, so that no number decides which are kept. */
const KEPT_AT = 100;
/** The games left that are reviewed after one. */
const LEFT_AT_ONCE = 2;
/** The parts that a worker measures at a time, in a few tenths of a second. @type {{ [work: string]: number }} */
const PARTS = { rounds: 3, replays: 2, again: 9 };

/** The mistakes that the curve marks. */
const MARKED = 3;
/** Milliseconds from the end of a press to its click, at most. */
const CLICKED = 100;

/** A text with true minus signs. @param {string} text */
const printed = (text) => text.replace(/(^|[\s(])-(?=\d)/g, '$1\u2212');

/** Review together, from the end of the first game on. @type {Engine[]} */
const engines = [];
/** More would leave the page no time. */
const MOST_ENGINES = 8;

/** What is reviewed at present: another game's review ends it. */
let latest = {};

class Review {
  /** @param {End} end a game of the same kind @param {string} played deal and moves @param {() => boolean} isWanted */
  constructor({ name, rules }, played, isWanted) {
    this.name = name;
    this.game = `${name} ${rules} ${played}`;
    this.isWanted = isWanted;
    /** The parts of each work that are measured. @type {Map<string, string[]>} */
    this.parts = new Map();
  }

  /** Begins, or goes on after another game. */
  async begin() {
    while (engines.length < Math.min(navigator.hardwareConcurrency || 1, MOST_ENGINES)) engines.push(new Engine(this.name, 'review'));
    await Promise.all(engines.map((one) => one.ask(`review begin ${this.game}`)));
    for (const [work, parts] of this.parts) await engines[0].ask(`review tell ${work} ${parts.join('|')}`);
  }

  /** Shares work out until so many of its parts are told. @param {string} work @param {number} count */
  async share(work, count) {
    const before = this.parts.get(work) ?? [];
    const from = before.length;
    /** @type {string[]} */
    const parts = Array(count - from);
    let next = from;
    await Promise.all(engines.map(async (one) => {
      while (next < count && this.isWanted()) {
        const first = next;
        next = Math.min(first + PARTS[work.split('-')[0]], count);
        const reply = await one.ask(`review measure ${work} ${first} ${next}`);
        parts.splice(first - from, reply.parts.length, ...reply.parts);
      }
    }));
    if (!this.isWanted()) return;
    this.parts.set(work, [...before, ...parts]);
    await engines[0].ask(`review tell ${work} ${parts.join('|')}`);
  }

  /** The review in so many worlds; null if it is not wanted any more. @param {number} worlds @returns {Promise<Told | null>} */
  async in(worlds) {
    while (this.isWanted()) {
      const reply = await engines[0].ask(`review worlds ${worlds}`);
      if (!reply.wants) return this.isWanted() ? reply : null;
      for (const want of reply.wants) {
        const [work, count] = want.split(' ');
        await this.share(work, Number(count));
      }
    }
    return null;
  }
}

/** Reviews a game that is over, and some of those that were left before they were reviewed. @param {End} end */
export async function review(end) {
  const mine = (latest = {});
  const isWanted = () => latest === mine && end.isHere();
  const box = make('section', 'review');
  box.setAttribute('aria-label', 'Was it you or the cards?');
  box.append(make('h2', '', 'Was it you or the cards?'), make('p', 'soft', 'Measuring your decisions \u2026'));
  end.box.append(box);
  const isFree = untouched(box);
  const work = new Review(end, `${end.seed} ${end.line}`, isWanted);
  await work.begin();
  for (const worlds of LOOKS.map((times) => times * end.measure.worlds)) {
    const told = await work.in(worlds);
    if (!told) return;
    await isFree();
    show(box, end, told, worlds);
    if (worlds !== KEPT_AT) continue;
    await keep(end, end.seed, told.exact);
    if (await reviewLeft(end, isWanted)) await work.begin();
  }
}

/** Tells when nothing in a box is pressed: what is taken away under a finger is not clicked. @param {HTMLElement} box */
function untouched(box) {
  let free = Promise.resolve();
  box.addEventListener('pointerdown', () => {
    free = new Promise((done) => {
      for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => setTimeout(done, CLICKED), { once: true });
    });
  });
  return () => free;
}

/** Reviews the first games that were left; false if there are none. @param {End} end @param {() => boolean} isWanted */
async function reviewLeft(end, isWanted) {
  const games = end.record.games.filter(({ line }) => line !== undefined).slice(0, LEFT_AT_ONCE);
  for (const { seed, line } of games) {
    const left = new Review(end, `${seed} ${line}`, isWanted);
    // A line that somebody else wrote there is no game.
    const told = await left.begin().then(() => left.in(KEPT_AT), () => undefined);
    if (told === null) return false;
    await keep(end, seed, told?.exact);
  }
  return games.length > 0;
}

/** Keeps the play of a game, once; one that has helped or counts already is not waiting for it. @param {End} end @param {number | string} seed @param {number} [play] */
async function keep(end, seed, play) {
  const game = end.record.games.find((game) => game.seed === seed && game.line !== undefined);
  if (game) end.record.write({ ...game, line: undefined, play });
  await end.showRecord();
}

/** @param {HTMLElement} box @param {End} end @param {Told} told @param {number} worlds */
function show(box, end, told, worlds) {
  const [, sentence, ...rest] = told.lines.map(printed);
  const [cards, play, course] = sentence.split('   ');
  const main = make('p');
  main.append(make('strong', '', cards), make('br'), make('strong', '', play));
  const choices = make('ol');
  choices.append(...told.mistakes.map((number, place) => mistake(end, number, rest[place])));
  const others = rest.slice(told.mistakes.length).map((line) => make('p', 'soft', line));
  const last = Math.max(...LOOKS) * end.measure.worlds;
  const stage = make('p', 'soft', worlds < last ? `Measured in ${worlds} of ${last} worlds so far: the ranges grow narrower.` : '');
  stage.setAttribute('role', 'status');
  const chart = curve(told, end.measure, end.moves, told.mistakes.slice(0, MARKED), (number) => look(end, number));
  const head = make('h2', '', 'Was it you or the cards?');
  const focused = box.contains(document.activeElement) ? document.activeElement?.textContent : undefined;
  box.replaceChildren(head, main, chart, make('p', 'soft', `${course}, in ${end.measure.unit}`), choices, ...others, stage, tools(end, told));
  [...box.querySelectorAll('button')].find(({ textContent }) => textContent === focused)?.focus();
  end.tellReview(`Cards ${signed(told.cards, end.measure.amount, '+')}, play ${signed(told.play, end.measure.amount, '+')}.`);
}

/** A mistake, whose button shows its board. @param {End} end @param {number} number @param {string} line */
function mistake(end, number, line) {
  const [, played, better, cost] = line.split('   ');
  const item = make('li');
  const button = make('button', '', `Move ${number}`);
  button.onclick = () => look(end, number);
  item.append(button, make('div', '', played), make('div', '', better), make('div', '', cost));
  return item;
}

/** Shows the board before a move, as the person saw it. @param {End} end @param {number} number */
async function look(end, number) {
  const moment = number > end.moves ? `when you stopped, after ${counted(end.moves, 'move')}` : `before your move ${number} of ${counted(end.moves, 'move')}`;
  await end.show(`${end.name} seen ${number - 1} ${end.rules} ${end.seed} ${end.line}`, `The table ${moment}.`);
}

/** @param {End} end @param {Told} told */
function tools(end, told) {
  const bar = make('div', 'bar');
  const [again, share] = [make('button', '', 'Try this deal again'), make('button', '', 'Share the picture')];
  again.onclick = end.again;
  share.onclick = () => hand(end, told);
  bar.append(again, share);
  return bar;
}

/** Hands the picture to another program of the device, or saves it where there is none. @param {End} end @param {Told} told */
async function hand(end, told) {
  const blob = await picture(end.words, told, end.measure, end.moves);
  const file = new File([blob], `etude-${end.name}-${end.rules}-${end.seed}.png`, { type: 'image/png' });
  const shared = { files: [file], text: end.words, url: location.href };
  if (navigator.canShare?.(shared)) return void await navigator.share(shared).catch(() => undefined);
  const link = make('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  at('said').textContent = 'The picture is saved. It tells nothing of the cards.';
}
