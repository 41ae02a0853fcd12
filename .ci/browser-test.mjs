// Opens each page in Chromium at two widths, in both themes, and says what is wrong with it.
// Contrast is computed as WCAG 2.2 defines it, success criterion 1.4.3.

import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/** A width of the screen: that of a desk also shows colours of a person's own, and prints. */
const widths = [
  { guises: { light: 'light', dark: 'dark' }, viewport: { width: 1280, height: 900 }, isDesk: true },
  { guises: { phone: 'light', 'phone-dark': 'dark' }, viewport: { width: 390, height: 844 }, isDesk: false },
];

/** Runs in the page: every fault as a sentence. */
function inspect() {
  const faults = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  if (!document.title) faults.push('the page has no title');
  if (!document.documentElement.lang) faults.push('the page names no language');
  if (all('h1').length !== 1) faults.push(`${all('h1').length} headings of level 1`);
  const overflow = document.documentElement.scrollWidth - window.innerWidth;
  if (overflow > 0) faults.push(`the page is ${overflow} px too wide`);

  const ids = all('[id]').map((element) => element.id);
  for (const id of new Set(ids)) {
    if (ids.filter((other) => other === id).length > 1) faults.push(`the id ${id} is not unique`);
  }
  for (const link of all('a[href]')) {
    const target = link.getAttribute('href');
    if (target.startsWith('#') && !document.getElementById(target.slice(1))) {
      faults.push(`the link ${target} leads nowhere`);
    }
    if (!link.textContent.trim()) faults.push(`the link ${target} has no text`);
  }
  // A picture within one is part of it.
  for (const picture of all('svg:not(svg svg)')) {
    if (picture.getAttribute('role') !== 'group' || !picture.getAttribute('aria-label')) {
      faults.push('a plot has no label');
    }
  }
  for (const board of all('img.board')) {
    if (!board.alt) faults.push('a board has no label');
    if (!/%3C(rect|circle|text)/.test(board.src)) faults.push('a board is empty');
  }
  // Every value of a plot is reached by keyboard, and says what it is; on a card it is seen at a glance.
  for (const mark of all(':is(.plot .row:not(.axis, .said), .plot .bar, .plot .dot:not(i), .track):not(.card *)')) {
    const name = mark.getAttribute('aria-label') ?? mark.querySelector('title')?.textContent;
    if (mark.tabIndex !== 0 || !name || !/\d|not settled|not defined|unknown/.test(name)) faults.push(`a mark cannot be reached: ${name}`);
  }
  for (const image of all('img')) {
    if (!image.alt) faults.push('an image has no alternative text');
    if (!image.complete || image.naturalWidth === 0) faults.push(`the image ${image.alt} is broken`);
  }
  for (const table of all('table')) {
    if (!table.caption || !table.querySelector('th[scope]')) faults.push('a table has no caption or heads');
  }
  let level = 1;
  for (const heading of all('h1, h2, h3, h4')) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) faults.push(`the heading ${heading.textContent} skips a level`);
    level = own;
  }
  for (const element of all('*')) {
    const style = getComputedStyle(element);
    const scrolls = element.scrollWidth > element.clientWidth + 1 && ['auto', 'scroll'].includes(style.overflowX);
    if (scrolls && element.clientWidth > 0 && element.tabIndex < 0 && !element.closest('[tabindex]')) {
      faults.push(`${element.tagName} ${element.className} scrolls, but not by keyboard`);
    }
  }

  // No text is cut: not by its plot, not by a box that hides what does not fit, and on a wide
  // screen no table needs scrolling.
  const shown = (box) => box.width > 0 && box.height > 0;
  for (const plot of all('svg.plot')) {
    const frame = plot.getBoundingClientRect();
    const texts = [...plot.querySelectorAll('text')].map((text) => ({ text, box: text.getBoundingClientRect() }));
    for (const { text, box } of texts) {
      const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1
        && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
      if (shown(box) && !inside) faults.push(`the text ${text.textContent} is cut by its plot`);
    }
    // Nor do two texts lie on each other, or a line on a label.
    texts.forEach(({ text, box }, place) => {
      for (const other of texts.slice(place + 1)) {
        const [x, y] = [['left', 'right'], ['top', 'bottom']].map(([low, high]) =>
          Math.min(box[high], other.box[high]) - Math.max(box[low], other.box[low]));
        if (x > 1 && y > 3) faults.push(`${text.textContent} and ${other.text.textContent} overlap`);
      }
    });
    // No mark leaves the frame it is drawn in; areas may be cut by it.
    for (const mark of plot.querySelectorAll('circle, rect, polyline, line.whisker, line.bounds, line.mean')) {
      const [own, around] = [mark, mark.parentElement.closest('svg')].map((one) => one.getBoundingClientRect());
      const inside = own.left >= around.left - 1 && own.right <= around.right + 1
        && own.top >= around.top - 1 && own.bottom <= around.bottom + 1;
      if (shown(around) && !inside) faults.push(`a ${mark.getAttribute('class')} leaves ${plot.getAttribute('aria-label').slice(0, 60)}`);
    }
    // The numbers of an axis differ.
    for (const anchor of ['end', 'middle']) {
      const numbers = [...plot.querySelectorAll(`text.tick[text-anchor=${anchor}]`)].map((text) => text.textContent);
      if (new Set(numbers).size < numbers.length) faults.push(`an axis says ${numbers.join(', ')}`);
    }
    const labels = texts.filter(({ text }) => text.classList.contains('label'));
    for (const line of plot.querySelectorAll('line.mark, line.grid')) {
      const mark = line.getBoundingClientRect();
      for (const { text, box } of labels) {
        const across = mark.left > box.left && mark.right < box.right && mark.top < box.bottom - 3 && mark.bottom > box.top + 3;
        if (across) faults.push(`a line strikes through ${text.textContent}`);
      }
    }
  }
  for (const element of all('body *')) {
    const style = getComputedStyle(element);
    const hides = style.overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1;
    if (hides && !(element instanceof SVGElement) && !element.matches('.card .of')) faults.push(`${element.tagName} cuts ${element.textContent.slice(0, 40)}`);
  }
  if (window.innerWidth >= 1280) {
    for (const region of all('.scroll')) {
      if (region.scrollWidth > region.clientWidth + 1) {
        faults.push(`the table ${region.getAttribute('aria-label')} is cut at ${window.innerWidth} px`);
      }
    }
  }
  // The name of the parameter across is in sight before anyone scrolls.
  for (const head of all('.matrix .across')) {
    const text = document.createRange();
    text.selectNodeContents(head);
    const region = head.closest('.scroll').getBoundingClientRect();
    const box = text.getBoundingClientRect();
    if (shown(box) && box.right > region.right + 1) faults.push(`${head.textContent} is out of sight`);
  }
  // Prose is set, and counts agree with their nouns.
  for (const element of all('h1, h2, p, li, td, dd, figcaption')) {
    // The number of a step is a mark of its own, not a count of what follows.
    const step = element.querySelector(':scope > .step');
    const text = element.textContent.slice(step ? step.textContent.length : 0);
    if (text.includes('`')) faults.push(`a backtick is shown: ${text.slice(0, 60)}`);
    const wrong = text.match(/(?<![\d.,\u2212-])1 (cards|samples|instances|moves|nodes|deals|games|players|threads|steps|sessions|cells|experiments)\b/);
    if (wrong) faults.push(`"${wrong[0]}" in ${text.slice(0, 60)}`);
  }
  // Labels are whole: what opens closes.
  for (const element of all('svg text, svg title, td, th, .verdict, figcaption, p.title')) {
    const text = element.tagName === 'text' ? '' : element.textContent;
    if (text.split('(').length !== text.split(')').length) faults.push(`garbled: ${text.slice(0, 60)}`);
  }

  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const drawn = new Map();
  const rgba = (colour) => {
    if (!drawn.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      drawn.set(colour, canvas.getImageData(0, 0, 1, 1).data);
    }
    return drawn.get(colour);
  };
  const luminance = (colour) => {
    const [r, g, b] = [...colour].slice(0, 3).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return rgba('white');
  };
  const told = new Set();
  for (const element of all('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || ['TITLE', 'STYLE', 'SCRIPT'].includes(element.tagName.toUpperCase())) continue;
    const style = getComputedStyle(element);
    const ink = element instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [luminance(rgba(ink)), luminance(background(element))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    const kind = `${element.tagName}.${element.getAttribute('class') ?? ''}`;
    if (contrast < 4.5 && !told.has(kind)) {
      told.add(kind);
      faults.push(`${kind} has a contrast of ${contrast.toFixed(2)}: ${element.textContent.slice(0, 40)}`);
    }
  }
  const markup = document.documentElement.outerHTML.replace(/<script>[^]*?<\/script>/g, '');
  if (markup.match(/NaN|Infinity|undefined/)) faults.push('a number is none');
  return faults;
}

/** Runs in the index of a site: every entry has a number, the filters filter, and a phone sees every game soon. */
function inspectIndex() {
  const faults = [];
  const items = [...document.querySelectorAll('.index li')];
  const game = document.querySelector('#game');
  if (!game) return faults;
  for (const item of items) {
    if (!/\d|Proved/.test(item.querySelector('.figure').textContent)) faults.push(`${item.textContent.slice(0, 40)} has no number`);
  }
  const titles = [...document.querySelectorAll('.index')].map((list) => list.closest('details'));
  const bottom = titles.at(-1).getBoundingClientRect().top;
  const folded = titles.filter((title) => !title.open).length;
  if (window.innerWidth <= 640 && (bottom > 4000 || folded === 0)) faults.push(`the last game begins at ${Math.round(bottom)} px`);
  if (window.innerWidth > 640 && folded > 0) faults.push(`${folded} games are folded`);
  for (const choice of [...game.options].slice(1)) {
    game.value = choice.value;
    game.dispatchEvent(new Event('input', { bubbles: true }));
    const shown = items.filter((item) => !item.hidden).map((item) => item.checkVisibility() && item.dataset.game);
    if (shown.length === 0 || shown.some((name) => name !== choice.value)) faults.push(`the filter ${choice.value} shows ${shown}`);
  }
  game.value = '';
  game.dispatchEvent(new Event('input', { bubbles: true }));
  if (items.some((item) => item.hidden)) faults.push('a filter stays');
  const sections = [...document.querySelectorAll('section h2')].map((title) => title.textContent);
  if (sections.slice(0, -1).includes('Demonstrations')) faults.push('demonstrations are not last');
  return faults;
}

/** Runs in the page as it opens: the number and the start of its picture are in sight. */
function inspectTop() {
  const faults = [];
  if (document.querySelectorAll('article').length !== 1) return faults;
  const [number, hero] = ['.headline', '.hero'].map((name) => document.querySelector(name));
  if (!number || number.getBoundingClientRect().bottom > window.innerHeight) faults.push('the number is below the fold');
  const picture = hero?.querySelector('.plot, table');
  if (!picture) return [...faults, 'there is no picture on top'];
  const box = picture.getBoundingClientRect();
  const enough = Math.min(box.height, 160);
  if (box.top + enough > window.innerHeight) faults.push(`the picture is below the fold, at ${Math.round(box.top)} px`);
  return faults;
}

/** Faults of the switch of a replay: the cards under the backs are seen while it is set, by keyboard, and only then. */
async function turnOver(replay) {
  const down = replay.locator('.down');
  const seen = () => down.evaluateAll((cards) => cards.filter((card) => getComputedStyle(card).visibility === 'visible').length);
  const [box] = await replay.locator('.toggle input').all();
  const count = await down.count();
  if (!box) return count > 0 ? ['face-down cards have no switch'] : [];
  const faults = await seen() > 0 ? ['face-down cards are seen'] : [];
  await box.press('Space');
  if (count === 0 || await seen() < count) faults.push('the switch shows no face-down cards');
  await box.press('Space');
  if (await seen() > 0) faults.push('face-down cards stay turned over');
  return faults;
}

/** Steps that a mouse makes; in a longer game the button is pressed by the page itself from there on. */
const MOST_CLICKS = 30;

/** Steps through every game to its end, with a mouse that clicks where the button is. */
async function step(tab) {
  const faults = [];
  for (const replay of await tab.locator('.replay').all()) {
    faults.push(...await turnOver(replay));
    const steps = replay.locator('.steps > li');
    const count = await steps.count();
    if (count < 2) continue;
    const [, , forward] = await replay.locator('button').all();
    await forward.click();
    const box = await forward.boundingBox();
    const byMouse = Math.min(count, MOST_CLICKS);
    for (let at = 2; at < byMouse; at += 1) await tab.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await forward.evaluate((button, times) => { for (let at = 0; at < times; at += 1) button.click(); }, count - byMouse);
    if (!await steps.nth(count - 1).isVisible()) faults.push('the buttons do not reach the last step');
    await replay.locator('.steps').press('ArrowLeft');
    if (!await steps.nth(count - 2).isVisible()) faults.push('the arrow keys do not step back');
    if (await replay.locator('.steps > li:visible').count() !== 1) faults.push('several boards are shown at once');
    await replay.locator('.steps').press('Home');
  }
  return faults;
}

/** Runs in the page: the estimates of each run, with the folder that its commands name. */
function estimates() {
  const column = (table, name) => [...table.tHead.rows[0].cells].findIndex((head) => head.textContent === name);
  return [...document.querySelectorAll('article:has([id$=-estimates])')].map((article) => ({
    folder: article.querySelector('.command')?.textContent.match(/ verify (\S+)/)?.[1],
    headline: article.querySelector('.headline')?.textContent ?? '',
    rows: [...article.querySelectorAll('[id$=-estimates] table')].flatMap((table) => [...table.tBodies[0].rows].map((row) => ({
      metric: row.cells[column(table, 'Metric')].textContent, text: row.cells[column(table, 'Estimate')].textContent,
    }))),
  }));
}

/** The number that a text starts with, and half a unit of its last digit; of shares in per cent. */
function read(text) {
  const plain = text.replace(/[\s$,]/g, '').replace('\u2212', '-');
  const ratio = plain.match(/^(\d+)of(\d+)$/);
  if (ratio) return { value: ratio[1] / ratio[2], half: 1e-12 };
  const found = plain.match(/^(-?\d+)(?:\.(\d+))?(?:×10([⁻⁰¹²³⁴-⁹]+))?(%|k|M)?/);
  if (!found) return undefined;
  const [, whole, decimals = '', power = '', scale] = found;
  const exponent = Number([...power].map((digit) => (digit === '⁻' ? '-' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit))).join(''));
  const factor = 10 ** exponent * ({ '%': 0.01, k: 1e3, M: 1e6 }[scale] ?? 1);
  const zeros = decimals ? 0 : whole.match(/[1-9](0*)$/)?.[1].length ?? 0;
  const value = Number(decimals ? `${whole}.${decimals}` : whole);
  return { value: value * factor, half: 0.5 * 10 ** (zeros - decimals.length) * factor };
}

/** Half a unit of the last digit of a number; a zero does not tell it, and has that of the ends of its interval, of two digits. */
function halfUnit({ value, half }, lo, hi) {
  if (value !== 0 || lo === '' || hi === '' || hi - lo <= 0) return half;
  return Math.max(half, 0.5 * 10 ** (Math.floor(Math.log10((hi - lo) / 2)) - 1));
}

/** The fields of a line of a table. */
const fields = (line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(,|$)/g)].map((found) => found[1].replace(/^"|"$/g, ''));

/** Faults of the numbers of a page, held against the tables that it was made of. */
function compare(runs) {
  const faults = [];
  for (const { folder, headline, rows } of runs) {
    if (!folder || !existsSync(`${folder}/summary.csv`)) {
      faults.push(`no table to hold the numbers against: ${folder}`);
      continue;
    }
    const [header, ...lines] = readFileSync(`${folder}/summary.csv`, 'utf8').trim().split('\n').map(fields);
    const at = (name) => header.indexOf(name);
    // A page with fewer rows than the table shows some of its cells.
    rows.forEach(({ metric, text }, place) => {
      const shown = read(text);
      const own = rows.length === lines.length ? [lines[place]] : lines.filter((line) => line[at('metric')] === metric);
      const stored = own.flatMap((line) => [line[at('mean')], line[at('mean_lo')]]);
      const half = shown && halfUnit(shown, own[0]?.[at('ci_lo')] ?? '', own[0]?.[at('ci_hi')] ?? '');
      const fits = (field) => field !== '' && Math.abs(field - shown.value) <= half * 1.000001 + 1e-12 * Math.abs(field);
      if (shown && stored.some((field) => field !== '') && !stored.some(fits)) faults.push(`${metric} is ${text}, not ${stored[0]}`);
    });
  }
  return faults;
}

/** Whether a page holds many runs, as no page of a site does. */
const isCollection = (page) => path.basename(page) === 'all.html';

/** Runs in the page, with colours of a person's own or as it is printed: every mark of a chart can be seen. */
function inspectMarks() {
  const paper = getComputedStyle(document.body).backgroundColor;
  const isPrint = matchMedia('print').matches;
  const unseen = [...document.querySelectorAll('.lane i.dot:not(.hollow), .lane i.fill, .columns .bar')].filter((mark) => {
    const { backgroundColor, printColorAdjust } = getComputedStyle(mark);
    return mark.checkVisibility() && (backgroundColor === paper || (isPrint && printColorAdjust !== 'exact'));
  });
  return unseen.length > 0 ? [`${unseen.length} marks cannot be seen`] : [];
}

/** The most sheets that a page prints: the index of a site, and others. */
const SHEETS = { index: 20, other: 6 };

/** Faults of a page with colours of a person's own, and on paper. */
async function lookAtMedia(tab, page) {
  await tab.emulateMedia({ forcedColors: 'active' });
  const faults = await tab.evaluate(inspectMarks);
  const sheets = (await tab.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page[^s]/g).length;
  if (sheets > (path.basename(page) === 'index.html' ? SHEETS.index : SHEETS.other)) faults.push(`it prints ${sheets} sheets`);
  await tab.emulateMedia({ forcedColors: 'none', media: 'print' });
  faults.push(...await tab.evaluate(inspectMarks));
  await tab.emulateMedia({ media: 'screen' });
  return faults;
}

/** Faults of a page whatever its colours are: where things stand, and what keys and buttons do. */
async function use(tab, page) {
  const faults = [];
  const size = statSync(page).size;
  if (!isCollection(page) && size >= 400_000) faults.push(`the page has ${size} bytes`);
  faults.push(...await tab.evaluate(inspectTop), ...await tab.evaluate(inspectIndex));
  await tab.keyboard.press('Tab');
  const first = await tab.evaluate(() => document.activeElement.className);
  if (first !== 'skip') faults.push(`the first stop of the keyboard is ${first || 'nothing'}`);
  await tab.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
  faults.push(...await step(tab));
  // Boards that are hidden or out of sight are loaded, too.
  await tab.evaluate(() => Promise.all([...document.images].map((image) => { image.loading = 'eager'; return image.decode().catch(() => {}); })));
  faults.push(...compare(await tab.evaluate(estimates)));
  return faults;
}

/** Keeps a picture of each guise of a page, as it is before anything is opened. */
async function photograph(tab, page, guises) {
  await tab.evaluate(() => {
    window.scrollTo(0, 0);
    document.activeElement.blur();
    document.querySelectorAll('details').forEach((one) => { one.open = false; });
  });
  for (const [name, colorScheme] of Object.entries(guises)) {
    await tab.emulateMedia({ colorScheme });
    await tab.screenshot({ path: path.join(import.meta.dirname, `${path.basename(page, '.html')}-${name}.png`), fullPage: true });
  }
}

/** Looks at a page at one width, and returns the number of its faults. */
async function look(browser, page, { guises, viewport, isDesk }) {
  const tab = await browser.newPage({ viewport, colorScheme: 'light' });
  // The page of all runs is long, and a busy machine slow.
  tab.setDefaultTimeout(180_000);
  const faults = [];
  tab.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) faults.push(`fetches ${request.url()}`);
  });
  tab.on('console', (message) => {
    if (message.type() === 'error') faults.push(`the console says ${message.text()}`);
  });
  await tab.goto(pathToFileURL(path.resolve(page)).href);
  if (isDesk && !isCollection(page)) faults.push(...await lookAtMedia(tab, page));
  faults.push(...await use(tab, page));
  for (const [name, colorScheme] of Object.entries(guises)) {
    await tab.emulateMedia({ colorScheme });
    faults.push(...(await tab.evaluate(inspect)).map((fault) => `${name}: ${fault}`));
  }
  await photograph(tab, page, guises);
  await tab.close();
  console.log([`${page}, ${Object.keys(guises).join(' and ')}: ${faults.length === 0 ? 'sound' : ''}`, ...new Set(faults)].join('\n  '));
  return faults.length;
}

/** Pages that are open at once: one waits for the browser while another is drawn. */
const OPEN_AT_ONCE = 4;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
const waiting = process.argv.slice(2).flatMap((page) => widths.map((width) => ({ page, width })));
let wrong = 0;
async function lookAtNext() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const faults = await look(browser, next.page, next.width);
    wrong += faults;
  }
}
await Promise.all(Array.from({ length: OPEN_AT_ONCE }, lookAtNext));
await browser.close();
process.exit(wrong === 0 ? 0 : 1);
