/** The report in a browser. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import t from 'tap';
import { htmlReport } from '../../bench/page/html.ts';
import type { BenchReport } from '../../bench/page/model.ts';
import { LATENCY_SCENARIOS, LOADS } from '../../bench/stages/latency.ts';
import { findChromium } from '../support/browser/chromium.ts';
import { model } from './made-up-model.ts';
import { bench, capacity, costs } from './reports.ts';
import { openResult, roundOf } from './results.ts';

/** Relative luminance and contrast as in WCAG 2.2. */
const luminanceOf = (color: string): number => {
  const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map(Number).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrastOf = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

interface Seen {
  readonly text: string;
  readonly background: string;
  readonly isTooWide: boolean;
  readonly plots: readonly { width: number; height: number; marks: number; colors: readonly string[] }[];
}

/** Runs in the page; as text, since these tests know no browser's types. */
const LOOK = `(() => {
  const plots = [...document.querySelectorAll('figure svg')].map((plot) => {
    const { width, height } = plot.getBoundingClientRect();
    const colors = [...plot.querySelectorAll('path, line, circle, rect')].flatMap((mark) => {
      const { stroke, fill } = getComputedStyle(mark);
      return [stroke, fill].filter((color) => color.startsWith('rgb('));
    });
    return { width, height, marks: colors.length, colors: [...new Set(colors)] };
  });
  const { color: text, backgroundColor: background } = getComputedStyle(document.body);
  const { scrollWidth, clientWidth } = document.documentElement;
  return { text, background, isTooWide: scrollWidth > clientWidth, plots };
})()`;

/** Elements that are wider than the page or than what holds them. */
const OVERFLOWING = `(() => {
  const { clientWidth } = document.documentElement;
  return [...document.querySelectorAll('table, .wide, svg, p, td, th, code')].flatMap((element) => {
    const { right } = element.getBoundingClientRect();
    const isTooWide = right > clientWidth + 0.5 || element.scrollWidth > element.clientWidth + 1;
    return isTooWide && getComputedStyle(element).display !== 'inline' ? [element.outerHTML.slice(0, 120)] : [];
  });
})()`;

/** As wide as the figures of a run are: rates of five digits, latencies of four, three failures. */
const large: BenchReport = {
  ...bench,
  measured: bench.measured.map(({ scenario }) => ({ scenario, rounds: [roundOf(25_009), roundOf(31_777)] })),
  latencies: LATENCY_SCENARIOS.flatMap((scenario) =>
    LOADS.map((load) => ({
      scenario,
      load,
      result: openResult({ ratePerS: 24_567.8, p99: 1799.5, refused: 12_345 }),
    })),
  ),
};

t.test('the report in a browser', async (t) => {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no Chromium found: install it, or name one in CHROMIUM');
  const folder = await mkdtemp(join(tmpdir(), 'tessera-report-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'index.html');
  await writeFile(file, htmlReport(bench, capacity, costs, model));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  t.teardown(() => browser.close());

  for (const colorScheme of ['light', 'dark'] as const) {
    await t.test(`is readable in ${colorScheme}, and sends no request`, async (t) => {
      const page = await browser.newPage({ colorScheme, viewport: { width: 1000, height: 800 } });
      const faults: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => faults.push(message.text()));
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(pathToFileURL(file).href);
      const seen = await page.evaluate<Seen>(LOOK);
      t.strictSame(faults, []);
      t.strictSame(requests, [pathToFileURL(file).href], 'the file itself and nothing else');

      const isDark = luminanceOf(seen.background) < luminanceOf(seen.text);
      t.equal(isDark, colorScheme === 'dark');
      t.ok(contrastOf(seen.text, seen.background) >= 7, 'text against its background');
      t.equal(seen.plots.length, 9);
      for (const { width, height, marks, colors } of seen.plots) {
        t.ok(width > 400 && height > 100 && marks > 3, `a plot of ${width} by ${height} with ${marks} marks`);
        // 3:1 is what WCAG asks of graphics; grid lines are fainter by intent.
        t.ok(
          colors.some((color) => contrastOf(color, seen.background) >= 3),
          'its marks are told from its background',
        );
      }
      await page.setViewportSize({ width: 400, height: 800 });
      t.equal(
        (await page.evaluate<Seen>(LOOK)).isTooWide,
        false,
        'wide tables scroll by themselves on a small screen',
      );
      await page.close();
    });
  }

  for (const [name, width, media] of [
    ['a window of 1280 px', 1280, 'screen'],
    ['a page of A4 with margins of 12 mm', (210 - 2 * 12) * (96 / 25.4), 'print'],
  ] as const) {
    await t.test(`has tables that fit ${name}, with the largest figures`, async (t) => {
      await writeFile(file, htmlReport(large, capacity, costs, model));
      const page = await browser.newPage({ viewport: { width: Math.floor(width), height: 800 } });
      await page.emulateMedia({ media, colorScheme: 'dark' });
      await page.goto(pathToFileURL(file).href);
      t.strictSame(await page.evaluate(OVERFLOWING), []);
      const { text, background } = await page.evaluate<Seen>(LOOK);
      t.equal(luminanceOf(background) > luminanceOf(text), media === 'print', 'paper is white');
      await page.close();
    });
  }
});
