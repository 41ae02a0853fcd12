// The engines as a page asks them: each Engine is a worker of its own, so that no search stops a finger.

export class Engine {
  /** @param {string} game @param {string} [part] the engine of the game that is meant */
  constructor(game, part = 'engine') {
    this.worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module', name: `${game}/${part}` });
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
