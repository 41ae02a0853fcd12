// The chances over a game: as a chart in the page, and as the picture that is shared.

/** @typedef {import('./review.js').Told} Told */

/** A corner of the curve: moves made, chances in points; `isPlay` where the line to it is a decision and not the cards. @typedef {{ x: number, y: number, isPlay: boolean }} Corner */

/** The corners of the curve: what a decision did goes straight up or down. @param {Told} told @param {number} moves @returns {Corner[]} */
export function corners({ curve, ends: [start, end] }, moves) {
  const steps = curve.flatMap(([x, before, after]) => [{ x, y: before, isPlay: false }, { x, y: after, isPlay: true }]);
  return [{ x: 0, y: start, isPlay: false }, ...steps, { x: moves, y: end, isPlay: false }];
}

const [WIDTH, HEIGHT, LEFT, EDGE] = [600, 190, 34, 14];

/**
 * The chart, with marks that show their boards.
 * @param {Told} told @param {number} moves @param {number[]} marked @param {(number: number) => void} look
 */
export function curve(told, moves, marked, look) {
  const x = (/** @type {number} */ move) => LEFT + ((WIDTH - LEFT - EDGE) * move) / Math.max(moves, 1);
  const y = (/** @type {number} */ chance) => EDGE + ((HEIGHT - 2 * EDGE) * (100 - Math.min(100, Math.max(0, chance)))) / 100;
  const line = (/** @type {Corner} */ from, /** @type {Corner} */ to) =>
    `<line class="${to.isPlay ? 'own' : ''}" x1="${x(from.x)}" y1="${y(from.y)}" x2="${x(to.x)}" y2="${y(to.y)}"/>`;
  const all = corners(told, moves);
  const ranges = told.curve.map(([move, , , lo, hi]) => `<line class="range" x1="${x(move)}" y1="${y(lo)}" x2="${x(move)}" y2="${y(hi)}"/>`);
  const grid = [0, 50, 100].map((chance) => `<line class="grid" x1="${LEFT}" x2="${WIDTH - EDGE}" y1="${y(chance)}" y2="${y(chance)}"/><text x="${LEFT - 4}" y="${y(chance) + 6}">${chance}</text>`);
  const marks = marked.map((number) => {
    const near = [...told.curve].sort((one, other) => Math.abs(one[0] + 1 - number) - Math.abs(other[0] + 1 - number))[0];
    return `<g data-move="${number}"><circle class="reach" cx="${x(number - 1)}" cy="${y(near?.[2] ?? 50)}" r="24"/><circle cx="${x(number - 1)}" cy="${y(near?.[2] ?? 50)}" r="8"/></g>`;
  });
  const chart = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  chart.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  chart.setAttribute('class', 'curve');
  chart.setAttribute('role', 'img');
  chart.setAttribute('aria-label', `Chances over ${moves} moves, from ${Math.round(told.ends[0])} to ${Math.round(told.ends[1])} of a hundred; thick steps are your decisions.`);
  chart.innerHTML = [...grid, ...ranges, ...all.slice(1).map((to, place) => line(all[place], to)), ...marks].join('');
  chart.onclick = (event) => {
    const mark = /** @type {SVGElement} */ (event.target).closest('[data-move]');
    if (mark) look(Number(mark.getAttribute('data-move')));
  };
  return chart;
}

/** @param {number} number */
const signed = (number) => `${number > 0 ? '+' : number < 0 ? '\u2212' : ''}${Math.abs(number)}`;

/**
 * The picture that is shared, 1200 by 630: it tells nothing of the cards.
 * @param {string} words the game, its rules and its day @param {Told} told @param {number} moves @returns {Promise<Blob>}
 */
export function picture(words, told, moves) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [1200, 630];
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const write = (/** @type {string} */ text, /** @type {number} */ size, /** @type {number} */ y, colour = '#1b1f23') => {
    Object.assign(brush, { fillStyle: colour, font: `${size > 50 ? 'bold ' : ''}${size}px system-ui, sans-serif` });
    brush.fillText(text, 60, y, 1080);
  };
  brush.fillStyle = '#f7f7f4';
  brush.fillRect(0, 0, 1200, 630);
  write(words, 44, 96);
  write('Was it you or the cards?', 34, 150, '#5b636b');
  write(`cards ${signed(told.cards)}, play ${signed(told.play)}`, 84, 545);
  write('points of a hundred \u00b7 etude', 30, 598, '#5b636b');
  brush.fillStyle = '#dfe9e2';
  brush.fillRect(60, 190, 1080, 250);
  const all = corners(told, moves);
  const place = (/** @type {Corner} */ { x, y }) => /** @type {const} */ ([60 + (1080 * x) / Math.max(moves, 1), 440 - (250 * Math.min(100, Math.max(0, y))) / 100]);
  all.slice(1).forEach((to, from) => {
    Object.assign(brush, { strokeStyle: to.isPlay ? '#9a3412' : '#0a5c8a', lineWidth: to.isPlay ? 12 : 6, lineCap: 'round' });
    brush.beginPath();
    brush.moveTo(...place(all[from]));
    brush.lineTo(...place(to));
    brush.stroke();
  });
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('This browser draws no picture.')))));
}
