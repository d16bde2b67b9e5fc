/** SVG files for print, drawn by a browser. */
import t from 'tap';
import { startBrowser } from '../support/browser/browser.ts';
import { printOf } from '../support/pictures/print.ts';
import { DESIGNS, file, TEXT, textIn } from './codes.ts';

t.test('Chromium draws SVG files at their page size, and readers can read them', async (t) => {
  const browser = await startBrowser(t);
  for (const dpi of [300, 600]) {
    const page = await browser.newPage({ deviceScaleFactor: dpi / 96 });
    for (const [name, { options, logo = null }] of Object.entries(DESIGNS)) {
      const svg = Buffer.from(file('svg', options, { logo })).toString('base64');
      await page.setContent(`<img src="data:image/svg+xml;base64,${svg}">`);
      const shot = await page.locator('img').screenshot();
      t.equal(await textIn(await printOf(shot)), TEXT, `${name}, ${dpi} dpi`);
    }
  }
});
