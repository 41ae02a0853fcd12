// Was it you or the cards? Ends games, holds their reviews against the program, and shares them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { check, copied, guises, keptAs, open, root, shots } from './person.mjs';

const [wide, dark, phone, phoneDark] = guises;
const sideways = { name: 'sideways', colorScheme: 'light', viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true };

/** Plays a card by a tap or a click. */
const playCard = (page, card) => page.locator(`#board [data-key="${card}"]`).click({ force: true, position: { x: 10, y: 6 } });

/** Games in which the person stops after a move or two: few decisions, which are soon measured. */
const solitaire = {
  name: 'solitaire', rules: 'draw-3', seed: 3, moves: ['draw'], last: 800,
  options: ['solitaire', '--rules', 'draw-3'],
  stopped: 'after 1 move',
  play: (page) => page.keyboard.press('d'),
  shared: /Cards [+\u2212]\d+ points?, play \u2212\d+ points?\.\nhttp/,
  over: /Your play in 1 game, luck set aside, beside a player who sees what you see: \d+ points worse/,
};
const casino = {
  name: 'klondike', rules: 'yukon', seed: 86, moves: ['6S', 'JS'], last: 1600,
  options: ['klondike'],
  stopped: 'after 2 moves',
  play: playCard,
  shared: /Cards [+\u2212]\$\d+, play \u2212\$\d+\.\nhttp/,
  over: /Your play in 1 game, luck set aside, beside a player who sees what you see: \$\d+ worse \(\u2212\$\d+ to \$\d+\)/,
};
const addressOf = ({ name, rules, seed }) => `${name}/#${rules}/${seed}`;
const recordOf = ({ name, rules }) => `etude/${name}/${rules}`;

/** What the program says of such a game, in so many worlds. */
const reviewed = ({ options, seed, moves }, worlds) => spawnSync(
  process.env.ETUDE, ['review', ...options, '--seed', `${seed}`, '--moves', moves.join('; '), '--playouts', `${worlds}`], { encoding: 'utf8' },
).stderr;

/** Makes the moves and ends the game. */
async function giveUp(page, { name, rules, moves, play }) {
  await page.waitForSelector('#board .card');
  for (const move of moves) {
    await play(page, move);
    await page.waitForFunction(([open, move]) => window.lastOpen(open)?.line.endsWith(move), [`${name}/${rules}`, move], { timeout: 15000, polling: 5 });
  }
  await page.click('#end');
}

/** Waits for the review in so many worlds or more, and tells how many it were, and its words. */
async function reviewIn(page, least) {
  const shown = (least) => {
    const text = document.querySelector('.review')?.innerText ?? '';
    const worlds = Number(text.match(/in (\d+) imagined worlds/)?.[1] ?? 0);
    return worlds >= least && { worlds, text };
  };
  const found = await page.waitForFunction(shown, least, { timeout: 240000, polling: 50 });
  const { worlds, text } = await found.jsonValue();
  return { worlds, text: text.replaceAll('\u2212', '-') };
}

for (const [game, guise] of [[solitaire, phone], [casino, phoneDark]]) await check(`a review of ${game.name} is that of the program, and is shared`, async () => {
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
  const { context, page, faults } = await open(guise, addressOf(game), prepare);
  await page.waitForSelector('#board .card');
  assert(asked.every((request) => !request.startsWith('review')), 'a game is reviewed before its end');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  await giveUp(page, game);
  const { worlds, text } = await reviewIn(page, 1);
  const lines = reviewed(game, worlds).trim().split('\n').filter((line) => /^(cards|move|par|at) /.test(line));
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
  const table = page.getByText(`The table when you stopped, ${game.stopped}.`);
  assert(await table.isHidden());
  await page.locator('.curve [data-move]').first().tap();
  await table.waitFor();
  await page.locator('.review li button').first().click();
  assert(await table.isVisible());
  // A button keeps the focus while the review sharpens.
  const again = page.getByRole('button', { name: 'Try this deal again' });
  await again.focus();
  const { worlds: before } = await reviewIn(page, 1);
  await reviewIn(page, Math.min(2 * before, game.last));
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Try this deal again');
  await page.screenshot({ path: `${shots}/play-review-${game.name}-phone.png`, fullPage: true });
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Share the picture' }).click()]);
  assert.equal(saved.suggestedFilename(), `etude-${game.name}-${game.rules}-${game.seed}.png`);
  await saved.saveAs(`${shots}/play-review-${game.name}-card.png`);
  assert.match(await copied(context, page), game.shared);
  await page.getByText(game.over).waitFor({ timeout: 60000 });
  const [kept] = await keptAs(page, recordOf(game));
  assert(kept.play < 0 && kept.line === undefined, JSON.stringify(kept));
  await again.click();
  await page.getByText('This game counts as played with help.').waitFor();
  assert(await page.isHidden('#over'));
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [game, next] of [[solitaire, { seed: 5 }], [casino, { seed: 90, moves: ['JC'] }]]) {
  await check(`a review of ${game.name} that was left is made after the next game`, async () => {
    const { context, page, faults } = await open(wide, addressOf(game));
    await giveUp(page, game);
    await page.waitForSelector('.review');
    await page.evaluate((record) => {
      const others = [{ seed: 8, line: 'no move' }, { seed: 9, play: 'x' }, { seed: 10, play: -9e9 }];
      const foreign = others.map((other) => ({ won: true, cards: 20, helped: false, ...other }));
      localStorage[record] = JSON.stringify([...JSON.parse(localStorage[record]), ...foreign]);
    }, recordOf(game));
    const after = { ...game, ...next };
    await page.goto(root + addressOf(after));
    await page.reload();
    await giveUp(page, after);
    await page.getByText(/Your play in 3 games/).waitFor({ timeout: 240000 });
    const games = await keptAs(page, recordOf(game));
    assert(games.every(({ line }) => line === undefined), JSON.stringify(games));
    assert.deepEqual([game.seed, next.seed].map((seed) => Number.isFinite(games.find((one) => one.seed === seed).play)), [true, true]);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

await check('where all cards are visible nothing is reviewed', async () => {
  const visible = { ...casino, rules: 'open', moves: ['7C'] };
  const { context, page, faults } = await open(wide, addressOf(visible));
  await giveUp(page, visible);
  await page.getByText(/^A player who saw what you saw: \d+ card/).waitFor();
  assert.equal(await page.locator('.review').count(), 0);
  const [kept] = await keptAs(page, recordOf(visible));
  assert.deepEqual(Object.keys(kept).filter((part) => part === 'line' || part === 'play'), []);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [name, guise, media] of [['sideways', sideways, {}], ['dark', dark, {}], ['colours of one\u2019s own', { ...wide, forcedColors: 'active' }, {}], ['print', wide, { media: 'print' }]]) {
  for (const game of [solitaire, casino]) await check(`a review of ${game.name} is seen: ${name}`, async () => {
    const { context, page, faults } = await open(guise, addressOf(game));
    await giveUp(page, game);
    await reviewIn(page, 1);
    await page.emulateMedia(media);
    const { over, height, stroke } = await page.evaluate(() => ({
      over: document.documentElement.scrollWidth - window.innerWidth,
      height: document.querySelector('.curve').getBoundingClientRect().height,
      stroke: getComputedStyle(document.querySelector('.curve line.own')).stroke,
    }));
    assert(over <= 0, `${over} px too wide`);
    assert(height > 80 && stroke !== 'none', `${height} ${stroke}`);
    await page.locator('.review').screenshot({ path: `${shots}/play-review-${game.name}-${name.split(' ')[0]}.png` });
    assert.deepEqual(faults, []);
    await context.close();
  });
}
