// Plays the card games in Chromium and holds what the pages say against the program.

import assert from 'node:assert/strict';
import {
  shots, guises, program, etude, open, hasLine, playByTaps, goTo, playByKeys, lineOf, keptAs, copied, check,
} from './person.mjs';

await check('solitaire by taps, with a guess, to its end', async () => {
  const { context, page, faults } = await open(guises[2], 'solitaire/#draw-3/1');
  await page.tap('[data-guess=yes]');
  await playByTaps(page, 'draw-3', lineOf('draw-3', 1));
  await page.getByText('With every card visible: can be won.').waitFor();
  await page.getByText('Your guess, yes, was right.').waitFor();
  await page.getByText('Your record: 1 of 1 won without help').waitFor();
  await page.getByText(/A player who saw what you saw: (won|\d+ cards)\./).waitFor({ timeout: 60000 });
  await page.tap('text=Watch the win');
  await page.getByText('The deal, face-down cards shown.').waitFor();
  await page.getByText('0 of 52').waitFor();
  assert.equal(await page.textContent('#said'), '');
  await page.tap('text=Next ▶');
  await page.getByText(/^Move 1 of/).waitFor();
  // A phone that is turned shows the same move.
  await page.evaluate(() => window.dispatchEvent(new Event('resize')));
  assert(await page.isVisible('#board [data-pile="7"]:not(.slot)'));
  assert.match(await copied(context, page), /^Solitaire, draw three, deal 1\nI: won, in \d+ moves\. A player who sees what I saw: .*\nhttp/);
  await page.screenshot({ path: `${shots}/play-solitaire-end.png`, fullPage: true });
  assert.deepEqual(faults, []);
  await context.close();
});

await check('solitaire: whoever has seen the answer plays with help', async () => {
  const { context, page, faults } = await open(guises[2], 'solitaire/#draw-3/1');
  await page.waitForSelector('#board .card');
  await page.tap('#end');
  await page.getByText('With every card visible: can be won.').waitFor();
  await page.reload();
  await page.getByText('You have had help with this deal, or seen how it ends. This game counts as played with help.').waitFor();
  assert(await page.isHidden('#guess'));
  await page.keyboard.press('d');
  assert(await hasLine(page, 'draw-3', 'draw'));
  const games = await keptAs(page, 'etude/solitaire/draw-3');
  assert.deepEqual(games.map(({ seed, helped }) => [seed, helped]), [[1, true]]);
  await page.tap('#end');
  await page.getByText('With advice, or hidden cards or the answer seen: 0 of 1 won.').waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

await check('solitaire by keys, to its end', async () => {
  const { context, page, faults } = await open(guises[1], 'solitaire/#draw-1/2');
  await playByKeys(page, 'draw-1', lineOf('draw-1', 2));
  assert.deepEqual(faults, []);
  await context.close();
});

await check('advice is that of the program', async () => {
  const { context, page, faults } = await open(guises[0], 'solitaire/#draw-3/20261125');
  const moves = ['draw', 'draw', 'draw', 'draw', 'draw', 'draw', 'draw', 'draw', 'turn'];
  await page.waitForSelector('#board .card');
  for (const _ of moves) await page.keyboard.press('d');
  assert(await hasLine(page, 'draw-3', moves.join('; ')));
  await page.click('#advice');
  await page.waitForSelector('#advised li', { timeout: 60000 });
  await page.screenshot({ path: `${shots}/play-solitaire-advice.png`, fullPage: true });
  const shown = await page.$$eval('#advised .how > div:first-child', (rows) => rows.map((row) => row.textContent));
  assert.equal(await page.textContent('#said'), 'You have asked for advice. This game counts as played with help.');
  const rows = etude('solve', 'solitaire', '--rules', 'draw-3', '--seed', '20261125', '--index', '0', '--hidden', '--moves', moves.join(';'));
  const words = ({ score, lo, hi }) => `${Number(score).toFixed(0)} % (${Math.floor(lo)} to ${Math.ceil(hi)})`;
  assert.deepEqual(shown, rows.slice(0, 5).map(words));
  assert.deepEqual(faults, []);
  await context.close();
});

await check('advice joins draws', async () => {
  const { context, page, faults } = await open(guises[2], 'solitaire/#draw-3/7');
  await page.waitForSelector('#board .card');
  for (let draws = 0; draws < 9; draws++) await page.keyboard.press('d');
  await page.getByText('The waste is turned over.').waitFor();
  await page.tap('#advice');
  await page.getByText('draw twice, A♦ to its foundation, 2♦ to its foundation', { exact: true }).waitFor({ timeout: 60000 });
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [byTaps, seed] of [[true, 14], [false, 12]]) {
  await check(`casino: the best game, by ${byTaps ? 'taps' : 'keys'}`, async () => {
    const { context, page, faults } = await open(guises[byTaps ? 2 : 1], `klondike/#yukon/${seed}`);
    await page.waitForSelector('#board .card');
    const [{ optimal_score: score, moves }] = etude('solve', 'klondike', '--seed', `${seed}`, '--index', '0');
    for (const [place, card] of moves.split(/[ ,;]+/).entries()) {
      const key = card.toUpperCase();
      if (byTaps) await page.locator(`#board [data-key="${key}"]`).tap({ force: true, position: { x: 10, y: 6 } });
      else {
        await goTo(page, key);
        await page.keyboard.press('Enter');
      }
      const isPlayed = (count) => window.lastOpen('klondike/yukon')?.line.split('; ').length === count || document.querySelector('#over:not([hidden])');
      await page.waitForFunction(isPlayed, place + 1, { timeout: 15000, polling: 5 });
      if (byTaps) await page.waitForTimeout(340);
    }
    if (score !== '52') {
      await page.getByText('Nothing can move any more: take a move back, or end the game.').waitFor();
      await page.click('#end');
    }
    const net = 5 * Number(score) - 55;
    const words = `${score} card${score === '1' ? '' : 's'}, ${net < 0 ? '−' : '+'}$${Math.abs(net)}`;
    await page.getByText(`You: ${words}.`).waitFor();
    await page.getByText(`With every card visible: ${words} at best.`).waitFor();
    await page.getByText(/^A player who saw what you saw: \d+ cards?, [+−]\$\d+\.$/).waitFor({ timeout: 60000 });
    await page.getByText(`Your record: ${net < 0 ? '−' : '+'}$${Math.abs(net)} a game over 1 game without help`).waitFor();
    await page.screenshot({ path: `${shots}/play-klondike-end-${byTaps ? 'taps' : 'keys'}.png`, fullPage: true });
    assert.deepEqual(faults, []);
    await context.close();
  });
}

await check('casino: advice is that of the program', async () => {
  const { context, page, faults } = await open(guises[0], 'klondike/#yukon/20261125');
  await page.waitForSelector('#board .card');
  // Results and record tell what is left of the $55.
  await page.getByText(/^A player who sees what you see: −\u2060\$[\d.]+ \(−\u2060\$[\d.]+ to −\u2060\$[\d.]+\) a game; every card visible: −\u2060\$/).waitFor();
  await page.click('#advice');
  await page.waitForSelector('#advised li', { timeout: 60000 });
  await page.screenshot({ path: `${shots}/play-klondike-advice.png`, fullPage: true });
  const shown = await page.$$eval('#advised .how > div:first-child', (rows) => rows.map((row) => row.textContent.split(' · ')[1].split(' ')[0]));
  const rows = etude('solve', 'klondike', '--seed', '20261125', '--index', '0', '--hidden');
  assert.deepEqual(shown, rows.slice(0, 5).map(({ score }) => Number(score).toFixed(1)));
  await page.click('#advised button >> nth=0');
  await page.click('#end');
  await page.getByText('With advice, or hidden cards or the answer seen: 0 of 1 paid.').waitFor();
  await page.selectOption('#rules', 'open');
  await page.getByText('The engine sees what you see.').waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});
