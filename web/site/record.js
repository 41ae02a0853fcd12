// What a browser keeps of a person's games, in this browser alone. One that keeps nothing, as in a private window, still plays.
import { counted, signed } from './page.js';

/**
 * What is kept under a name if it has the shape that is asked for, else null: whatever else writes there stops no game.
 * @template T
 * @param {string} key
 * @param {(value: any) => value is T} is
 * @returns {T | null}
 */
export function kept(key, is) {
  try {
    const value = JSON.parse(localStorage.getItem(key) ?? 'null');
    return is(value) ? value : null;
  } catch {
    return null;
  }
}

/** Keeps a value under a name; null is nothing. @param {string} key @param {unknown} value */
export function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Nothing can be kept.
  }
}

/** @param {any} value @returns {value is string} */
export const isText = (value) => typeof value === 'string';
/** @param {any} value @returns {value is number} */
export const isNumber = (value) => Number.isSafeInteger(value) && value >= 0;
/** @param {any} value @returns {value is string[]} */
export const areTexts = (value) => Array.isArray(value) && value.every(isText);

/**
 * @typedef {{ seed: number | string, won: boolean, helped: boolean, cards?: number, line?: string, play?: number, guess?: string, winnable?: boolean | null }} Game
 */

/** `line`: the moves of a game that waits for its review; `play`: the number that this found. @param {any} game @returns {game is Game} */
const isGame = (game) => (isNumber(game?.seed) || isText(game?.seed)) && typeof game.won === 'boolean' && typeof game.helped === 'boolean'
  && (game.cards === undefined || isNumber(game.cards)) && (game.line === undefined || isText(game.line)) && (game.play === undefined || Number.isSafeInteger(game.play));

export class Record {
  /** @param {string} name */
  constructor(name) {
    this.key = `etude/${name}`;
  }

  /** @returns {Game[]} */
  get games() {
    return (kept(this.key, Array.isArray) ?? []).filter(isGame);
  }

  /**
   * Writes a game, or what became of it; `winnable` is undefined as long as it is not over.
   * @param {Game} game
   */
  write(game) {
    const others = this.games.filter(({ seed }) => seed !== game.seed);
    keep(this.key, [...others, game]);
  }

  /** @param {number | string} seed */
  has(seed) {
    return this.games.some((game) => game.seed === seed);
  }
}

/** The games that are kept open of one kind. */
const MOST_OPEN = 50;

/**
 * Games that were left, a slot for each puzzle, so that none overwrites another.
 * @template T
 */
export class Slots {
  /**
   * @param {string} name
   * @param {(game: any) => game is T} is
   */
  constructor(name, is) {
    this.prefix = `etude/${name}/open/`;
    /** @param {any} slot @returns {slot is T & { time: number }} */
    this.is = (slot) => isNumber(slot?.time) && is(slot);
  }

  /** @param {string | number} puzzle */
  read(puzzle) {
    return kept(this.prefix + puzzle, this.is);
  }

  /** Keeps a game open; the oldest beyond the last fifty are given up. @param {string | number} puzzle @param {T} game */
  write(puzzle, game) {
    keep(this.prefix + puzzle, { ...game, time: Date.now() });
    for (const { puzzle } of this.all().slice(MOST_OPEN)) this.drop(puzzle);
  }

  /** @param {string | number} puzzle */
  drop(puzzle) {
    keep(this.prefix + puzzle, null);
  }

  /** The games that are open, the last one first. @returns {{ puzzle: string, game: T & { time: number } }[]} */
  all() {
    const open = names().filter((name) => name.startsWith(this.prefix)).flatMap((name) => {
      const game = kept(name, this.is);
      return game ? [{ puzzle: name.slice(this.prefix.length), game }] : [];
    });
    return open.sort((one, other) => other.game.time - one.game.time);
  }
}

/** The names under which anything is kept. */
function names() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** Calls back when another tab of the browser has changed what is kept under a name. @param {(key: string) => void} tell */
export function onOtherTab(tell) {
  window.addEventListener('storage', ({ key }) => key !== null && tell(key));
}

/** The puzzles of which anything was shown, such as advice or the end: whoever plays one again plays it with help. */
export class Shown {
  /** @param {string} name */
  constructor(name) {
    this.key = `etude/${name}/shown`;
  }

  /** @returns {(string | number)[]} */
  get puzzles() {
    return kept(this.key, Array.isArray) ?? [];
  }

  /** @param {string | number} puzzle */
  has(puzzle) {
    return this.puzzles.includes(puzzle);
  }

  /** @param {string | number} puzzle */
  add(puzzle) {
    if (!this.has(puzzle)) keep(this.key, [...this.puzzles, puzzle]);
  }
}

/**
 * What was won without help, with its interval, and what the interval means.
 * @param {import('./engine.js').Engine} engine
 * @param {Game[]} games
 * @param {string} [verb]
 */
export async function inWords(engine, games, verb = 'won') {
  const own = games.filter(({ helped }) => !helped);
  const won = own.filter((game) => game.won).length;
  const { share, level, enough } = await engine.ask(`record ${won} ${own.length}`);
  const percent = (/** @type {number} */ part, round = Math.round) => round(100 * part);
  return {
    told: share ? `Your record: ${won} of ${own.length} ${verb} without help, ${percent(share[0])}\u00a0% (${percent(share[1], Math.floor)} to ${percent(share[2], Math.ceil)}\u00a0%).` : '',
    brackets: `The brackets hold at ${percent(level)}\u00a0% however often you look. They narrow to ten points on either side after ${enough} games: ` +
      'only then could you tell a difference of ten points.',
  };
}

/**
 * What the result of a game counts: how it is told, the numbers on an axis that goes as far as a greatest one, and the
 * worlds after which a review is shown first.
 * @typedef {{ worlds: number, unit: string, amount: (number: number) => string, number: (number: number) => string, ticks: (most: number) => number[] }} Measure
 */

/**
 * The play over a person's games in words, and what its interval means; none without a game that was reviewed.
 * @param {import('./engine.js').Engine} engine @param {string} name @param {Measure} measure @param {Game[]} games
 */
export async function playInWords(engine, name, { amount, number }, games) {
  const plays = games.flatMap(({ helped, play }) => (helped || play === undefined ? [] : [play]));
  const { mean, apart, most, enough } = await engine.ask(`${name} beside ${plays.join(' ')}`);
  if (!mean) return { told: '', brackets: '' };
  const [middle, lo, hi] = [Math.round(mean[0]), Math.floor(mean[1]), Math.ceil(mean[2])];
  return {
    told: `Your play in ${counted(plays.length, 'game')}, luck set aside, beside a player who sees what you see: ` +
      `${middle ? `${amount(Math.abs(middle))} ${middle < 0 ? 'worse' : 'better'}` : 'no difference'} (${signed(lo, number)} to ${signed(hi, number)}).`,
    brackets: `Those of your play, in which no game counts more than ${amount(most)}, narrow to ${amount(apart)} on either side after about ${counted(enough, 'game')}.`,
  };
}
