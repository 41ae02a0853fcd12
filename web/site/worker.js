// One instance of the engine of the game that the worker is named after: answers each line of text it is sent with one object.

/** @type {Promise<{ memory: WebAssembly.Memory, room: (length: number) => number, answer: () => number, reply: () => number }>} */
const engine = WebAssembly.instantiateStreaming(fetch(new URL(`${self.name}/engine.wasm`, import.meta.url)))
  .then(({ instance }) => /** @type {any} */ (instance.exports));

self.onmessage = async ({ data: { id, request } }) => {
  const { memory, room, answer, reply } = await engine;
  const bytes = new TextEncoder().encode(request);
  const address = room(bytes.length);
  new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
  const length = answer();
  const text = new TextDecoder().decode(new Uint8Array(memory.buffer, reply(), length));
  self.postMessage({ id, reply: JSON.parse(text) });
};
