// A player for etude: change `choose`.
//
// It speaks the Universal Game Interface; the referee says which moves are legal.
//     etude check --player "node NAME.js"
const lines = require("readline").createInterface({ input: process.stdin });
let position = "", seed = 0n, state = 0n;

// A whole number below `count`, from the seed of the match alone: splitmix64.
function below(count) {
  state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
  let z = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return Number((z ^ (z >> 31n)) % BigInt(count));
}

// One of `moves`, in a position such as `3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0`.
function choose(position, moves) {
  const captures = moves.filter((move) => move.includes("x"));
  const best = captures.length ? captures : moves;
  return best[below(best.length)];
}

lines.on("line", (line) => {
  const words = line.split(/\s+/);
  if (words[0] === "ugi") console.log("id name NAME\noption name Seed type string default 0\nugiok");
  if (words[0] === "setoption") seed = BigInt("0x" + words.at(-1).slice(0, 16));
  if (words[0] === "uginewgame") state = seed;
  if (words[0] === "isready") console.log("readyok");
  if (words[0] === "position") position = line;
  if (words[0] === "go") {
    const moves = words.slice(words.indexOf("searchmoves") + 1).filter((word) => word);
    console.log("bestmove " + choose(position, moves));
  }
  if (words[0] === "quit") process.exit(0);
});
