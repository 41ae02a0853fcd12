// What a game was worth over its moves: as a chart in the page, and as the picture that is shared.

import { counted, signed } from './page.js';

/** @typedef {import('./review.js').Told} Told */
/** @typedef {import('./record.js').Measure} Measure */

/** A corner of the curve: moves made, points or dollars; `isPlay` where the line to it is a decision and not the cards. @typedef {{ x: number, y: number, isPlay: boolean }} Corner */

/** The corners of the curve: what a decision did goes straight up or down. @param {Told} told @param {number} moves @returns {Corner[]} */
export function corners({ curve, ends: [start, end] }, moves) {
  const steps = curve.flatMap(([x, before, after]) => [{ x, y: before, isPlay: false }, { x, y: after, isPlay: true }]);
  return [{ x: 0, y: start, isPlay: false }, ...steps, { x: moves, y: end, isPlay: false }];
}

/** The height of a number on the axis, from 0 to 1: beyond the ends it is that of the end. @param {number[]} ticks @param {number} value */
function heightOf(ticks, value) {
  const [least, most] = [ticks[0], ticks[ticks.length - 1]];
  return (Math.min(most, Math.max(least, value)) - least) / (most - least);
}

/** The numbers on the axis. @param {Told} told @param {Measure} measure */
const axis = (told, { ticks }) => ticks(Math.max(...told.ends, ...told.curve.flatMap(([, ...values]) => values)));

const [WIDTH, HEIGHT, LEFT, EDGE] = [600, 190, 54, 14];

/**
 * The chart, with marks that show their boards.
 * @param {Told} told @param {Measure} measure @param {number} moves @param {number[]} marked @param {(number: number) => void} look
 */
export function curve(told, measure, moves, marked, look) {
  const ticks = axis(told, measure);
  const x = (/** @type {number} */ move) => LEFT + ((WIDTH - LEFT - EDGE) * move) / Math.max(moves, 1);
  const y = (/** @type {number} */ value) => EDGE + (HEIGHT - 2 * EDGE) * (1 - heightOf(ticks, value));
  const line = (/** @type {Corner} */ from, /** @type {Corner} */ to) =>
    `<line class="${to.isPlay ? 'own' : ''}" x1="${x(from.x)}" y1="${y(from.y)}" x2="${x(to.x)}" y2="${y(to.y)}"/>`;
  const all = corners(told, moves);
  const ranges = told.curve.map(([move, , , lo, hi]) => `<line class="range" x1="${x(move)}" y1="${y(lo)}" x2="${x(move)}" y2="${y(hi)}"/>`);
  const grid = ticks.map((tick) => `<line class="grid" x1="${LEFT}" x2="${WIDTH - EDGE}" y1="${y(tick)}" y2="${y(tick)}"/><text x="${LEFT - 4}" y="${y(tick) + 6}">${signed(tick, measure.number)}</text>`);
  const marks = marked.map((number) => {
    const near = [...told.curve].sort((one, other) => Math.abs(one[0] + 1 - number) - Math.abs(other[0] + 1 - number))[0];
    return `<g data-move="${number}"><circle class="reach" cx="${x(number - 1)}" cy="${y(near?.[2] ?? told.ends[0])}" r="24"/><circle cx="${x(number - 1)}" cy="${y(near?.[2] ?? told.ends[0])}" r="8"/></g>`;
  });
  const chart = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  chart.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  chart.setAttribute('class', 'curve');
  chart.setAttribute('role', 'img');
  chart.setAttribute('aria-label', `Your game over ${counted(moves, 'move')}, from ${told.ends.map((end) => signed(Math.round(end), measure.number)).join(' to ')}, in ${measure.unit}; thick steps are your decisions.`);
  chart.innerHTML = [...grid, ...ranges, ...all.slice(1).map((to, place) => line(all[place], to)), ...marks].join('');
  chart.onclick = (event) => {
    const mark = /** @type {SVGElement} */ (event.target).closest('[data-move]');
    if (mark) look(Number(mark.getAttribute('data-move')));
  };
  return chart;
}

/**
 * The picture that is shared, 1200 by 630: it tells nothing of the cards.
 * @param {string} words the game, its rules and its day @param {Told} told @param {Measure} measure @param {number} moves @returns {Promise<Blob>}
 */
export function picture(words, told, measure, moves) {
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
  write(`cards ${signed(told.cards, measure.number, '+')}, play ${signed(told.play, measure.number, '+')}`, 84, 545);
  write(`${measure.unit} \u00b7 etude`, 30, 598, '#5b636b');
  brush.fillStyle = '#dfe9e2';
  brush.fillRect(60, 190, 1080, 250);
  const [all, ticks] = [corners(told, moves), axis(told, measure)];
  const place = (/** @type {Corner} */ { x, y }) => /** @type {const} */ ([60 + (1080 * x) / Math.max(moves, 1), 440 - 250 * heightOf(ticks, y)]);
  all.slice(1).forEach((to, from) => {
    Object.assign(brush, { strokeStyle: to.isPlay ? '#9a3412' : '#0a5c8a', lineWidth: to.isPlay ? 12 : 6, lineCap: 'round' });
    brush.beginPath();
    brush.moveTo(...place(all[from]));
    brush.lineTo(...place(to));
    brush.stroke();
  });
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('This browser draws no picture.')))));
}
