// The keys of a page: the one place that tells a move from what belongs to the browser.

/** What is written into or chosen from: its keys are its own. */
const FIELDS = 'input:not([type=range]), select, textarea, summary, dialog';
/** What Enter and the space bar press. */
const PRESSED = 'button, a[href]';

/**
 * Does what a key stands for: `moves` by the key in lower case, else `other`, which says whether it took the key. Ctrl+Z, and ⌘Z, undo;
 * every other shortcut is the browser's.
 * @param {{ [key: string]: () => unknown }} moves
 * @param {{ undo?: () => unknown, other?: (key: string) => boolean }} [rest]
 */
export function onKeys(moves, { undo, other } = {}) {
  document.addEventListener('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    const key = event.key.toLowerCase();
    if (event.defaultPrevented || event.isComposing || target.closest(FIELDS)) return;
    if (event.altKey || event.ctrlKey || event.metaKey) {
      if (key !== 'z' || event.altKey || event.shiftKey || !undo) return;
      event.preventDefault();
      return void undo();
    }
    const isOfTarget = target.closest(PRESSED) ? ['enter', ' '].includes(key) : target.matches('input') && key.startsWith('arrow');
    if (isOfTarget) return;
    const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
    if (move) move();
    if (move || other?.(key)) event.preventDefault();
  });
}
