// A board of cells that are buttons, with coordinates at its edges: a tap goes to the page, arrows go from a cell to the next.
import { make } from './page.js';

export class Board {
  /**
   * @param {HTMLElement} element
   * @param {((cell: string) => void) | null} tap null of a board that is only looked at
   */
  constructor(element, tap) {
    this.element = element;
    this.tap = tap;
    /** @type {string[]} */
    this.cells = [];
    this.width = 0;
    element.classList.add('board');
    element.addEventListener('keydown', (event) => this.go(event));
  }

  /**
   * Lays out cells by their names, row by row from the top; an empty name is a gap. A name has the column's sign and then the row's.
   * @param {string[]} cells
   * @param {number} width
   * @param {(column: string) => string} [shown] what the edge says of a column
   */
  lay(cells, width, shown = (column) => column) {
    Object.assign(this, { cells, width });
    this.element.style.setProperty('--columns', `${width}`);
    const starts = cells.flatMap((_, index) => (index % width === 0 ? [index] : []));
    const row = (/** @type {number} */ start) => cells.slice(start, start + width);
    const named = (/** @type {number} */ column) => cells.find((cell, index) => cell && index % width === column) ?? '';
    this.element.replaceChildren(
      ...starts.flatMap((start) => [edge(row(start).find(Boolean)?.slice(1)), ...row(start).map((cell) => this.build(cell))]),
      edge(), ...row(0).map((_, column) => edge(shown(named(column).slice(0, 1)))),
    );
    this.rove(cells.find(Boolean) ?? '');
  }

  /** The element of a cell. @param {string} cell */
  build(cell) {
    if (!cell) return make('span');
    const { tap } = this;
    if (!tap) return this.still(cell);
    const button = make('button');
    button.type = 'button';
    button.dataset.cell = cell;
    button.tabIndex = -1;
    button.onclick = () => tap(cell);
    button.onfocus = () => this.rove(cell);
    return button;
  }

  /** The element of a cell that is only looked at. @param {string} cell */
  still(cell) {
    const field = make('span');
    field.dataset.cell = cell;
    field.setAttribute('role', 'img');
    return field;
  }

  /**
   * Draws every cell: its classes, what stands on it, and its name in words.
   * @param {(cell: string) => { classes: string[], content: (Node | string)[], label: string[] }} draw
   */
  show(draw) {
    for (const cell of this.cells.filter(Boolean)) {
      const { classes, content, label } = draw(cell);
      const button = this.button(cell);
      button.className = classes.join(' ');
      button.replaceChildren(...content);
      button.setAttribute('aria-label', [cell, ...label].join(', '));
    }
  }

  /** @param {string} cell @returns {HTMLElement} */
  button(cell) {
    return /** @type {HTMLElement} */ (this.element.querySelector(`[data-cell="${cell}"]`));
  }

  /** The one cell that Tab reaches. @param {string} cell */
  rove(cell) {
    if (!this.tap) return;
    for (const other of this.cells.filter(Boolean)) this.button(other).tabIndex = other === cell ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  go(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.width, ArrowDown: this.width }[event.key];
    const from = this.cells.indexOf(/** @type {HTMLElement} */ (event.target).dataset.cell ?? '');
    if (by === undefined || from < 0) return;
    event.preventDefault();
    const isSideways = Math.abs(by) === 1;
    const isSameRow = (/** @type {number} */ to) => Math.floor(to / this.width) === Math.floor(from / this.width);
    const next = this.cells[from + by];
    if (next && (!isSideways || isSameRow(from + by))) this.button(next).focus();
  }
}

/** A coordinate; hidden from readers of the screen, to whom each cell says its name. @param {string} [text] */
function edge(text = '') {
  const label = make('span', 'edge', text);
  label.setAttribute('aria-hidden', 'true');
  return label;
}

/**
 * A picture of 20 by 20.
 * @param {string} shapes
 * @param {string} name
 */
export function picture(shapes, name) {
  const sign = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  sign.setAttribute('viewBox', '0 0 20 20');
  sign.setAttribute('class', name);
  sign.setAttribute('aria-hidden', 'true');
  sign.innerHTML = shapes;
  return sign;
}
