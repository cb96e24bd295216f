// The lab's report in Chromium: what tests/browser/sample_report.cpp wrote, looked at as a reader would.
//   TELESCOPE_SAMPLE  the directory of the report
//   TELESCOPE_NODE    where npm has put playwright-core
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, afterEach, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const sample = process.env.TELESCOPE_SAMPLE;
const url = pathToFileURL(`${sample}/report.html`).href;
const hostile = `</script><script>alert("1")</script> & 'it' <b>`;
const panelIds = ['active-set', 'active-set-linear', 'throughput-query', 'odd', 'lonely'];
const timeout = 120_000;

let browser;
let opened = [];

function load(name) {
  try {
    return createRequire(`${process.env.TELESCOPE_NODE}/`)(name);
  } catch (error) {
    throw new Error(`${name} is not in ${process.env.TELESCOPE_NODE}: ./test puts it there`, { cause: error });
  }
}

function findChromium() {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  } catch {
    throw new Error('no chromium on the PATH: ./test installs it');
  }
}

before(async () => {
  const { chromium } = load('playwright-core');  // makes a profile of its own for each launch
  browser = await chromium.launch({
    executablePath: findChromium(), args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'], timeout,
  });
}, { timeout });
after(() => browser?.close());

// A page of its own for each test. Whatever it complains about, and whatever it asks for, fails the test.
async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints = [];
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error}`));
  page.on('dialog', (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => request.url() === url || complaints.push(`request: ${request.url()}`));
  opened.push({ context, complaints });
  await page.goto(url);
  return page;
}
afterEach(async () => {
  const closing = opened;
  opened = [];
  for (const { context } of closing) await context.close();
  assert.deepEqual(closing.flatMap(({ complaints }) => complaints), []);
});

// RFC 4180, as far as we write it.
function readCsv(file) {
  const text = readFileSync(`${sample}/${file}`, 'utf8');
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
  }
  const names = rows.shift();
  return rows.filter((row) => row.length > 0).map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
}

const panel = (page, id) => page.locator(`#panel-${id}`);
const visibleSeries = (scope) => scope.locator('.series').evaluateAll(
  (all) => all.filter((each) => getComputedStyle(each).display !== 'none').map((each) => each.dataset.filter));
// As a hand does it: first the page comes to rest, then the pointer arrives in several steps.
async function pointAt(page, point) {
  await point.evaluate((each) => {
    each.scrollIntoView({ block: 'center' });
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  const { x, y, width, height } = await point.boundingBox();
  await page.mouse.move(x + width / 2 - 6, y + height / 2);
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 6 });
}
const box = (scope, filter) => scope.locator(`.keys input[data-filter="${filter}"]`);

test('every point has its marker inside the frame of its plot', { timeout }, async () => {
  const page = await open();
  assert.deepEqual(await page.locator('.panel').evaluateAll((all) => all.map((each) => each.id)), panelIds.map((id) => `panel-${id}`));
  for (const id of panelIds) {
    const expected = readCsv(`${id}.csv`).filter(({ x, y }) => x !== '' && y !== '').map(({ filter, x, y, ci }) => [filter, x, y, ci]);
    const drawn = await panel(page, id).locator('.plot').evaluate((plot) => {
      const frame = plot.querySelector('.frame').getBoundingClientRect();
      return [...plot.querySelectorAll('.point')].map((point) => {
        const at = point.querySelector('path').getBoundingClientRect();
        const x = at.left + at.width / 2, y = at.top + at.height / 2;
        const inside = at.width > 2 && x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom;
        const { x: dataX, y: dataY, ci } = point.dataset;
        return { inside, values: [point.closest('.series').dataset.filter, dataX, dataY, ci] };
      });
    });
    assert.deepEqual(drawn.map(({ values }) => values), expected, id);
    assert.ok(drawn.every(({ inside }) => inside), `${id}: ${JSON.stringify(drawn.filter(({ inside }) => !inside))}`);
  }
});

test('a larger value is higher, and zero is lowest', { timeout }, async () => {
  const page = await open();
  const heights = await panel(page, 'active-set').locator('.point').evaluateAll((points) => points
    .map((point) => ({ y: Number(point.dataset.y), top: point.getBoundingClientRect().top + point.getBoundingClientRect().height / 2 }))
    .sort((a, b) => a.y - b.y));
  assert.equal(heights[0].y, 0);
  for (let i = 1; i < heights.length; ++i) assert.ok(heights[i].top <= heights[i - 1].top + 1.5, `${i}`);
});

test('each plot, alone, is well-formed and fits its picture', { timeout }, async () => {
  const page = await open();
  for (const id of panelIds) {
    const svg = readFileSync(`${sample}/${id}.svg`, 'utf8');
    const outside = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
      const error = parsed.querySelector('parsererror');
      if (error) return [error.textContent];
      const drawn = document.body.appendChild(document.importNode(parsed.documentElement, true));
      const frame = drawn.getBoundingClientRect();
      const lost = [...drawn.querySelectorAll('text, .point, .legend path')].filter((each) => {
        const at = each.getBoundingClientRect();
        return at.left < frame.left || at.right > frame.right || at.top < frame.top || at.bottom > frame.bottom;
      });
      drawn.remove();
      return lost.map((each) => each.textContent);
    }, svg);
    assert.deepEqual(outside, [], id);
  }
});

test('labels of the axes do not overlap', { timeout }, async () => {
  for (const width of [1280, 380]) {
    const page = await open({ viewport: { width, height: 800 } });
    const overlaps = await page.locator('.plot svg').evaluateAll((plots) => plots.flatMap((plot) => {
      const labels = [...plot.querySelectorAll(':scope > text')].map((each) => [each.textContent, each.getBoundingClientRect()]);
      return labels.flatMap(([a, at], i) => labels.slice(i + 1)
        .filter(([, to]) => at.left < to.right && to.left < at.right && at.top < to.bottom - 2 && to.top < at.bottom - 2)
        .map(([b]) => [a, b]));
    }));
    assert.deepEqual(overlaps, [], `${width}`);
  }
});

test('a filter is switched in one plot by click and by keyboard', { timeout }, async () => {
  const page = await open();
  const here = panel(page, 'active-set');
  const before = await visibleSeries(here);
  await box(here, 'taf').click();
  assert.deepEqual(await visibleSeries(here), before.filter((filter) => filter !== 'taf'));
  assert.ok((await visibleSeries(panel(page, 'throughput-query'))).includes('taf'), 'other plots stay as they are');
  assert.equal(await box(page.locator('#filters'), 'taf').evaluate((each) => each.indeterminate), true);

  await box(here, 'taf').focus();
  await page.keyboard.press('Space');
  assert.deepEqual(await visibleSeries(here), before);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  assert.deepEqual(await visibleSeries(here), before.filter((filter) => filter !== 'exaf'));
});

test('a filter is switched in all plots', { timeout }, async () => {
  const page = await open();
  const filters = page.locator('#filters');
  const before = await visibleSeries(page);
  await box(filters, 'taf').click();
  assert.deepEqual(await visibleSeries(page), before.filter((filter) => filter !== 'taf'));
  assert.equal(await box(panel(page, 'odd'), 'taf').isChecked(), false);
  await page.keyboard.press('Space');
  assert.deepEqual(await visibleSeries(page), before);

  await filters.getByRole('checkbox', { name: hostile }).click();
  assert.deepEqual(await visibleSeries(page), before.filter((filter) => filter !== hostile));
  await filters.getByRole('button', { name: 'none' }).click();
  assert.deepEqual(await visibleSeries(page), []);
  assert.equal(await box(filters, 'taf').isChecked(), false);
  await filters.getByRole('button', { name: 'all' }).click();
  assert.deepEqual(await visibleSeries(page), before);
  assert.equal(await box(filters, 'taf').isChecked(), true);
});

test('values appear under the pointer', { timeout }, async () => {
  const page = await open();
  const tip = page.locator('#tip');
  const point = panel(page, 'throughput-query').locator('.series[data-filter="rsqf"] .point').nth(3);
  assert.equal(await tip.isVisible(), false);
  await pointAt(page, point);
  await tip.waitFor();
  const words = await tip.innerText();
  for (const part of ['RSQF', 'load: 0.4', 'million queries per second: 27.54 ± 0.6', 'telescope-lab bench speed --load 0.40']) {
    assert.ok(words.includes(part), words);
  }
  const at = await tip.boundingBox();
  assert.ok(at.x >= 0 && at.y >= 0 && at.x + at.width <= 1280 && at.y + at.height <= 900, JSON.stringify(at));
  await page.evaluate(() => document.dispatchEvent(new Event('scroll')));  // of a scroll done before, told of late
  assert.equal(await tip.isVisible(), true);
  await page.mouse.move(1, 1);
  await tip.waitFor({ state: 'hidden' });
});

test('values under the pointer leave with what they belong to', { timeout }, async () => {
  const page = await open();
  const point = panel(page, 'throughput-query').locator('.series[data-filter="rsqf"] .point').nth(3);
  await pointAt(page, point);
  await page.locator('#tip').waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.locator('#tip').waitFor({ state: 'hidden' });
});

test('values appear for the keyboard, which walks along the series', { timeout }, async () => {
  const page = await open();
  const tip = page.locator('#tip');
  const here = panel(page, 'active-set');
  await here.locator('.point').first().evaluate((each) => each.scrollIntoView({ block: 'center' }));
  await here.evaluate((each) => each.querySelector('.point[tabindex="0"]').focus());
  const says = async (...parts) => {
    await tip.waitFor();
    const words = await tip.innerText();
    for (const part of parts) assert.ok(words.includes(part), words);
  };
  await says('TAF', 'A/S: 1', 'false-positive rate: 0');
  await page.keyboard.press('ArrowRight');
  await says('TAF', 'A/S: 2');
  await page.keyboard.press('ArrowDown');
  await says('exAF', 'A/S: 2');
  await page.keyboard.press('End');
  await says('exAF', 'A/S: 100');
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'hidden' });
  assert.equal(await here.locator('.point[tabindex="0"]').count(), 1, 'one stop for the tabulator');

  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.matches('#panel-active-set .keys input')), true);
  await box(here, 'exaf').click();
  assert.equal(await here.locator('.series:not(.off) .point[tabindex="0"]').count(), 1, 'a hidden series is no stop');
});

test('commands are copied', { timeout }, async () => {
  const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.locator('#claims .copy').nth(1).click();
  await page.locator('#claims .copy').nth(1).getByText('copied').waitFor();
  assert.equal(await copied(), 'telescope-lab bench speed');
  await panel(page, 'odd').locator('summary').click();
  await panel(page, 'odd').locator('.copy').first().click();
  await panel(page, 'odd').locator('.copy').first().getByText('copied').waitFor();
  assert.equal(await copied(), hostile);
});

test('commands are copied where there is no clipboard to write to', { timeout }, async () => {
  const page = await open();
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    document.addEventListener('copy', () => { window.selected = document.activeElement.value; });
  });
  await page.locator('#claims .copy').nth(1).click();
  await page.locator('#claims .copy').nth(1).getByText('copied').waitFor();
  assert.equal(await page.evaluate(() => window.selected), 'telescope-lab bench speed');
});

test('text from data is shown as it is', { timeout }, async () => {
  const page = await open();
  assert.equal(await page.locator('#panel-odd h2').textContent(), `Odd ${hostile}`);
  assert.equal(await page.locator('#panel-odd .claim').textContent(), `The paper: ${hostile}`);
  assert.equal(await page.locator('.claims tbody tr').nth(2).locator('th > span').textContent(), hostile);
  assert.equal(await page.locator('.manifest dd').nth(5).textContent(), hostile);
  assert.equal(await page.locator('#panel-odd .key span').first().textContent(), hostile);
  assert.equal(await page.locator('script').count(), 1);
  const claims = readCsv('claims.csv');
  assert.equal(claims[2].statement, hostile);
  assert.deepEqual(claims.map(({ verdict }) => verdict), ['holds', 'differs', 'fails']);
  assert.deepEqual(await page.locator('.claims .verdict').allTextContents(), ['holds', 'differs', 'fails']);
});

test('the policy forbids other scripts and the network', { timeout }, async () => {
  const page = await open();
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.intruder = true';
    document.body.append(script);
    const fetched = await fetch('https://example.invalid/').then(() => true, () => false);
    return [window.intruder === true, fetched];
  });
  assert.deepEqual(ran, [false, false]);
  const { complaints } = opened[0];
  assert.ok(complaints.length >= 2 && complaints.every((each) => /Content Security Policy|CSP/.test(each)), complaints.join('\n'));
  complaints.length = 0;
});

test('links lead somewhere', { timeout }, async () => {
  const page = await open();
  const links = await page.locator('a').evaluateAll((all) => all.map((each) => each.getAttribute('href')));
  assert.ok(links.length > 10);
  for (const link of links) {
    if (link.startsWith('#')) assert.equal(await page.locator(link).count(), 1, link);
    else assert.ok(readFileSync(`${sample}/${link}`).length > 0, link);
  }
});

test('a phone scrolls the page up and down only', { timeout }, async () => {
  for (const colorScheme of ['light', 'dark']) {
    const page = await open({ viewport: { width: 380, height: 800 }, colorScheme });
    await page.locator('details').evaluateAll((all) => all.forEach((each) => { each.open = true; }));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 380);
    const wide = await page.locator('body *').evaluateAll((all) => all
      .filter((each) => !each.closest('.scroll, svg, #said') && each.getBoundingClientRect().right > 380.5)
      .map((each) => each.outerHTML.slice(0, 80)));
    assert.deepEqual(wide, []);
    const plot = panel(page, 'active-set').locator('.plot svg');
    assert.ok((await plot.boundingBox()).width > 300);
  }
});

test('the scheme is light or dark, but plots are on white', { timeout }, async () => {
  const colours = {};
  for (const colorScheme of ['light', 'dark']) {
    const page = await open({ colorScheme });
    const paper = (selector) => page.locator(selector).first().evaluate((each) => getComputedStyle(each).backgroundColor);
    colours[colorScheme] = await paper('body');
    assert.equal(await paper('figure'), 'rgb(255, 255, 255)');
  }
  assert.equal(colours.light, 'rgb(255, 255, 255)');
  assert.notEqual(colours.dark, colours.light);
});

test('paper has no controls, and is white', { timeout }, async () => {
  const page = await open({ colorScheme: 'dark' });
  await box(panel(page, 'active-set'), 'taf').click();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const shown = await page.locator('button, input, nav, #filters, details.values').evaluateAll(
    (all) => all.filter((each) => each.checkVisibility()).map((each) => each.outerHTML.slice(0, 80)));
  assert.deepEqual(shown, []);
  assert.equal(await page.locator('body').evaluate((each) => getComputedStyle(each).backgroundColor), 'rgb(255, 255, 255)');
  assert.equal(await page.locator('.panel').first().evaluate((each) => getComputedStyle(each).breakInside), 'avoid');
  const names = panel(page, 'active-set').locator('.key span');
  assert.equal(await names.getByText('exAF').isVisible(), true, 'a key remains');
  assert.equal(await names.getByText('TAF', { exact: true }).isVisible(), false, 'of what is shown');
  assert.ok((await page.pdf({ format: 'A4' })).length > 10_000);
});
