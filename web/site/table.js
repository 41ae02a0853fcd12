// The table: cards in their places, as a View tells them; knows no rules and no engine.
import { picture } from './board.js';
import { counted, make } from './page.js';

/**
 * @typedef {{ down: number, hidden: string[], up: string[] }} Column
 * @typedef {{ text: string, card: string | null, told: string }} Choice
 * @typedef {{ columns: Column[], waste: string[], stock: number, foundations: (string | null)[], founded: number,
 *   moves: Choice[], text: string, won: boolean, played: number, line: string, peeked: number }} View
 * @typedef {{ key: string, pile: string, index: number, x: number, y: number, z: number, card: string | null, name: string, back?: string }} Piece
 */

/** @type {{ [sign: string]: string }} */
const SUITS = { H: 'hearts', D: 'diamonds', C: 'clubs', S: 'spades' };
/** @type {{ [sign: string]: string }} */
const RANKS = { A: 'ace', T: '10', J: 'jack', Q: 'queen', K: 'king' };
const ORDER = ['H', 'D', 'C', 'S'];

/**
 * A card in words: `TD` is the 10 of diamonds.
 * @param {string} card
 */
export const inWords = (card) => `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]]}`;

/** @type {{ [sign: string]: string }} */
const SIGNS = {
  H: 'M10 18 C4 13 1.5 9.8 1.5 6.6 C1.5 4 3.4 2.2 5.7 2.2 C7.6 2.2 9.2 3.3 10 5 C10.8 3.3 12.4 2.2 14.3 2.2 C16.6 2.2 18.5 4 18.5 6.6 C18.5 9.8 16 13 10 18 Z',
  D: 'M10 1 L17 10 L10 19 L3 10 Z',
  C: 'M10 1.5 A4 4 0 0 1 13 8.2 A4 4 0 1 1 11.2 14.2 C11.3 16 12 17.3 13.6 18.5 H6.4 C8 17.3 8.7 16 8.8 14.2 A4 4 0 1 1 7 8.2 A4 4 0 0 1 10 1.5 Z',
  S: 'M10 1.5 C15 6 18 8.8 18 11.9 C18 14.2 16.3 15.6 14.4 15.6 C13 15.6 11.8 14.9 11.2 13.9 C11.3 16 12 17.3 13.6 18.5 H6.4 C8 17.3 8.7 16 8.8 13.9 C8.2 14.9 7 15.6 5.6 15.6 C3.7 15.6 2 14.2 2 11.9 C2 8.8 5 6 10 1.5 Z',
};

/** True if the window is as low as that of a phone held sideways; as `style.css` has it. */
const isLow = () => window.matchMedia('(max-height: 30rem) and (orientation: landscape)').matches;

/** @param {string} suit @param {string} name */
const suitSign = (suit, name) => picture(`<path d="${SIGNS[suit]}"/>`, name);

export class Table {
  /** @param {HTMLElement} board @param {boolean} hasStock */
  constructor(board, hasStock) {
    this.board = board;
    this.hasStock = hasStock;
    /** @type {Map<string, HTMLElement>} */
    this.elements = new Map();
    /** @type {Piece[]} */
    this.pieces = [];
    this.size = { w: 50, h: 70, gap: 5, width: 0 };
    /** The pile that the keyboard is at. */
    this.at = hasStock ? 'stock' : '1';
    const piles = [...(hasStock ? ['stock', 'waste'] : []), ...ORDER.map((suit) => `f${suit}`), '1', '2', '3', '4', '5', '6', '7'];
    /** The cards of each pile in their order, as a reader of the screen tells them. @type {Map<string, HTMLElement>} */
    this.piles = new Map(piles.map((pile) => [pile, make('div')]));
    for (const list of this.piles.values()) list.setAttribute('role', 'list');
    board.append(...this.piles.values());
  }

  /**
   * Shows a view.
   * @param {View} view
   */
  show(view) {
    this.view = view;
    this.measure();
    const before = this.focused();
    this.pieces = [...this.slots(), ...this.top(view), ...view.columns.flatMap((column, place) => this.column(column, place))];
    const keys = new Set(this.pieces.map(({ key }) => key));
    for (const [key, element] of this.elements) {
      if (!keys.has(key)) {
        element.parentElement?.remove();
        this.elements.delete(key);
      }
    }
    this.pieces.forEach((piece) => this.put(piece));
    for (const pile of this.piles.keys()) this.list(pile, view);
    const lowest = Math.max(...this.pieces.map(({ y }) => y)) + this.size.h;
    this.board.style.height = `${Math.max(lowest, 3.4 * this.size.h)}px`;
    if (before) this.focus(this.pieces.find(({ key }) => key === before.key) ?? this.last(before.pile));
    else this.rove(this.pieces.find(({ pile }) => pile === this.at) ?? this.pieces[0]);
  }

  measure() {
    const width = this.board.clientWidth;
    const gap = Math.max(3, Math.min(14, width * 0.014));
    // A phone held sideways shows both rows.
    const w = Math.min(92, (width - 6 * gap) / 7, isLow() ? 0.145 * window.innerHeight : Infinity);
    this.size = { w, h: 1.4 * w, gap, width };
    this.board.style.setProperty('--w', `${w}px`);
    this.board.style.setProperty('--h', `${1.4 * w}px`);
  }

  /** The left edge of a column. @param {number} place */
  left(place) {
    const { w, gap, width } = this.size;
    const spread = Math.min((width - 7 * w) / 6, 3 * gap);
    const margin = (width - 7 * w - 6 * spread) / 2;
    return margin + place * (w + spread);
  }

  /** @returns {Piece[]} */
  slots() {
    const { h, gap } = this.size;
    const second = h + 2 * gap;
    /** @param {string} pile @param {number} place @param {number} y @param {string} name @returns {Piece} */
    const slot = (pile, place, y, name) => ({ key: `slot ${pile}`, pile, index: -1, x: this.left(place), y, z: 0, card: null, name });
    return [
      ...(this.hasStock ? [slot('stock', 0, 0, this.view?.waste.length ? 'Stock, empty: turn the waste over' : 'Stock, empty')] : []),
      ...ORDER.map((suit, index) => slot(`f${suit}`, 3 + index, 0, `Foundation of ${SUITS[suit]}, empty`)),
      ...[0, 1, 2, 3, 4, 5, 6].map((place) => slot(`${place + 1}`, place, second, `Column ${place + 1}, empty`)),
    ];
  }

  /** Stock, waste and foundations. @param {View} view @returns {Piece[]} */
  top(view) {
    const pieces = [];
    if (view.stock > 0) {
      pieces.push({ key: 'stock', pile: 'stock', index: 0, x: this.left(0), y: 0, z: 1, card: null, back: `${view.stock}`, name: `Stock, ${counted(view.stock, 'card')}` });
    }
    const shown = view.waste.slice(-3);
    const step = Math.min(0.42 * this.size.w, (this.left(3) - this.left(1) - this.size.w) / 2.2);
    shown.forEach((card, index) => {
      const name = `${inWords(card)}, waste${index + 1 < shown.length ? ', covered' : ''}`;
      pieces.push({ key: card, pile: 'waste', index, x: this.left(1) + index * step, y: 0, z: 1 + index, card, name });
    });
    view.foundations.forEach((card, suit) => {
      if (!card) return;
      const place = { pile: `f${ORDER[suit]}`, x: this.left(3 + suit), y: 0 };
      const below = 'A23456789TJQK'['A23456789TJQK'.indexOf(card[0]) - 1];
      if (below) pieces.push({ ...place, key: below + card[1], index: 0, z: 1, card: below + card[1], name: `${inWords(below + card[1])}, covered` });
      pieces.push({ ...place, key: card, index: 1, z: 2, card, name: `${inWords(card)}, foundation` });
    });
    return pieces;
  }

  /** @param {Column} column @param {number} place @returns {Piece[]} */
  column(column, place) {
    const { h, gap } = this.size;
    let [down, up] = [0.13 * h, 0.34 * h];
    const room = isLow() ? window.innerHeight - h - 2 * gap - 60 : Math.max(3.6 * h, Math.min(window.innerHeight - 330, 6 * h));
    const length = column.down * down + Math.max(0, column.up.length - 1) * up + h;
    if (length > room) [down, up] = [down, up].map((step) => (step * (room - h)) / (length - h));
    const pile = `${place + 1}`;
    const base = { pile, x: this.left(place) };
    let y = h + 2 * gap;
    const pieces = [];
    for (let index = 0; index < column.down; index++, y += down) {
      const card = column.hidden[index] ?? null;
      const name = card ? `${inWords(card)}, face down in column ${pile}` : `Face down in column ${pile}`;
      pieces.push({ ...base, key: `down ${pile} ${index}`, index, y, z: index + 1, card, back: '', name });
    }
    column.up.forEach((card, index) => {
      pieces.push({ ...base, key: card, index: column.down + index, y, z: column.down + index + 1, card, name: `${inWords(card)}, column ${pile}` });
      y += up;
    });
    return pieces;
  }

  /** Puts a piece in its place, making its element where there is none. @param {Piece} piece */
  put(piece) {
    let element = this.elements.get(piece.key);
    if (!element) {
      element = this.build(piece);
      this.elements.set(piece.key, element);
      const item = make('div');
      item.setAttribute('role', 'listitem');
      item.append(element);
    }
    element.style.transform = `translate(${piece.x}px, ${piece.y}px)`;
    element.style.zIndex = `${piece.z}`;
    element.setAttribute('aria-label', piece.name);
    element.dataset.pile = piece.pile;
    if (piece.key === 'stock') /** @type {HTMLElement} */ (element.firstChild).textContent = piece.back ?? '';
    if (piece.key === 'slot stock') element.textContent = this.view?.waste.length ? '↻' : '';
  }

  /** Puts the pieces of a pile in their order, and names the pile. Not told are slots under cards, cards under others of a foundation, and cards that nobody has seen. @param {string} pile @param {View} view */
  list(pile, view) {
    const list = /** @type {HTMLElement} */ (this.piles.get(pile));
    const pieces = this.pieces.filter((piece) => piece.pile === pile);
    const isTold = (/** @type {Piece} */ piece) => (piece.index < 0 || pile[0] === 'f' ? piece === pieces.at(-1) : pile === 'stock' || piece.card !== null);
    pieces.forEach((piece, place) => {
      const element = /** @type {HTMLElement} */ (this.elements.get(piece.key));
      const item = /** @type {HTMLElement} */ (element.parentElement);
      item.setAttribute('aria-hidden', `${!isTold(piece)}`);
      if (list.children[place] === item) return;
      const from = item.isConnected ? element.getBoundingClientRect() : null;
      list.insertBefore(item, list.children[place] ?? null);
      if (from) this.glide(element, from, piece);
    });
    list.setAttribute('aria-label', this.told(pile, view));
    list.hidden = pieces.length === 0;
  }

  /** Moves a card that has changed its pile from where it was. @param {HTMLElement} element @param {DOMRect} from @param {Piece} piece */
  glide(element, from, { x, y }) {
    const box = this.board.getBoundingClientRect();
    const place = (/** @type {number} */ left, /** @type {number} */ top) => ({ transform: `translate(${left}px, ${top}px)` });
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!isStill) element.animate([place(from.left - box.left, from.top - box.top), place(x, y)], 140);
  }

  /** A pile in words. @param {string} pile @param {View} view */
  told(pile, view) {
    if (pile === 'stock') return 'Stock';
    if (pile === 'waste') return `Waste, ${counted(view.waste.length, 'card')}`;
    if (pile[0] === 'f') return `Foundation of ${SUITS[pile[1]]}`;
    const { down } = view.columns[Number(pile) - 1];
    return `Column ${pile}${down > 0 ? `, ${counted(down, 'card')} face down` : ''}`;
  }

  /** @param {Piece} piece @returns {HTMLElement} */
  build(piece) {
    const element = make('button', 'card');
    element.type = 'button';
    element.dataset.key = piece.key;
    element.tabIndex = -1;
    if (piece.index < 0) {
      element.className = 'slot';
      if (piece.pile[0] === 'f') element.append(suitSign(piece.pile[1], ''));
      return element;
    }
    if (piece.back !== undefined && !piece.card) {
      element.classList.add('back');
      if (piece.back) element.append(make('span', '', piece.back));
      return element;
    }
    const [rank, suit] = /** @type {string} */ (piece.card);
    element.classList.toggle('open', piece.back !== undefined);
    element.classList.toggle('red', suit === 'H' || suit === 'D');
    element.append(make('b', '', rank === 'T' ? '10' : rank), suitSign(suit, 'small'), suitSign(suit, 'large'));
    return element;
  }

  /** The piece of an element. @param {EventTarget | null} target @returns {Piece | undefined} */
  pieceOf(target) {
    const element = /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest('[data-key]') : null);
    return this.pieces.find(({ key }) => key === element?.dataset.key);
  }

  /** The topmost piece of a pile. @param {string} pile */
  last(pile) {
    return this.pieces.filter((piece) => piece.pile === pile).at(-1);
  }

  /** The cards from one on to the end of its column. @param {Piece} piece */
  run(piece) {
    return this.pieces.filter(({ pile, index }) => pile === piece.pile && index >= piece.index);
  }

  /** The pile at a point of the board. @param {number} x @param {number} y */
  pileAt(x, y) {
    const { w, h, gap } = this.size;
    const distance = (/** @type {Piece} */ piece) => Math.abs(piece.x + w / 2 - x);
    const isTop = y < h + gap;
    const slots = this.slots().filter((slot) => (slot.y === 0) === isTop);
    return slots.sort((one, other) => distance(one) - distance(other))[0].pile;
  }

  // The keyboard: one card can be reached by Tab, arrows go from it to the others.

  focused() {
    return this.pieceOf(document.activeElement);
  }

  /** @param {Piece | undefined} piece */
  rove(piece) {
    if (!piece) return;
    this.at = piece.pile;
    for (const [key, element] of this.elements) element.tabIndex = key === piece.key ? 0 : -1;
  }

  /** @param {Piece | undefined} piece */
  focus(piece) {
    this.rove(piece);
    const element = piece && this.elements.get(piece.key);
    element?.focus({ preventScroll: true });
    if (piece && element?.matches(':focus-visible')) this.reveal(piece);
  }

  /** Scrolls to a piece that has the focus, clear of the tools at the bottom; its card may still be on its way. @param {Piece} piece */
  reveal({ y }) {
    const top = this.board.getBoundingClientRect().top + y;
    const tools = document.getElementById('tools');
    const isStuck = tools && getComputedStyle(tools).position === 'sticky';
    const bottom = window.innerHeight - (isStuck ? tools.offsetHeight : 0);
    if (top < 0) window.scrollBy(0, top - 8);
    else if (top + this.size.h > bottom) window.scrollBy(0, top + this.size.h - bottom + 8);
  }

  /** The piece an arrow leads to. @param {Piece} from @param {string} arrow the key in lower case */
  towards(from, arrow) {
    const rows = [['stock', 'waste', 'fH', 'fD', 'fC', 'fS'], ['1', '2', '3', '4', '5', '6', '7']];
    const row = rows.findIndex((piles) => piles.includes(from.pile));
    const there = (/** @type {string} */ pile) => this.last(pile);
    if (arrow === 'arrowleft' || arrow === 'arrowright') {
      const piles = rows[row].filter(there);
      const next = piles.indexOf(from.pile) + (arrow === 'arrowleft' ? -1 : 1);
      return there(piles[(next + piles.length) % piles.length]);
    }
    if (row === 1) {
      const up = this.pieces.filter(({ pile, index, back }) => pile === from.pile && index >= 0 && back === undefined);
      const next = up[up.findIndex(({ key }) => key === from.key) + (arrow === 'arrowup' ? -1 : 1)];
      if (next) return next;
      if (arrow === 'arrowdown') return from;
    }
    const piles = rows[1 - row].filter(there);
    const near = (/** @type {string} */ pile) => Math.abs((there(pile)?.x ?? 0) - from.x);
    return there(piles.sort((one, other) => near(one) - near(other))[0]);
  }
}
