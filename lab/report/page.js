'use strict';
// The page is complete without this. Here: filters on and off, values under the pointer and for the keyboard, copying.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const panels = all('.panel');
const tip = document.getElementById('tip');
const said = document.getElementById('said');

// Filters on and off. A box outside the panels stands for those of its filter in all panels.
const globalBoxes = all('#filters input');
const boxesOf = (filter) => panels.flatMap((panel) => all('.keys input', panel)).filter((box) => box.dataset.filter === filter);

function show(box, shown) {
  box.checked = shown;
  const series = all('.series', box.closest('.panel')).filter((each) => each.dataset.filter === box.dataset.filter);
  for (const each of series) each.classList.toggle('off', !shown);
}

function refresh() {
  for (const box of globalBoxes) {
    const boxes = boxesOf(box.dataset.filter);
    box.checked = boxes.every((each) => each.checked);
    box.indeterminate = !box.checked && boxes.some((each) => each.checked);
  }
  hideTip();
  panels.forEach(chooseTabStop);
}

document.addEventListener('change', ({ target }) => {
  if (!target.matches('.keys input')) return;
  const boxes = target.closest('.panel') ? [target] : boxesOf(target.dataset.filter);
  for (const box of boxes) show(box, target.checked);
  refresh();
});

for (const button of all('#filters button')) {
  button.addEventListener('click', () => {
    for (const panel of panels) for (const box of all('.keys input', panel)) show(box, button.dataset.all === 'true');
    refresh();
  });
}

// Values. The titles inside the plots would show a second, slower tip.
for (const point of all('.point')) {
  const title = point.querySelector('title');
  point.setAttribute('role', 'img');
  point.setAttribute('aria-label', title.textContent.replaceAll('\n', ', '));
  point.tip = title.textContent;
  point.tabIndex = -1;
  title.remove();
}

function showTip(point) {
  if (tip.point === point) return;
  hideTip();
  tip.point = point;
  point.classList.add('shown');
  tip.querySelector('p').textContent = point.tip;
  tip.querySelector('code').textContent = point.dataset.command ?? '';
  tip.hidden = false;
  placeTip();
}

function placeTip() {
  const at = tip.point.getBoundingClientRect();
  tip.at = at;
  const left = at.left + at.width / 2 - tip.offsetWidth / 2;
  const above = at.top - tip.offsetHeight - 8;
  tip.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${above < 8 ? at.bottom + 8 : above}px`;
}

function hideTip() {
  tip.point?.classList.remove('shown');
  tip.point = null;
  tip.hidden = true;
}

const visiblePoints = (panel) => all('.series:not(.off) .point', panel);
const centre = (point) => {
  const { left, top, width, height } = point.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

function nearest(points, x, y, reach = Infinity) {
  let best = null;
  for (const point of points) {
    const at = centre(point);
    const distance = Math.hypot(at.x - x, at.y - y);
    if (distance < reach) [best, reach] = [point, distance];
  }
  return best;
}

// One stop for the tabulator in each plot; from there the arrows lead: along a series, or to the next series.
function chooseTabStop(panel) {
  const points = visiblePoints(panel);
  for (const point of all('.point[tabindex="0"]', panel)) point.tabIndex = -1;
  if (points.length > 0) points[0].tabIndex = 0;
}

function neighbour(point, key) {
  const series = all('.series:not(.off)', point.closest('svg')).filter((each) => each.querySelector('.point'));
  const own = point.closest('.series');
  const points = all('.point', own);
  const index = points.indexOf(point);
  if (key === 'ArrowRight') return points[index + 1];
  if (key === 'ArrowLeft') return points[index - 1];
  if (key === 'Home') return points[0];
  if (key === 'End') return points.at(-1);
  const step = { ArrowUp: -1, ArrowDown: 1 }[key];
  const other = step && series[series.indexOf(own) + step];
  return other && nearest(all('.point', other), centre(point).x, centre(point).y);
}

for (const plot of all('.plot')) {
  const panel = plot.closest('.panel');
  const follow = ({ clientX, clientY }) => {
    const point = nearest(visiblePoints(panel), clientX, clientY, 18);
    if (point) showTip(point);
    else if (tip.point !== document.activeElement) hideTip();
  };
  plot.addEventListener('pointermove', follow);
  plot.addEventListener('pointerdown', follow);
  plot.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && hideTip());
  plot.addEventListener('focusin', ({ target }) => target.matches('.point') && showTip(target));
  plot.addEventListener('focusout', hideTip);
  plot.addEventListener('keydown', (event) => {
    const next = event.target.matches('.point') && neighbour(event.target, event.key);
    if (!next) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
document.addEventListener('keydown', ({ key }) => key === 'Escape' && hideTip());
// A scroll is told of a frame after it was done, maybe after the pointer has come to a point: only what moved is stale.
function settle() {
  if (!tip.point) return;
  const { left, top } = tip.point.getBoundingClientRect();
  if (tip.point === document.activeElement) placeTip();
  else if (left !== tip.at.left || top !== tip.at.top) hideTip();
}
document.addEventListener('scroll', settle, { capture: true, passive: true });
window.addEventListener('resize', settle);

// Copying. Some browsers have no clipboard for pages from files.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.body.appendChild(document.createElement('textarea'));
    area.value = text;
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

document.addEventListener('click', async ({ target }) => {
  if (!target.matches('.copy')) return;
  await copy(target.parentElement.querySelector('code').textContent);
  target.textContent = 'copied';
  said.textContent = 'Command copied';
  setTimeout(() => { target.textContent = 'copy'; said.textContent = ''; }, 1500);
});

refresh();
