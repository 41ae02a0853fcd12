// What every page does: elements, days, words.

/** Today as a number: 25 November 2026 is 20261125. */
export function today() {
  const now = new Date();
  return now.getFullYear() * 10000 + (now.getMonth() + 1) * 100 + now.getDate();
}

/**
 * A puzzle: the seed that draws it, or `SEED.SAMPLE`, another sample of an experiment with that seed.
 * @typedef {number | string} Puzzle
 */

/** A puzzle as an address or a name has it. @param {string} text @returns {Puzzle} */
export const puzzleOf = (text) => (text.includes('.') ? text : Number(text));

/**
 * A number such as 20261125 as a date in words; null if it is none.
 * @param {Puzzle} seed
 */
export function asDate(seed) {
  if (typeof seed === 'string') return null;
  const [year, month, day] = [Math.floor(seed / 10000), Math.floor(seed / 100) % 100, seed % 100];
  const date = new Date(year, month - 1, day);
  const is = year > 1900 && year < 3000 && date.getMonth() === month - 1 && date.getDate() === day;
  return is ? date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }) : null;
}

/**
 * The element of an id.
 * @param {string} id
 * @returns {any}
 */
export const at = (id) => document.getElementById(id);

/**
 * A new element with a class and a text.
 * @param {string} tag
 * @param {string} [name]
 * @param {string} [text]
 * @returns {any}
 */
export function make(tag, name = '', text = '') {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text) element.textContent = text;
  return element;
}

/**
 * A number with its noun: `1 card`, `2,000 cards`.
 * @param {number} number
 * @param {string} noun
 */
export const counted = (number, noun) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

/**
 * A number with its sign before its unit.
 * @param {number} number @param {(number: number) => string} amount in words without a sign @param {string} [plus]
 */
export const signed = (number, amount, plus = '') => `${number > 0 ? plus : number < 0 ? '\u2212' : ''}${amount(Math.abs(number))}`;

/**
 * Says what nobody else has caught, so that a page never waits in silence.
 * @param {(text: string) => void} say
 */
export function sayFaults(say) {
  window.addEventListener('unhandledrejection', ({ reason }) => say(`${reason?.message ?? reason}`));
}

/** Keeps the pages for a visit without a network. */
export function keepOffline() {
  if ('serviceWorker' in navigator) navigator.serviceWorker.register(new URL('offline.js', import.meta.url)).catch(() => undefined);
}

/**
 * A number whose game was not played: today's, or one that is no date.
 * @param {Puzzle} seed
 * @param {(seed: number) => boolean} isPlayed
 */
export function nextSeed(seed, isPlayed) {
  let next = typeof seed === 'string' ? today() : seed === today() || asDate(seed) === null ? seed + 1 : today();
  while (asDate(next) !== null || isPlayed(next)) next = 1 + Math.floor(Math.random() * 1e6);
  return next;
}

/**
 * Writes the address of what is shown: a step of the browser's history if the person asked for it here.
 * @param {string} address
 * @param {boolean} [isNew]
 */
export function visit(address, isNew = false) {
  if (location.hash !== address) history[isNew ? 'pushState' : 'replaceState'](null, '', address);
}

/**
 * Asks before a game is left: true if the person goes on to what was asked for.
 * @param {string} question
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export function asks(question, yes) {
  const [dialog, form] = [make('dialog', 'box'), make('form', 'bar')];
  const [go, stay] = [make('button', 'main', yes), make('button', '', 'Stay')];
  form.method = 'dialog';
  [go.value, stay.value] = ['go', 'stay'];
  form.append(go, stay);
  dialog.append(make('p', '', question), form);
  dialog.setAttribute('aria-label', question);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((answer) => {
    dialog.onclose = () => {
      dialog.remove();
      answer(dialog.returnValue === 'go');
    };
  });
}

/** The games to go on with that are named at a time. */
const NAMED = 5;

/**
 * Names the games that were left open, each with its address, in the element `open`.
 * @param {{ words: string, address: string }[]} games
 */
export function showOpen(games) {
  const links = games.slice(0, NAMED).flatMap(({ words, address }, place) => {
    const link = make('a', '', words);
    link.href = address;
    return [place > 0 ? ' · ' : '', link];
  });
  const more = games.length > NAMED ? ` and ${games.length - NAMED} more` : '';
  at('open').replaceChildren('Go on with: ', ...links, more);
  at('open').hidden = games.length === 0;
}

/**
 * A row of tools that begins with the button to the next game.
 * @param {string} text
 * @param {() => void} go
 */
export function nextTools(text, go) {
  const tools = make('div', 'bar');
  const next = make('button', 'main', text);
  next.onclick = go;
  tools.append(next);
  return tools;
}

/**
 * A button that copies a game's result with the address of the page.
 * @param {string | (() => string)} words
 * @param {(text: string) => void} say
 */
export function resultButton(words, say) {
  const button = make('button', '', 'Copy result');
  button.onclick = () => copy(`${typeof words === 'string' ? words : words()}\n${location.href}`, button, say);
  return button;
}

/**
 * Copies a text, and says so on the button; says the text where nothing can be copied.
 * @param {string} text
 * @param {HTMLElement} button
 * @param {(text: string) => void} say
 */
export async function copy(text, button, say) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    say(text);
  }
  setTimeout(() => (button.textContent = before), 1500);
}
