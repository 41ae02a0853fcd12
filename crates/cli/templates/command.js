// A simulation for etude: change `simulate`, and what it gives in NAME.toml.
//
// etude writes a line of JSON for some samples, this program answers with a line of JSON.
// Print nothing else to standard output; standard error is free.
const lines = require("readline").createInterface({ input: process.stdin });

// Uniform numbers in [0, 1) from the first digits of a seed: splitmix64.
function generator(seed) {
  let state = BigInt("0x" + seed.slice(0, 16));
  const mix = (z, shift, factor) => BigInt.asUintN(64, (z ^ (z >> shift)) * factor);
  return () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = mix(mix(state, 30n, 0xbf58476d1ce4e5b9n), 27n, 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53;
  };
}

// One sample: rolls of a die until it shows its highest face.
function simulate(params, uniform) {
  let rolls = 1;
  while (uniform() * params.sides >= 1) rolls += 1;
  return [rolls, rolls === 1];
}

lines.on("line", (line) => {
  const request = JSON.parse(line);
  let answer = { hello: { protocol: 1, name: "NAME" } };
  if (request.draw) {
    const { params, seeds } = request.draw;
    answer = { id: request.id, rows: seeds.dice.map((seed) => simulate(params, generator(seed))) };
  }
  console.log(JSON.stringify(answer));
});
