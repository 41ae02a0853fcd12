// Looks at every page, and plays the games on boards in Chromium and holds what the pages say against the program.

import assert from 'node:assert/strict';
import { shots, guises, root, program, etude, open, hasLine, keptAs, copied, checkPlaces, checkEdges, check } from './person.mjs';

for (const guise of guises) {
  await check(`pages, ${guise.name}`, async () => {
    for (const address of ['', 'solitaire/#draw-3/20261125', 'foxes/', 'riddle/#chess/all/20261125', 'klondike/#yukon/20261125', 'pegs/', 'queens/']) {
      const { context, page, faults } = await open(guise, address);
      if (address) await page.waitForSelector('#board .card, #cross .hen, #cells .number, #holes .peg, #fields .now');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert(wide <= 0, `${address} is ${wide} px too wide`);
      if (address) await checkPlaces(page, address);
      await checkEdges(page, address);
      await page.screenshot({ path: `${shots}/play-${address.split('/')[0] || 'index'}-${guise.name}.png`, fullPage: true });
      assert.deepEqual(faults, []);
      await context.close();
    }
  });
}

/** Waits until it is the person's turn, or the game is over. */
const isTurn = (page) => page.waitForFunction(() => document.querySelector('#hint')?.disabled === false || /^(You|Nobody)/.test(document.querySelector('#said')?.textContent ?? ''), null, { timeout: 10000 });

/** Taps a hen, the uppermost first that may step, and a cell that it may step to. */
async function stepHen(page) {
  const hens = await page.$$eval('#cross button:has(.hen)', (cells) => cells.map((cell) => cell.dataset.cell));
  for (const hen of hens) {
    await page.tap(`#cross [data-cell=${hen}]`);
    const target = page.locator('#cross .target').first();
    if (await target.count()) return target.tap();
  }
}

await check('foxes: a game of hens by taps, and a hint', async () => {
  const { context, page, faults } = await open(guises[2], 'foxes/');
  await page.waitForSelector('#cross .hen');
  const isOver = () => page.getByText(/^(You win|You lose|Nobody wins)/).isVisible();
  for (let turn = 0; turn < 150 && !(await isOver()); turn++) {
    await isTurn(page);
    if (turn === 4) {
      await page.tap('#hint');
      await page.waitForSelector('#worths li', { timeout: 30000 });
      await page.screenshot({ path: `${shots}/play-foxes-hint.png`, fullPage: true });
    }
    if (!(await isOver())) await stepHen(page);
  }
  assert(await isOver(), 'the game has no end');
  assert.match(await page.textContent('#record'), /With hints or moves taken back: \d of 1 won\./);
  await page.waitForSelector('#over .review li');
  for (const line of await page.$$eval('#over .review li', (lines) => lines.map(({ textContent }) => textContent))) {
    assert.match(line, /^(move \d+, the (foxes|hens): .*; better: .*; cost: .*|no move of the (foxes|hens) cost half a hen|from move \d+ on the .*)$/);
  }
  await page.screenshot({ path: `${shots}/play-foxes-end.png`, fullPage: true });
  // What has ended stays in the record.
  const games = await keptAs(page, 'etude/foxes/hens/arsac');
  assert(await page.isDisabled('#undo'));
  await page.keyboard.press('u');
  assert(await isOver());
  assert.deepEqual(await keptAs(page, 'etude/foxes/hens/arsac'), games);
  assert.match(await copied(context, page), /^Foxes and hens, hens, against Arsac’s foxes\nI: (won|lost|a draw) in \d+ moves?, with help; \d+ hens? eaten\.\nhttp/);
  assert.deepEqual(faults, []);
  await context.close();
});

await check('foxes: a game counts from its first move, and goes on after it was left', async () => {
  const { context, page, faults } = await open(guises[2], 'foxes/');
  await page.selectOption('#match', 'hens search');
  await page.waitForURL(/#hens-search/);
  await isTurn(page);
  const record = () => keptAs(page, 'etude/foxes/hens/search');
  assert.equal(await record(), null);
  await stepHen(page);
  await page.waitForFunction(() => window.lastOpen('foxes/hens/search')?.moves.length === 2);
  await isTurn(page);
  assert.deepEqual((await record()).map(({ won, helped }) => [won, helped]), [[false, false]]);
  const pieces = () => page.$$eval('#cross button:has(svg)', (cells) => cells.map((cell) => cell.dataset.cell + cell.querySelector('svg').classList[0]));
  const before = await pieces();
  await page.reload();
  await page.getByText('Your game goes on.').waitFor();
  await isTurn(page);
  assert.equal(await page.inputValue('#match'), 'hens search');
  assert.deepEqual(await pieces(), before);
  await page.tap('#undo');
  await page.getByText('This game counts as played with help.').waitFor();
  await page.tap('#new');
  await page.getByText('With hints or moves taken back: 0 of 1 won.').waitFor();
  await page.getByText('Each game counts once, from its first move.').waitFor();
  assert.equal((await record()).length, 1);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const byTaps of [true, false]) {
  await check(`pegs: the Latin cross by ${byTaps ? 'taps' : 'keys'}, and a game that is lost`, async () => {
    const { context, page, faults } = await open(guises[byTaps ? 2 : 1], 'pegs/#latin-cross');
    await page.getByText('Fewest moves: 5. 2 jump sequences solve it.').waitFor();
    const jump = async (from, to) => {
      for (const cell of [from, to]) {
        const isChosen = await page.$(`#holes [data-cell="${cell}"].chosen`);
        if (isChosen) continue;
        if (byTaps) await page.tap(`#holes [data-cell="${cell}"]`);
        else {
          await page.focus('#holes [tabindex="0"]');
          await goToCell(page, '#holes', cell);
          await page.keyboard.press('Enter');
        }
      }
      await page.waitForSelector(`#holes [data-cell="${to}"].peg`);
    };
    await (byTaps ? page.tap('#still') : page.keyboard.press('s'));
    await page.getByText('It can still be done, in 5 moves altogether.').waitFor();
    await jump('44', '42');
    await page.getByText('It can no longer be done: every way on was searched.').waitFor();
    await (byTaps ? page.tap('#undo') : page.keyboard.press('u'));
    await page.getByText('It can still be done, in 5 moves altogether.').waitFor();
    const [, solution] = program('solve', 'pegs', '--problem', 'latin-cross').match(/"(.*)"/);
    for (const move of solution.split(', ')) {
      const holes = move.split('-');
      for (let step = 1; step < holes.length; step++) await jump(holes[step - 1], holes[step]);
    }
    await page.getByText('Done, in 5 moves.').waitFor();
    await page.getByText('Your best without hints: 5 moves.').waitFor();
    await page.screenshot({ path: `${shots}/play-pegs-end-${byTaps ? 'taps' : 'keys'}.png`, fullPage: true });
    assert.deepEqual(faults, []);
    await context.close();
  });
}

await check('pegs: a hint marks its jump alone, and a game that was left goes on', async () => {
  const { context, page, faults } = await open(guises[2], 'pegs/#latin-cross');
  await page.getByText('Fewest moves: 5. 2 jump sequences solve it.').waitFor();
  await page.tap('#holes [data-cell="45"]');
  assert.equal(await page.locator('#holes .target').count(), 3);
  await page.tap('#hint');
  await page.getByText('Jump from 45 to 65. This game counts as played with hints.').waitFor();
  assert.deepEqual(await page.$$eval('#holes .target', (cells) => cells.map((cell) => cell.dataset.cell)), ['65']);
  await page.screenshot({ path: `${shots}/play-pegs-hint.png`, fullPage: true });
  await page.tap('#holes [data-cell="65"]');
  await page.waitForSelector('#holes [data-cell="65"].peg');
  await page.reload();
  await page.getByText('Your game goes on.').waitFor();
  await page.getByText('Fewest moves: 5. 2 jump sequences solve it.').waitFor();
  for (let pegs = 4; pegs >= 1; pegs--) {
    await page.tap('#hint');
    await page.getByText(/^Jump from \d\d to \d\d/).waitFor();
    await page.tap('#holes .target');
    await page.getByText(new RegExp(`· ${pegs} pegs?$`)).waitFor();
  }
  assert.match(await copied(context, page), /^Peg solitaire, Latin cross\nI: done in 5 moves with hints\. Fewest: 5\.\nhttp.*#latin-cross$/);
  await page.getByText('Your best: not done without hints yet.').waitFor();
  assert.equal(await keptAs(page, 'etude/pegs/open/latin-cross'), null);
  assert.deepEqual(faults, []);
  await context.close();
});

await check('pegs: a full board', async () => {
  const { context, page, faults } = await open(guises[2], 'pegs/#full-square');
  await page.getByText(/^This figure cannot be done: .*parity/).waitFor();
  await page.goto(`${root}pegs/#central`);
  await page.getByText(/fewest moves are too far|too far to search/).waitFor({ timeout: 60000 });
  await page.screenshot({ path: `${shots}/play-pegs-central.png`, fullPage: true });
  assert.deepEqual(faults, []);
  await context.close();
});

await check('queens: states are stepped and lit, to the end', async () => {
  const { context, page, faults } = await open(guises[2], 'queens/');
  await page.waitForSelector('#states .lit');
  const lit = () => page.$eval('#states .lit', (item) => item.dataset.state);
  assert.equal(await lit(), 'search');
  for (const [words, state] of [['Row 1: nothing looked at yet.', 'seek'], ['Row 1: field 1 is free.', 'go-on'], ['A queen is placed in row 1.', 'search']]) {
    await page.tap('#step');
    await page.getByText(words).waitFor();
    assert.equal(await lit(), state);
  }
  await page.tap('#back');
  await page.getByText('Row 1: field 1 is free.').waitFor();
  await page.tap('#next');
  await page.getByText('Solution 1: 1 5 8 6 3 7 2 4.').waitFor();
  await page.screenshot({ path: `${shots}/play-queens-solution.png`, fullPage: true });
  for (let solution = 2; solution <= 92; solution++) {
    await page.tap('#next');
    await page.getByText(`Solution ${solution}:`).waitFor();
  }
  await page.tap('#next');
  await page.getByText('The first row has no field left: the end, with 92 solutions.').waitFor();
  await page.getByText(/^19,326 steps: /).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

await check('queens by keys', async () => {
  const { context, page, faults } = await open(guises[1], 'queens/');
  await page.waitForSelector('#fields .now');
  for (let step = 0; step < 9; step++) await page.keyboard.press('ArrowRight');
  await page.getByText('State 9 of').waitFor();
  await page.keyboard.press('n');
  await page.getByText('Solution 1: ').waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

/** The only answer to a riddle, the cells of its pieces in their order. */
const answerTo = (variant, seed) => etude('make', 'riddle', '--variant', variant, '--seed', `${seed}`, '--answers')[0].answer.split(' ');

/** Chooses pieces one after another and puts each on its cell, by taps or by keys. */
async function place(page, cells, byTaps) {
  for (const [piece, cell] of cells.entries()) {
    if (byTaps) {
      await page.tap(`#men [data-man="${piece}"]`);
      await page.tap(`#cells [data-cell="${cell}"]`);
    } else {
      await page.keyboard.press(`${piece + 1}`);
      await page.focus('#cells [tabindex="0"]');
      await goToCell(page, '#cells', cell);
      await page.keyboard.press('Enter');
    }
    await page.waitForSelector(`#cells [data-cell="${cell}"] .man`);
  }
}

/** Moves the focus by arrows to a cell named by column and row. */
async function goToCell(page, board, cell) {
  for (let presses = 0; presses < 40; presses++) {
    const now = await page.evaluate(() => document.activeElement?.dataset.cell);
    if (now === cell) return;
    const [row, wanted] = [now, cell].map((name) => Number(name.slice(1)));
    await page.keyboard.press(now[0] < cell[0] ? 'ArrowRight' : now[0] > cell[0] ? 'ArrowLeft' : row < wanted ? 'ArrowUp' : 'ArrowDown');
  }
  assert.fail(`${cell} of ${board} is not reached by arrows`);
}

for (const [variant, byTaps] of [['chess', true], ['makruk', false], ['xiangqi', true], ['shogi', false]]) {
  await check(`riddle: ${variant}, by ${byTaps ? 'taps' : 'keys'}, to its answer`, async () => {
    const { context, page, faults } = await open(guises[byTaps ? 2 : 1], `riddle/#${variant}/${byTaps ? 'few' : 'all'}/7`);
    await page.getByText(/Exactly one placement fits these numbers: proved on this page just now, in [\d,]+ step/).waitFor();
    const answer = answerTo(variant, 7);
    // All wrong but one: the queen or the like stands first where it does not belong.
    await place(page, [...answer.slice(0, -1)], byTaps);
    await page.screenshot({ path: `${shots}/play-riddle-${variant}.png`, fullPage: true });
    const last = answer.length - 1;
    await (byTaps ? page.tap(`#men [data-man="${last}"]`) : page.keyboard.press(`${last + 1}`));
    const wrong = await page.$$eval('#cells.shut .home, #cells:not(.shut) button', (cells) => cells.filter((cell) => !cell.querySelector('.man')).map((cell) => cell.dataset.cell));
    await page.click(`#cells [data-cell="${wrong.find((cell) => cell !== answer[last])}"]`);
    await page.waitForSelector('#cells .broken, #said:has-text("attacks the"), #said:has-text("may not stand so")');
    await page.screenshot({ path: `${shots}/play-riddle-${variant}-wrong.png`, fullPage: true });
    await page.click(`#cells [data-cell="${answer[last]}"]`);
    await page.getByText('Right: every number is met.').waitFor();
    await page.getByText(/^The number on .* decides the most|^No single number decides/).waitFor();
    await page.getByText('Your record: 1 of 1 solved without help').waitFor();
    await page.screenshot({ path: `${shots}/play-riddle-${variant}-end.png`, fullPage: true });
    assert.deepEqual(faults, []);
    await context.close();
  });
}

await check('riddle: hints lead to the answer, and count', async () => {
  const { context, page, faults } = await open(guises[2], 'riddle/#chess/all/8');
  for (let pieces = 1; pieces <= 5; pieces++) {
    await page.tap('#hint');
    await page.getByText(`${pieces} of 5 placed`).waitFor();
  }
  await page.getByText('Right: every number is met.').waitFor();
  await page.getByText('With help: 1 of 1 solved.').waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

await check('a browser that keeps nothing still plays', async () => {
  const deny = () => Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('denied', 'SecurityError'); } });
  const prepare = (context) => context.addInitScript(deny);
  for (const [address, tap, shown] of [['solitaire/#draw-3/1', '#end', /^You: 0 cards/], ['riddle/#chess/all/1', '#answer', /^You: not solved/]]) {
    const { context, page, faults } = await open(guises[2], address, prepare);
    await page.waitForSelector('#board .card, #cells .number');
    await page.tap(tap);
    await page.getByText(shown).waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  }
});

await check('an engine that does not load is told of', async () => {
  const prepare = (context) => context.route('**/engine.wasm', (route) => route.abort());
  for (const game of ['solitaire', 'foxes', 'riddle', 'klondike', 'pegs', 'queens']) {
    const { context, page } = await open(guises[0], `${game}/`, prepare);
    await page.getByText(/^The engine stopped: .* Load the page again\.$/).waitFor();
    await context.close();
  }
});

await check('a game is left, and goes on without a network', async () => {
  const { context, page } = await open(guises[3], 'solitaire/#draw-3/5');
  await page.waitForSelector('#board .card');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.keyboard.press('d');
  assert(await hasLine(page, 'draw-3', 'draw'));
  await context.setOffline(true);
  await page.reload();
  await page.getByText('Your game goes on.').waitFor();
  await page.keyboard.press('d');
  assert(await hasLine(page, 'draw-3', 'draw; draw'));
  await context.close();
});
