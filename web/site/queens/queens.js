// Arsac's automaton for queens, stepped on the board.
import { Board } from '../board.js';
import { Engine } from '../engine.js';
import { onKeys } from '../keys.js';
import { at, counted, keepOffline, sayFaults, visit } from '../page.js';

/**
 * @typedef {{ did: string, state: string, row: number, queens: number[], looked: [number, number[]], found: number | null,
 *   written: number[] | null, states: number, examined: number, placed: number, removed: number, solutions: number }} View
 */

const engine = new Engine('queens');
const board = new Board(at('fields'), null);

const machine = {
  side: 8,
  states: 0,
  /** The states of the whole run. */
  end: 0,
  isRunning: false,
  /** What was asked for, one after another. */
  queue: Promise.resolve(),
};

/** The milliseconds between two states of a run. */
const PACE = 160;

/** @param {string} text */
const say = (text) => (at('said').textContent = text);

/** Does things in the order in which they were asked for. @param {() => Promise<void>} task */
function then(task) {
  machine.queue = machine.queue.then(task).catch((error) => void say(error.message));
  return machine.queue;
}

/** @param {number} side @param {boolean} [isNew] true if the person asked for it here */
async function begin(side, isNew = false) {
  Object.assign(machine, { side, states: 0, end: await engine.ask(`queens end ${side}`) });
  at('side').value = side;
  visit(`#${side}`, isNew);
  at('slider').max = machine.end;
  const places = [...Array(side).keys()];
  // The automaton counts fields: the edges say numbers.
  const number = (/** @type {string} */ column) => `${column.charCodeAt(0) - 96}`;
  board.lay(places.flatMap((row) => places.map((column) => `${'abcdefghij'[column]}${row + 1}`)), side, number);
  await go(0);
}

/** Shows the machine after so many states. @param {number} states */
async function go(states) {
  machine.states = Math.max(0, Math.min(states, machine.end));
  show(await engine.ask(`queens at ${machine.side} ${machine.states}`));
}

/** @param {View} view */
function show(view) {
  const queens = view.written ? view.written.map((column) => column + 1) : view.queens;
  const [row, looked] = view.looked;
  board.show((cell) => {
    const [x, y] = [cell.charCodeAt(0) - 96, Number(cell.slice(1))];
    const isQueen = queens[y - 1] === x;
    const isLooked = y === row && looked.includes(x);
    const is = { dark: (x + y) % 2 === 1, now: y === view.row, free: isLooked && x === view.found, held: isLooked && x !== view.found };
    return {
      classes: Object.entries(is).flatMap(([name, yes]) => (yes ? [name] : [])),
      content: [isQueen ? '♛' : is.held ? '✕' : is.free ? '○' : ''],
      label: [isQueen && 'queen', is.held && 'held', is.free && 'free'].flatMap((part) => part || []),
    };
  });
  for (const item of at('states').children) item.classList.toggle('lit', item.dataset.state === view.state);
  say(told(view));
  at('slider').value = view.states;
  at('back').disabled = view.states === 0;
  at('step').disabled = at('next').disabled = view.state === 'end';
  const steps = view.examined + view.placed + view.removed;
  at('counts').textContent = `${counted(steps, 'step')}: ${counted(view.examined, 'field')} examined, ${counted(view.placed, 'queen')} placed, ${view.removed.toLocaleString('en')} removed. ` +
    `State ${view.states.toLocaleString('en')} of ${machine.end.toLocaleString('en')}.`;
  at('found').textContent = view.solutions === 0 ? 'No solution yet.' : `${counted(view.solutions, 'solution')} so far.`;
  if (view.state === 'end') stop();
}

/** What the last state did. @param {View} view */
function told({ did, row, looked, found, written, state, solutions }) {
  if (did === 'begin') return 'The board is empty: search begins with the first row.';
  if (state === 'end') return `The first row has no field left: the end, with ${counted(solutions, 'solution')}.`;
  if (written) return `Solution ${solutions}: ${written.map((column) => column + 1).join(' ')}.`;
  if (did === 'search') return `Row ${row}: nothing looked at yet.`;
  if (did === 'seek') return found ? `Row ${looked[0]}: field ${found} is free.` : `Row ${looked[0]}: no free field is left.`;
  return did === 'go-on' ? `A queen is placed in row ${row - 1}.` : `The queen of row ${row} is taken away.`;
}

const step = (/** @type {number} */ by) => then(() => go(machine.states + by));

const next = () => then(async () => go(await engine.ask(`queens next ${machine.side} ${machine.states}`)));

function stop() {
  machine.isRunning = false;
  at('run').textContent = 'Run';
  at('run').setAttribute('aria-pressed', 'false');
}

async function run() {
  if (machine.isRunning) return stop();
  machine.isRunning = true;
  at('run').textContent = 'Stop';
  at('run').setAttribute('aria-pressed', 'true');
  while (machine.isRunning) {
    await step(1);
    await new Promise((done) => setTimeout(done, PACE));
  }
}

onKeys({ arrowright: () => step(1), enter: () => step(1), arrowleft: () => step(-1), r: run, n: next });

/** The number of queens of the address, or eight. */
const named = () => Number(location.hash.match(/^#([4-9]|10)$/)?.[1] ?? 8);

at('step').onclick = () => step(1);
at('back').onclick = () => step(-1);
at('next').onclick = next;
at('run').onclick = run;
at('first').onclick = () => then(() => begin(machine.side));
at('side').onchange = () => then(() => begin(Number(at('side').value), true));
window.addEventListener('hashchange', () => then(() => begin(named())));
at('slider').oninput = () => then(() => go(Number(at('slider').value)));
sayFaults(say);
keepOffline();
then(() => begin(named()));
