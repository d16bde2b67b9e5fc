/** A short run of `npm run study:dots`. */
import t from 'tap';
import { casesOf } from '../../support/cases.ts';
import { specimens } from '../designs.ts';
import { type DotPrint, printAll, WAYS } from './prints.ts';
import { brokenPromises, type Look, readPrints } from './read.ts';

t.test('some designs in the dots of label printers read as their grade promises', async (t) => {
  const prints = await printAll(specimens(1, casesOf(12)));
  for (const way of WAYS)
    t.ok(
      prints.some((print) => print.way === way && print.grade === 4),
      way,
    );
  t.strictSame(brokenPromises(await readPrints(prints)), []);
});

t.test('one sharp reading of a hundred breaks a promise, one blurred one does not', async (t) => {
  const page = { widthPx: 1, heightPx: 1, data: new Uint8Array(1) };
  const print: DotPrint = { design: 0, way: 'black', dpi: 203, text: '', grade: 4, page, modulePx: 4 };
  const looksOf = (condition: Look['condition'], some: Partial<DotPrint> = {}) =>
    Array.from({ length: 100 }, (_, i): Look => {
      return { print: { ...print, ...some }, condition, reader: 'zbar', isRead: i > 0 };
    });
  t.strictSame(brokenPromises(looksOf('sharp')), [{ way: 'black', condition: 'sharp', share: 0.99 }]);
  t.strictSame(brokenPromises(looksOf('blurred')), []);
  t.strictSame(brokenPromises([...looksOf('blurred'), ...looksOf('blurred').slice(0, 1)]).length, 1);
  t.strictSame(brokenPromises(looksOf('sharp', { grade: 3 })), [], 'grade 3 promises less');
  t.strictSame(brokenPromises(looksOf('sharp', { way: 'screened' })), []);
});
