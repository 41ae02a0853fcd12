// What the tests of the pages share: a server, a browser, the program, and a person who plays by taps or by keys.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';

const site = process.argv[2];
export const shots = path.dirname(process.argv[1]);
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json' };
export const guises = [
  { name: 'wide-light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'wide-dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];

export const server = createServer(async (request, response) => {
  let file = path.join(site, new URL(request.url, 'http://localhost').pathname.replace(/^\/play\//, '/'));
  if (file.endsWith('/')) file += 'index.html';
  try {
    const body = await readFile(file);
    response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'text/plain' }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
export const root = `http://127.0.0.1:${server.address().port}/play/`;
export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });

/** What a verb of the program says, as CSV. */
export const program = (...options) => execFileSync(process.env.ETUDE, [...options, '--format', 'csv'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** The rows of a verb of the program, each an object. */
export function etude(...options) {
  const [head, ...rows] = program(...options).trim().split('\n');
  const names = head.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((field, place) => [names[place], field])));
}

/** A page in a guise; whatever it complains of, or loads from elsewhere, is a fault. */
export async function open(guise, address, prepare = async () => {}) {
  const context = await browser.newContext(guise);
  await context.addInitScript(slots);
  await prepare(context);
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('request', (request) => request.url().startsWith(root) || request.url().startsWith('data:') || faults.push(`loads ${request.url()}`));
  await page.goto(root + address);
  return { context, page, faults };
}

/** Runs in every page: what it keeps of the game of these rules that was played last. */
function slots() {
  window.lastOpen = (name) => {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(`etude/${name}/open/`));
    return keys.map((key) => JSON.parse(localStorage[key])).sort((one, other) => other.time - one.time)[0] ?? null;
  };
}

/** What the page keeps of the game that is played. */
export const kept = (page, rules) => page.evaluate((name) => window.lastOpen(name), `solitaire/${rules}`);

/** Waits until the game's line is this; false if it is another after a while. */
export async function hasLine(page, rules, line) {
  const is = ([name, line]) => window.lastOpen(name)?.line === line;
  return page.waitForFunction(is, [`solitaire/${rules}`, line], { timeout: 15000, polling: 5 }).then(() => true, () => false);
}

export const isWon = (page) => page.waitForFunction(() => document.querySelector('#over')?.textContent?.startsWith('You: won'), null, { timeout: 15000 });

/** The card that a move of `moves` takes, as the page names it. */
export const cardOf = (page, move) => page.evaluate(({ from, count }) => {
  const cards = [...document.querySelectorAll('#board [data-key]')].filter((card) => card.dataset.pile === from && !card.dataset.key.startsWith('slot'));
  const height = (card) => Number(card.style.zIndex);
  return cards.sort((one, other) => height(one) - height(other)).at(-count)?.dataset.key;
}, move);

/** The pile that a move takes from, and the number of cards. */
export function taken(move) {
  const [from, to, count] = move.split(' ');
  const pile = from === 'w' ? 'waste' : 'hdcs'.includes(from) ? `f${from.toUpperCase()}` : from;
  return { from: pile, to, count: Number(count ?? 1) };
}

/** Plays a line by taps, a card again until it lies where it should. */
export async function playByTaps(page, rules, moves) {
  await page.waitForSelector('#board .card');
  const done = [];
  let tapped = 0;
  for (const move of moves) {
    done.push(move);
    if (move === 'draw' || move === 'turn') {
      await page.tap('#board [data-pile=stock] >> nth=-1', { force: true });
    } else {
      const card = await cardOf(page, taken(move));
      for (let taps = 0; ; taps++) {
        assert(taps < 4, `${move} is not reached by taps on ${card}`);
        // Two taps at once are one.
        await page.waitForTimeout(Math.max(0, 340 - (Date.now() - tapped)));
        const before = (await kept(page, rules))?.line;
        await page.locator(`#board [data-key="${card}"]`).tap({ force: true, position: { x: 10, y: 6 } });
        tapped = Date.now();
        if (done.length === moves.length) return isWon(page);
        await page.waitForFunction(([name, before]) => window.lastOpen(name)?.line !== before, [`solitaire/${rules}`, before], { timeout: 15000, polling: 5 });
        await page.waitForTimeout(20);
        if ((await kept(page, rules)).line === done.join('; ')) break;
      }
      continue;
    }
    assert(await hasLine(page, rules, done.join('; ')), `${move} was not played by a tap`);
  }
  await isWon(page);
}

/** Moves the focus by arrows to a card or pile. */
export async function goTo(page, key) {
  for (let presses = 0; presses < 60; presses++) {
    const arrow = await page.evaluate((key) => {
      const top = (pile) => ['stock', 'waste'].includes(pile) || pile.startsWith('f');
      const target = document.querySelector(`#board [data-key="${key}"]`);
      const now = document.activeElement?.closest('#board [data-key]');
      if (!now || !target) return 'ArrowDown';
      if (now === target) return null;
      if (now.dataset.pile === target.dataset.pile) return Number(now.style.zIndex) > Number(target.style.zIndex) ? 'ArrowUp' : 'ArrowDown';
      if (top(now.dataset.pile) === top(target.dataset.pile)) return 'ArrowRight';
      return top(target.dataset.pile) ? 'ArrowUp' : 'ArrowDown';
    }, key);
    if (!arrow) return;
    await page.keyboard.press(arrow);
  }
  assert.fail(`${key} is not reached by arrows`);
}

export async function playByKeys(page, rules, moves) {
  await page.waitForSelector('#board .card');
  const done = [];
  for (const move of moves) {
    done.push(move);
    if (move === 'draw' || move === 'turn') await page.keyboard.press('d');
    else {
      const { from, to, count } = taken(move);
      await goTo(page, await cardOf(page, { from, count }));
      await page.keyboard.press(to);
    }
    if (done.length === moves.length) break;
    assert(await hasLine(page, rules, done.join('; ')), `${move} was not played by keys`);
  }
  await isWon(page);
}

/** The line that the program finds with every card visible. */
export const lineOf = (rules, seed) => etude('solve', 'solitaire', '--rules', rules, '--seed', `${seed}`, '--index', '0')[0].moves.split('; ');

/** What a browser keeps under a name. */
export const keptAs = (page, key) => page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? 'null'), key);

/** What the button to copy a result copies. */
export async function copied(context, page) {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy result' }).click();
  await page.getByText('Copied').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Rules stand beside the board of a wide page; on a phone they follow the tools. The record comes after them. */
export async function checkPlaces(page, address) {
  const box = async (selector) => (await page.$(selector))?.boundingBox();
  const [play, rules, record, tools] = await Promise.all(['.play', '.about section', '#record, #fewest', '#tools'].map(box));
  const isWide = page.viewportSize().width > 960;
  if (isWide) assert(rules.x >= play.x + play.width && rules.y < play.y + 60, `${address}: the rules are not beside the board`);
  else assert(rules.y > tools.y, `${address}: the rules are not below the tools`);
  if (record) assert(record.y > rules.y, `${address}: the record is not below the rules`);
}

/** The coordinates at the edges name every column and row of the board. */
export async function checkEdges(page, address) {
  const { edges, cells } = await page.evaluate(() => ({
    edges: [...document.querySelectorAll('.board .edge')].map((edge) => edge.textContent).filter(Boolean),
    cells: [...document.querySelectorAll('.board [data-cell]')].map((cell) => cell.dataset.cell),
  }));
  const lines = new Set(cells.flatMap((cell) => [`column ${cell[0]}`, `row ${cell.slice(1)}`]));
  assert.equal(edges.length, lines.size, `${address}: ${edges.length} coordinates for ${lines.size} columns and rows`);
}

/** Runs a test, if its name has the word that was asked for. */
export async function check(name, test) {
  if (!name.includes(process.argv[3] ?? '')) return;
  const begin = Date.now();
  await test();
  console.log(`${name}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
}
