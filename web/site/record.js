// A person's games, in this browser alone.

/**
 * @typedef {{ seed: number, won: boolean, cards: number, helped: boolean, guess: string, winnable: boolean | null | undefined }} Game
 */

export class Record {
  /** @param {string} name */
  constructor(name) {
    this.key = `etude/${name}`;
  }

  /** @returns {Game[]} */
  get games() {
    try {
      return JSON.parse(localStorage.getItem(this.key) ?? '[]');
    } catch {
      return [];
    }
  }

  /**
   * Writes a game, or what became of it; `winnable` is undefined as long as it is not over.
   * @param {Game} game
   */
  write(game) {
    const others = this.games.filter(({ seed }) => seed !== game.seed);
    try {
      localStorage.setItem(this.key, JSON.stringify([...others, game]));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }

  /** @param {number} seed */
  has(seed) {
    return this.games.some((game) => game.seed === seed);
  }
}

/**
 * A share in whole per cent.
 * @param {number} share
 */
export const percent = (share) => `${Math.round(100 * share)} %`;
