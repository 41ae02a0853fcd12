// What a person can rely on: what is kept, whom the keys belong to, and what a reader of the screen, a low screen, paper and
// colours of one's own show.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { browser, check, copied, etude, guises, hasLine, keptAs, lineOf, open, root, shots } from './person.mjs';

const [wide, , phone] = guises;
const sideways = { name: 'sideways', colorScheme: 'light', viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true };
const HELPED = 'This game counts as played with help.';
const GAMES = { solitaire: 'draw-3/20261125', foxes: 'hens-arsac/5', riddle: 'chess/few/20261125', klondike: 'yukon/20261125', pegs: 'latin-cross', queens: '8' };
const STARTED = '#board .card, #cross .hen, #cells .number, #holes .peg, #fields .now';

const said = (page) => page.textContent('#said');

await check('help stays with the deal, under other rules as well', async () => {
  const { context, page, faults } = await open(phone, 'solitaire/#draw-3/1');
  await page.waitForSelector('#board .card');
  await page.keyboard.press('d');
  await page.tap('#end');
  await page.tap('text=Watch the win');
  for (const address of ['solitaire/#draw-3/1', 'solitaire/#draw-1/1']) {
    await page.goto('about:blank');
    await page.goto(root + address);
    await page.getByText(HELPED).waitFor();
    await page.keyboard.press('d');
    await page.getByText(/^Drawn: /).waitFor();
    await page.tap('#end');
    assert.match(await copied(context, page), /\nI: \d+ cards? \(with help\)\./);
  }
  // The casino's open layout shows all cards of the same deal.
  await page.goto(`${root}klondike/#open/14`);
  await page.waitForSelector('#board .card');
  await page.goto(`${root}klondike/#yukon/14`);
  await page.getByText(HELPED).waitFor();
  await page.goto(`${root}klondike/#open/14`);
  await page.waitForSelector('#board .card');
  assert.equal(await said(page), '');
  assert.deepEqual(faults, []);
  await context.close();
});

await check('help stays with a riddle and a figure', async () => {
  const { context, page, faults } = await open(phone, 'riddle/#chess/all/7');
  await page.getByText(/proved on this page/).waitFor();
  await page.tap('#answer');
  await page.getByText('The pieces stood here.').waitFor();
  await page.goto('about:blank');
  await page.goto(`${root}riddle/#chess/few/7`);
  await page.getByText('You have had help with this riddle.').waitFor();
  const answer = etude('make', 'riddle', '--variant', 'chess', '--seed', '7', '--answers')[0].answer.split(' ');
  for (const [piece, cell] of answer.entries()) {
    await page.tap(`#men [data-man="${piece}"]`);
    await page.tap(`#cells [data-cell="${cell}"]`);
    await page.waitForSelector(`#cells [data-cell="${cell}"] .man`);
  }
  await page.getByText('You: solved with help.').waitFor();
  await page.goto(`${root}pegs/#latin-cross`);
  await page.getByText('Fewest moves: 5.').waitFor();
  await page.tap('#hint');
  await page.getByText(/^Jump from/).waitFor();
  await page.tap('#new');
  await page.getByText('You have had a hint on this figure.').waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

await check('a game that is left stays open, and Back leads to it', async () => {
  const { context, page, faults } = await open(wide, 'solitaire/#draw-3/5');
  await page.waitForSelector('#board .card');
  await page.keyboard.press('d');
  assert(await hasLine(page, 'draw-3', 'draw'));
  await page.click('#new');
  await page.getByRole('button', { name: 'Stay' }).click();
  assert.match(page.url(), /#draw-3\/5$/);
  await page.click('#new');
  await page.getByRole('button', { name: 'Leave it open' }).click();
  await page.getByRole('link', { name: 'draw three, deal 5 (1 move)' }).waitFor();
  await page.getByText('1 game of these is still open.').waitFor();
  // A friend's link overwrites nothing.
  await page.goto(`${root}solitaire/#draw-3/9`);
  await page.getByText('draw three · deal 9').waitFor();
  await page.keyboard.press('d');
  assert(await hasLine(page, 'draw-3', 'draw'));
  await page.getByRole('link', { name: 'draw three, deal 5 (1 move)' }).click();
  await page.getByText('Your game goes on.').waitFor();
  assert.match(page.url(), /#draw-3\/5$/);
  await page.goBack();
  await page.getByText('draw three · deal 9').waitFor();
  await page.getByText('Your game goes on.').waitFor();
  // Every page goes back to what was chosen before.
  for (const [address, select, value] of [['pegs/#latin-cross', '#figure', 'pyramid'], ['foxes/#hens-arsac/5', '#match', 'hens search'], ['queens/#8', '#side', '6'], ['riddle/#chess/few/7', '#variant', 'shogi']]) {
    await page.goto(root + address);
    await page.waitForSelector(STARTED);
    await page.selectOption(select, value);
    await page.waitForURL((url) => !url.href.endsWith(address));
    await page.goBack();
    await page.waitForURL(root + address);
    await page.waitForFunction(([select, value]) => document.querySelector(select).value !== value, [select, value]);
  }
  assert.deepEqual(faults, []);
  await context.close();
});

await check('the last fifty games are kept open', async () => {
  const { context, page, faults } = await open(wide, 'solitaire/#draw-3/5');
  await page.waitForSelector('#board .card');
  await page.evaluate(() => {
    const slot = { line: 'draw', played: 1, guess: '', helped: false, counts: true };
    for (let deal = 101; deal <= 160; deal++) localStorage[`etude/solitaire/draw-3/open/${deal}`] = JSON.stringify({ ...slot, time: deal });
  });
  await page.keyboard.press('d');
  await page.getByText('and 44 more').waitFor();
  const deals = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('/open/')).map((key) => Number(key.split('/').at(-1))));
  assert.deepEqual(deals.sort((one, other) => one - other), [5, ...[...Array(49).keys()].map((place) => 112 + place)]);
  assert.deepEqual(faults, []);
  await context.close();
});

await check('two tabs show one game, and none overwrites another', async () => {
  const { context, page, faults } = await open(wide, 'solitaire/#draw-3/5');
  await page.waitForSelector('#board .card');
  const other = await context.newPage();
  await other.goto(`${root}solitaire/#draw-3/5`);
  await other.waitForSelector('#board .card');
  await page.keyboard.press('d');
  await other.getByText('Your game goes on.').waitFor();
  await other.keyboard.press('d');
  assert(await hasLine(page, 'draw-3', 'draw; draw'));
  await page.getByText('Your game goes on.').waitFor();
  await page.click('#end');
  await page.getByText(/^With every card visible: can/).waitFor();
  const games = await keptAs(page, 'etude/solitaire/draw-3');
  await other.getByText(HELPED).waitFor();
  await other.keyboard.press('d');
  await other.getByText(/^Drawn: /).waitFor();
  assert.deepEqual(await keptAs(page, 'etude/solitaire/draw-3'), games);
  assert.deepEqual(faults, []);
  await context.close();
});

/** Values of shapes that no page writes. */
const FOREIGN = [{ a: 1 }, [null, 5, { seed: 'x' }, { seed: 1, won: 2 }], 5, 'text', [[]], { time: 1, line: 5, jumps: 5, moves: [5], placed: {}, id: 1 }];

await check('whatever is kept under our names, every game begins', async () => {
  for (const [game, address] of Object.entries(GAMES)) {
    const { context, page, faults } = await open(wide, `${game}/#${address}`);
    await page.waitForSelector(STARTED);
    const parts = address.replace('hens-arsac', 'hens/arsac').split('/');
    const name = ['etude', game, ...parts.slice(0, -1)].join('/');
    const keys = [name, `${name}/open/${parts.at(-1)}`, `${name}/open/1`, `${name}/guesses`, `etude/${game}/shown`, `${name}/shown`, `${name}/${address}/best`, 'etude/foxes/match'];
    for (const round of [0, 2, 4]) {
      const values = keys.map((key, place) => [key, JSON.stringify(FOREIGN[(place + round) % FOREIGN.length])]);
      await page.evaluate((values) => values.forEach(([key, value]) => localStorage.setItem(key, value)), values);
      await page.reload();
      await page.waitForSelector(STARTED);
      await page.waitForFunction(() => document.querySelector('#enough, #best, #counts').textContent !== '');
    }
    assert.deepEqual(faults, [], game);
    await context.close();
  }
});

await check('shortcuts of the browser are no moves', async () => {
  for (const [game, address] of Object.entries(GAMES)) {
    const { context, page, faults } = await open(wide, `${game}/#${address}`);
    await page.waitForSelector(STARTED);
    // The page has read what was said when it began.
    await page.waitForTimeout(150);
    const state = () => page.evaluate(() => [document.querySelector('#said').textContent, document.querySelector('.board, #board').innerHTML, JSON.stringify(Object.entries(localStorage).filter(([key]) => !key.endsWith('/match')))]);
    const before = await state();
    for (const modifier of ['Control', 'Alt', 'Meta']) {
      for (const key of ['h', 'u', 'd', 'a', 'r', 'n', 's', 'x', '1']) {
        await page.evaluate(([key, modifier]) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, [{ Control: 'ctrlKey', Alt: 'altKey', Meta: 'metaKey' }[modifier]]: true })), [key, modifier]);
      }
    }
    await page.waitForTimeout(150);
    assert.deepEqual(await state(), before, game);
    assert.deepEqual(faults, []);
    await context.close();
  }
  // Ctrl+Z takes a move back, but in a field it belongs to what is written there.
  const { context, page } = await open(wide, 'solitaire/#draw-3/5');
  await page.waitForSelector('#board .card');
  await page.keyboard.press('d');
  assert(await hasLine(page, 'draw-3', 'draw'));
  await page.click('#choose summary');
  await page.fill('#seed', '12');
  await page.keyboard.press('Control+z');
  await page.waitForTimeout(100);
  assert(await hasLine(page, 'draw-3', 'draw'));
  await page.focus('#undo');
  await page.keyboard.press('Control+z');
  assert(await hasLine(page, 'draw-3', ''));
  await context.close();
});

await check('queens: arrows step on after a button', async () => {
  const { context, page } = await open(wide, 'queens/');
  await page.waitForSelector('#fields .now');
  await page.click('#step');
  await page.keyboard.press('ArrowRight');
  await page.getByText('State 2 of').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('State 3 of').waitFor();
  await page.click('#fields [data-cell=a1]');
  await page.keyboard.press('ArrowRight');
  await page.getByText('State 4 of').waitFor();
  await context.close();
});

/** The lists of the board as a reader of the screen tells them: their names, each with the names of its cards. */
async function heard(page) {
  const lines = (await page.locator('#board').ariaSnapshot()).split('\n');
  const lists = [];
  for (const line of lines) {
    const [, role, name] = line.match(/- '?(list|button) "(.*?)"/) ?? [];
    if (role === 'list') lists.push([name, []]);
    if (role === 'button') lists.at(-1)[1].push(name);
  }
  return lists;
}

/** The same from the names in the page: as a reader of the screen tells them, but sooner. */
const named = (page) => page.$$eval('#board > [role=list]:not([hidden])', (lists) => lists.map((list) => [
  list.getAttribute('aria-label'), [...list.querySelectorAll('[role=listitem]:not([aria-hidden=true]) button')].map((card) => card.getAttribute('aria-label')),
]));

const SUITS = { h: 'hearts', d: 'diamonds', c: 'clubs', s: 'spades' };

await check('solitaire by names alone', async () => {
  const { context, page, faults } = await open(wide, 'solitaire/#draw-1/2');
  await page.waitForSelector('#board .card');
  const first = await heard(page);
  assert.deepEqual(first.map(([name]) => name), [
    'Stock', ...Object.values(SUITS).map((suit) => `Foundation of ${suit}`), 'Column 1', ...[1, 2, 3, 4, 5, 6].map((down) => `Column ${down + 1}, ${down} card${down > 1 ? 's' : ''} face down`),
  ]);
  assert.deepEqual(first.slice(0, 2), [['Stock', ['Stock, 24 cards']], ['Foundation of hearts', ['Foundation of hearts, empty']]]);
  assert(first.slice(5).every(([, cards]) => cards.length === 1 && /^\w+ of \w+, column \d$/.test(cards[0])), JSON.stringify(first));
  const button = (name) => page.getByRole('button', { name, exact: true });
  const done = [];
  let piles = first;
  for (const move of lineOf('draw-1', 2)) {
    done.push(move);
    const [from, to, count = '1'] = move.split(' ');
    const isDraw = from === 'draw' || from === 'turn';
    const pile = isDraw ? 'Stock' : from === 'w' ? 'Waste' : SUITS[from] ? `Foundation of ${SUITS[from]}` : `Column ${from}`;
    const [, cards] = piles.find(([name]) => name.startsWith(pile));
    await button(cards.at(-Number(count))).focus();
    await page.keyboard.press(isDraw ? 'Enter' : to);
    const isPlayed = await Promise.race([hasLine(page, 'draw-1', done.join('; ')), page.waitForSelector('#over:not([hidden])').then(() => true)]);
    assert(isPlayed, `${move} was not played by name`);
    piles = await named(page);
    if (done.length % 20 === 0) assert.deepEqual(piles, await heard(page));
    if (from === 'draw') {
      const [, card] = (await said(page)).match(/^Drawn: (\w+ of \w+)/);
      assert.equal(piles.find(([name]) => name.startsWith('Waste'))[1].at(-1), `${card}, waste`);
    }
    // No slot is told under cards.
    for (const [name, cards] of piles) assert(cards.length === 1 || !cards.some((card) => card.endsWith('empty')), `${name}: ${cards}`);
  }
  await page.getByText(/^You: won/).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

/** Swipes upwards with a finger on the last element of a selector. */
async function swipe(page, selector) {
  const box = await page.locator(selector).last().boundingBox();
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...ys) => client.send('Input.dispatchTouchEvent', { type, touchPoints: ys.map((y) => ({ x: box.x + box.width / 2, y })) });
  await touch('touchStart', box.y + 15);
  for (let by = 10; by <= 120; by += 10) await touch('touchMove', box.y + 15 - by);
  await touch('touchEnd');
}

await check('a phone held sideways shows the whole board, and scrolls', async () => {
  for (const [game, address] of Object.entries(GAMES)) {
    const { context, page, faults } = await open(sideways, `${game}/#${address}`);
    await page.waitForSelector(STARTED);
    await page.screenshot({ path: `${shots}/play-${game}-sideways.png` });
    const low = await page.$$eval('#board .card, .board [data-cell]', (cells) => Math.max(...cells.map((cell) => cell.getBoundingClientRect().bottom)));
    assert(low <= 390, `${game}: the board ends at ${low} px`);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert(over <= 0, `${game} is ${over} px too wide`);
    if (game === 'solitaire') {
      await swipe(page, '#board .card[data-pile="7"]');
      await page.waitForFunction(() => window.scrollY > 40, null, { timeout: 5000 });
    }
    assert.deepEqual(faults, []);
    await context.close();
  }
});

await check('the focus stays in a low window', async () => {
  const { context, page } = await open({ ...wide, viewport: { width: 1000, height: 520 } }, 'solitaire/#draw-1/2');
  await page.waitForSelector('#board .card');
  const isSeen = () => page.evaluate(() => {
    const { top, bottom } = document.activeElement.getBoundingClientRect();
    const tools = document.querySelector('#tools').getBoundingClientRect().top;
    return top >= -1 && bottom <= Math.min(window.innerHeight, Math.max(tools, 100)) + 1;
  });
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'd', 'ArrowUp', 'ArrowRight', 'ArrowDown']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(60);
    assert(await isSeen(), `the focus is out of sight after ${key}`);
  }
  await context.close();
});

/** A game of foxes that leaves them a chain back to its start. */
const ROUND = 'g4-g5 c5-d5 f4-g4 d5-c5 d4-d5 c5-b5 g5-f5 e5xc5:d5 c4-d4 b5-a5 b4-c4 c5-d5 c4-b4 d5-e5 d4-d5 e5xg5:f5 d3-d4 a5-b5 a4-a5 b5-c5 f3-f4 c5xe5:d5 b4-a4 e5-f5 e4-e5';

await check('foxes: a chain that returns to its start is chosen by name', async () => {
  const slot = JSON.stringify({ moves: ROUND.split(' '), helped: false, counts: true, time: 1 });
  const prepare = (context) => context.addInitScript((slot) => { localStorage['etude/foxes/foxes/search/open/5'] ??= slot; }, slot);
  const { context, page, faults } = await open(phone, 'foxes/#foxes-search/5', prepare);
  await page.getByText('Your game goes on.').waitFor();
  await page.tap('#cross [data-cell=f5]');
  await page.getByText('It eats 4: the hens marked with a cross.').waitFor();
  assert.equal(await page.locator('#cross .eaten').count(), 4);
  await page.screenshot({ path: `${shots}/play-foxes-round.png`, fullPage: true });
  await page.tap('#cross [data-cell=f5]');
  await page.waitForTimeout(150);
  assert.match(await page.textContent('#count'), /^3 of 12 eaten/);
  await page.tap('#cross [data-cell=f5]');
  await page.getByRole('button', { name: /and back to f5$/ }).tap();
  await page.getByText(/^7 of 12 eaten/).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

await check('a guess without a move is kept', async () => {
  const { context, page, faults } = await open(phone, 'solitaire/#draw-3/1');
  await page.tap('[data-guess=yes]');
  await page.reload();
  await page.waitForSelector('#board .card');
  assert(await page.isHidden('#guess'));
  await page.tap('#end');
  await page.getByText('Your guess, yes, was right.').waitFor();
  await page.getByText('Your guesses: 1 of 1 right.').waitFor();
  await page.reload();
  await page.getByText('Your guesses: 1 of 1 right.').waitFor();
  assert.equal(await keptAs(page, 'etude/solitaire/draw-3'), null);
  assert.deepEqual(faults, []);
  await context.close();
});

await check('a page deals any sample of an experiment', async () => {
  const { context, page, faults } = await open(wide, 'solitaire/#draw-3/20261127.9');
  await page.getByText('deal 20261127.9').waitFor();
  // Its first card is the first column.
  const { instance } = JSON.parse(readFileSync('results/solitaire-unseen/exhibit.json', 'utf8'));
  const first = await page.$eval('#board [data-pile="1"]:not(.slot)', (card) => card.dataset.key);
  assert.equal(first, instance.split(' ')[0]);
  assert.equal(await page.textContent('#command'), 'etude play solitaire --rules draw-3 --seed 20261127 --index 9');
  await page.keyboard.press('d');
  await page.getByText(/^Drawn: /).waitFor();
  await page.reload();
  await page.getByText('Your game goes on.').waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

await check('the casino offers a deal that pays, and says what knowing that means', async () => {
  const { context, page, faults } = await open(phone, 'klondike/#yukon/3');
  await page.waitForSelector('#board .card');
  await page.tap('#paying');
  await page.getByText('More than your $55 can come back from this deal. This game counts as played with help.').waitFor({ timeout: 60000 });
  const [, seed] = page.url().match(/#yukon\/(\d+)$/);
  const [{ optimal_score: score }] = etude('solve', 'klondike', '--seed', seed, '--index', '0');
  assert(Number(score) >= 12, `deal ${seed} brings ${score} cards`);
  assert.deepEqual(faults, []);
  await context.close();
});

await check('every page says what it is, leads back, and has a word without scripts', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const game of ['', ...Object.keys(GAMES).map((game) => `${game}/`)]) {
    await page.goto(root + game);
    const about = await page.evaluate(() => ['meta[name=description]', 'meta[property="og:image"]', 'link[rel=icon]', 'link[rel=manifest]'].map((one) => {
      const element = document.querySelector(one);
      return element?.getAttribute('content') ?? element?.href;
    }));
    assert(about.every(Boolean), `${game}: ${about}`);
    for (const file of about.slice(2)) assert.equal((await page.request.get(file)).status(), 200, file);
    assert(await page.locator('noscript p').isVisible(), `${game} says nothing without scripts`);
    assert(await page.locator('a[href$="results/"]').count() > 0);
  }
  await context.close();
});

await check('with colours of a person\u2019s own, and on paper, boards can be told', async () => {
  for (const [game, address] of Object.entries(GAMES)) {
    for (const media of [{ forcedColors: 'active' }, { media: 'print' }]) {
      const { context, page, faults } = await open({ ...wide, forcedColors: media.forcedColors }, `${game}/#${address}`);
      await page.waitForSelector(STARTED);
      const marks = await page.$$eval('.board [data-cell], #board .card', (cells) => cells.slice(0, 40).map((cell) => {
        const style = getComputedStyle(cell);
        return { adjust: style.forcedColorAdjust, print: style.printColorAdjust };
      }));
      if (media.forcedColors) assert(marks.every(({ adjust }) => adjust === 'none'), game);
      else {
        await page.emulateMedia(media);
        const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
        const sheets = pdf.match(/\/Type\s*\/Page[^s]/g).length;
        assert(sheets <= 2, `${game} prints ${sheets} sheets`);
        const isExact = await page.$eval('.board [data-cell], #board .card', (cell) => getComputedStyle(cell).printColorAdjust === 'exact');
        assert(isExact, game);
      }
      assert.deepEqual(faults, []);
      await context.close();
    }
  }
});
