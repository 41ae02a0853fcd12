// Was it you or the cards? Ends games, holds their reviews against the program, and shares them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { check, copied, guises, hasLine, keptAs, open, root, shots } from './person.mjs';

const [wide, dark, phone] = guises;
const sideways = { name: 'sideways', colorScheme: 'light', viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true };

/** What the program says of a game of draw three, in so many worlds. */
const reviewed = (seed, moves, worlds) => spawnSync(
  process.env.ETUDE, ['review', 'solitaire', '--rules', 'draw-3', '--seed', `${seed}`, '--moves', moves, '--playouts', `${worlds}`], { encoding: 'utf8' },
).stderr;

/** Draws once and ends the game: few decisions, which are soon measured. */
async function giveUp(page) {
  await page.waitForSelector('#board .card');
  await page.keyboard.press('d');
  assert(await hasLine(page, 'draw-3', 'draw'));
  await page.click('#end');
}

/** Waits for the review in so many worlds, and tells its words. */
async function reviewIn(page, worlds) {
  const words = (worlds) => {
    const text = document.querySelector('.review')?.innerText ?? '';
    return text.includes(`in ${worlds} imagined worlds`) && text;
  };
  const found = await page.waitForFunction(words, worlds, { timeout: 240000, polling: 50 });
  return (await found.jsonValue()).replaceAll('\u2212', '-');
}

await check('a review is that of the program, and is shared', async () => {
  const asked = [];
  const prepare = async (context) => {
    await context.exposeFunction('asked', (request) => asked.push(request));
    await context.addInitScript(() => {
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message, ...rest) {
        window.asked(message.request);
        return post.call(this, message, ...rest);
      };
    });
  };
  const { context, page, faults } = await open(phone, 'solitaire/#draw-3/3', prepare);
  await page.waitForSelector('#board .card');
  assert(asked.every((request) => !request.startsWith('review')), 'a game is reviewed before its end');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  await giveUp(page);
  const text = await reviewIn(page, 25);
  const lines = reviewed(3, 'draw', 25).trim().split('\n').filter((line) => /^(cards|move|par|at) /.test(line));
  assert(lines.length > 2, lines.join('\n'));
  for (const part of lines.flatMap((line) => line.split('   ')).filter((part) => !/^move/.test(part))) assert(text.includes(part), `${part} is not in\n${text}`);
  // A finger is answered meanwhile.
  const late = await page.evaluate(async () => {
    let [last, most] = [performance.now(), 0];
    for (let frames = 0; frames < 60; frames++) {
      await new Promise(requestAnimationFrame);
      [last, most] = [performance.now(), Math.max(most, performance.now() - last)];
    }
    return most;
  });
  console.log(`  the page was busy for ${late.toFixed(0)} ms at most`);
  // A mark of the curve, and the button beside the words, show the table before the move.
  const table = page.getByText('The table when you stopped, after 1 move.');
  assert(await table.isHidden());
  await page.locator('.curve [data-move]').first().tap();
  await table.waitFor();
  await page.locator('.review li button').first().click();
  assert(await table.isVisible());
  // A button keeps the focus while the review sharpens.
  const again = page.getByRole('button', { name: 'Try this deal again' });
  await again.focus();
  await reviewIn(page, 100);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Try this deal again');
  await page.screenshot({ path: `${shots}/play-review-phone.png`, fullPage: true });
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Share the picture' }).click()]);
  assert.equal(saved.suggestedFilename(), 'etude-solitaire-draw-3-3.png');
  await saved.saveAs(`${shots}/play-review-card.png`);
  assert.match(await copied(context, page), /Cards [+\u2212]\d+ points?, play \u2212\d+ points?\.\nhttp/);
  await page.getByText(/Your play in 1 game, luck set aside, beside a player who sees what you see: \d+ points worse/).waitFor({ timeout: 60000 });
  const [game] = await keptAs(page, 'etude/solitaire/draw-3');
  assert(game.play < 0 && game.line === undefined, JSON.stringify(game));
  await again.click();
  await page.getByText('This game counts as played with help.').waitFor();
  assert(await page.isHidden('#over'));
  assert.deepEqual(faults, []);
  await context.close();
});

await check('a review that was left is made after the next game', async () => {
  const { context, page, faults } = await open(wide, 'solitaire/#draw-3/3');
  await giveUp(page);
  await page.waitForSelector('.review');
  await page.evaluate(() => {
    const games = JSON.parse(localStorage['etude/solitaire/draw-3']);
    const foreign = [{ seed: 8, won: false, helped: false, line: 'no move' }, { seed: 9, won: true, helped: false, play: 'x' }, { seed: 10, won: true, helped: false, play: -9e9 }];
    localStorage['etude/solitaire/draw-3'] = JSON.stringify([...games, ...foreign]);
  });
  await page.goto(`${root}solitaire/#draw-3/5`);
  await page.reload();
  await giveUp(page);
  await page.getByText(/Your play in 3 games/).waitFor({ timeout: 240000 });
  const games = await keptAs(page, 'etude/solitaire/draw-3');
  assert(games.every(({ line }) => line === undefined), JSON.stringify(games));
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [name, guise, media] of [['sideways', sideways, {}], ['dark', dark, {}], ['colours of one\u2019s own', { ...wide, forcedColors: 'active' }, {}], ['print', wide, { media: 'print' }]]) {
  await check(`a review is seen: ${name}`, async () => {
    const { context, page, faults } = await open(guise, 'solitaire/#draw-3/3');
    await giveUp(page);
    await reviewIn(page, 25);
    await page.emulateMedia(media);
    const { over, height, stroke } = await page.evaluate(() => ({
      over: document.documentElement.scrollWidth - window.innerWidth,
      height: document.querySelector('.curve').getBoundingClientRect().height,
      stroke: getComputedStyle(document.querySelector('.curve line.own')).stroke,
    }));
    assert(over <= 0, `${over} px too wide`);
    assert(height > 80 && stroke !== 'none', `${height} ${stroke}`);
    await page.locator('.review').screenshot({ path: `${shots}/play-review-${name.split(' ')[0]}.png` });
    assert.deepEqual(faults, []);
    await context.close();
  });
}
