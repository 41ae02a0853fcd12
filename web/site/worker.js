// One instance of the engine that the worker is named after: answers each line of text it is sent with one object,
// an error as well.

/** @type {Promise<{ memory: WebAssembly.Memory, room: (length: number) => number, answer: () => number, reply: () => number }>} */
const engine = WebAssembly.instantiateStreaming(fetch(new URL(`${self.name}.wasm`, import.meta.url)))
  .then(({ instance }) => /** @type {any} */ (instance.exports));

/**
 * What the engine says to a line; an engine that did not load, or that stopped, throws.
 * @param {string} request
 */
async function replyTo(request) {
  const { memory, room, answer, reply } = await engine;
  const bytes = new TextEncoder().encode(request);
  const address = room(bytes.length);
  new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
  const length = answer();
  return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, reply(), length)));
}

self.onmessage = async ({ data: { id, request } }) => {
  const reply = await replyTo(request).catch(({ message }) => ({ error: `The engine stopped: ${message}. Load the page again.` }));
  self.postMessage({ id, reply });
};
