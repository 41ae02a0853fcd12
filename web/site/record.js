// What a browser keeps of a person's games, in this browser alone. One that keeps nothing, as in a private window, still plays.

/** What is kept under a name, null if nothing is. @param {string} key */
export function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
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

/**
 * @typedef {{ seed: number, won: boolean, helped: boolean, cards?: number, guess?: string, winnable?: boolean | null }} Game
 */

export class Record {
  /** @param {string} name */
  constructor(name) {
    this.key = `etude/${name}`;
  }

  /** @returns {Game[]} */
  get games() {
    return kept(this.key) ?? [];
  }

  /**
   * Writes a game, or what became of it; `winnable` is undefined as long as it is not over.
   * @param {Game} game
   */
  write(game) {
    const others = this.games.filter(({ seed }) => seed !== game.seed);
    keep(this.key, [...others, game]);
  }

  /** @param {number} seed */
  has(seed) {
    return this.games.some((game) => game.seed === seed);
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
