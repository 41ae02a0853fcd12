// The engines as a page asks them: each Engine is a worker of its own, so that no search stops a finger.

export class Engine {
  /** @param {string} game */
  constructor(game) {
    this.worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module', name: game });
    /** @type {Map<number, { resolve: (reply: any) => void, reject: (error: Error) => void }>} */
    this.waiting = new Map();
    this.next = 0;
    this.worker.onmessage = ({ data: { id, reply } }) => {
      const { resolve, reject } = /** @type {any} */ (this.waiting.get(id));
      this.waiting.delete(id);
      if (reply.error) reject(new Error(reply.error));
      else resolve(reply);
    };
    this.worker.onerror = (event) => {
      for (const { reject } of this.waiting.values()) reject(new Error(event.message));
      this.waiting.clear();
    };
  }

  /**
   * Sends a line and waits for its reply; lines are answered in their order.
   * @param {string} request
   * @returns {Promise<any>}
   */
  ask(request) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, request });
    });
  }
}

/** Today as a number: 25 November 2026 is 20261125. */
export function today() {
  const now = new Date();
  return now.getFullYear() * 10000 + (now.getMonth() + 1) * 100 + now.getDate();
}

/**
 * A number such as 20261125 as a date in words; null if it is none.
 * @param {number} seed
 */
export function asDate(seed) {
  const [year, month, day] = [Math.floor(seed / 10000), Math.floor(seed / 100) % 100, seed % 100];
  const date = new Date(year, month - 1, day);
  const is = year > 1900 && year < 3000 && date.getMonth() === month - 1 && date.getDate() === day;
  return is ? date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }) : null;
}

/**
 * The element of an id.
 * @param {string} id
 * @returns {any}
 */
export const at = (id) => document.getElementById(id);

/**
 * A new element with a class and a text.
 * @param {string} tag
 * @param {string} [name]
 * @param {string} [text]
 * @returns {any}
 */
export function make(tag, name = '', text = '') {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text) element.textContent = text;
  return element;
}

/** Keeps the pages for a visit without a network. */
export function keepOffline() {
  if ('serviceWorker' in navigator) navigator.serviceWorker.register(new URL('offline.js', import.meta.url)).catch(() => undefined);
}
