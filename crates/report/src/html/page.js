const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// The value of a mark under a pointer, a finger or the keyboard.
const tip = document.body.appendChild(document.createElement('output'));
tip.className = 'tip';
tip.hidden = true;
const words = (mark) => mark.getAttribute('aria-label') || mark.querySelector('title')?.textContent;
function tell(event) {
  const mark = event.target.closest?.('.plot [tabindex], .track');
  tip.hidden = !mark || !words(mark);
  if (tip.hidden) return;
  tip.textContent = words(mark);
  const box = mark.getBoundingClientRect();
  const left = Math.min(Math.max(box.left + box.width / 2 - tip.offsetWidth / 2, 4), innerWidth - tip.offsetWidth - 4);
  tip.style.left = `${Math.max(left, 4)}px`;
  tip.style.top = `${box.top > 60 ? box.top - tip.offsetHeight - 6 : box.bottom + 6}px`;
}
for (const kind of ['focusin', 'pointerover', 'click']) document.addEventListener(kind, tell);
document.addEventListener('scroll', () => { tip.hidden = true; }, { passive: true });

// A story has one picture, made for each step of what is new in it and what it keeps of the one before.
const painter = (replay, steps) => {
  const elements = JSON.parse(replay.querySelector('.layers')?.dataset.elements ?? '[]');
  const layers = all('img.board', replay).map((image) => {
    let made = [];
    const pictures = steps.map((step) => {
      const change = step.dataset[image.dataset.layer];
      if (change === undefined) return undefined;
      const [head, tail, ...fresh] = change.split(' ').map(Number);
      made = [...made.slice(0, head), ...fresh, ...made.slice(made.length - tail)];
      return made;
    });
    return { image, pictures, name: image.alt };
  });
  return (at) => layers.forEach(({ image, pictures, name }) => {
    const caption = steps[at].querySelector('figcaption').textContent;
    image.hidden = pictures[at] === undefined;
    if (image.hidden) return;
    image.src = `data:image/svg+xml,${encodeURIComponent(pictures[at].map((own) => elements[own]).join(''))}`;
    image.alt = `${name}: ${caption}`;
  });
};

// One board at a time.
for (const replay of all('.replay')) {
  const steps = all('.steps > li', replay);
  const { length } = replay.querySelector('.steps').dataset;
  const paint = painter(replay, steps);
  const [slider, place] = [replay.querySelector('input'), replay.querySelector('output')];
  const show = (number) => {
    const at = Math.min(Math.max(number, 0), steps.length - 1);
    steps.forEach((step, own) => { step.hidden = own !== at; });
    paint(at);
    slider.value = at;
    place.textContent = `Step ${steps[at].querySelector('.step')?.textContent ?? 1} of ${length}`;
  };
  slider.max = steps.length - 1;
  slider.addEventListener('input', () => show(Number(slider.value)));
  const jumps = [() => 0, (at) => at - 1, (at) => at + 1, () => steps.length - 1];
  all('button', replay).forEach((button, own) => {
    button.addEventListener('click', () => show(jumps[own](Number(slider.value))));
  });
  replay.addEventListener('keydown', (event) => {
    const jump = { ArrowLeft: 1, ArrowRight: 2, Home: 0, End: 3 }[event.key];
    if (jump === undefined) return;
    event.preventDefault();
    show(jumps[jump](Number(slider.value)));
  });
  replay.querySelector('.controls').hidden = steps.length < 2;
  show(0);
}

// Tables sort by a column; long ones are searched.
const number = (text) => {
  const [, digits, power] = text.replace(/[,$\s]/g, '').replace('−', '-').match(/(-?[\d.]+)(?:×10([⁰¹²³⁴-⁹]+))?/) ?? [];
  const exponent = [...power ?? ''].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit)).join('');
  return digits === undefined ? -Infinity : Number(digits) * 10 ** Number(exponent);
};
for (const table of all('table.sortable')) {
  const body = table.tBodies[0];
  all('thead th', table).forEach((head, column) => {
    const button = document.createElement('button');
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      all('th[aria-sort]', table).forEach((other) => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const key = (row) => row.cells[column].textContent;
      const compare = head.classList.contains('number')
        ? (a, b) => number(key(a)) - number(key(b)) : (a, b) => key(a).localeCompare(key(b));
      body.append(...[...body.rows].sort((a, b) => (down ? -1 : 1) * compare(a, b)));
    });
  });
  if (body.rows.length < 13) continue;
  const label = document.createElement('label');
  label.className = 'search';
  label.append('Show rows with ', document.createElement('input'));
  label.lastChild.type = 'search';
  table.closest('.scroll').before(label);
  label.lastChild.addEventListener('input', (event) => {
    const wanted = event.target.value.toLowerCase().split(/\s+/);
    for (const row of body.rows) row.hidden = !wanted.every((word) => row.textContent.toLowerCase().includes(word));
  });
}

// Commands are copied, and the estimates saved as CSV.
for (const command of all('.command')) {
  const button = document.createElement('button');
  button.textContent = 'Copy';
  command.before(button);
  button.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(command.textContent.trim());
    button.textContent = 'Copied';
  });
}
for (const link of all('a.csv')) {
  const table = document.getElementById(link.hash.slice(1)).querySelector('table');
  const field = (cell) => `"${(cell.querySelector('code') ?? cell).textContent.trim().replaceAll('"', '""')}"`;
  link.addEventListener('click', () => {
    const text = [...table.rows].map((row) => [...row.cells].map(field).join(',')).join('\n');
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/csv' }));
  }, { once: true });
  link.download = `${link.dataset.name}.csv`;
}

// A link into the fold opens it.
const open = () => { document.getElementById(location.hash.slice(1))?.querySelector('details')?.setAttribute('open', ''); };
addEventListener('hashchange', open);
open();
