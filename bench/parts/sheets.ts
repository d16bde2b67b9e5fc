import { toDesign } from '../../src/generate/request/design.ts';
import { makeSheets, type SheetCode } from '../../src/sheets/maker.ts';
import { resolveSheet } from '../../src/sheets/sheet.ts';
import { ownCpuMs } from '../cpu.ts';
import { atMost, measured } from '../verdict.ts';
import type { Part } from './part.ts';

const SHEETS = 1000;
const PER_SHEET = 24;
const WARM_SHEETS = 10;
/** With it, a thousand sheets take half a minute on two cores. */
const LABEL_MAX_MS = 2.5;
/** Room for what pdfkit keeps of each page, uncollected garbage, and the end of the file. */
const GROWTH_MAX_MB = 120;
const MB = 1024 * 1024;

async function* codes(count: number): AsyncGenerator<SheetCode, void> {
  const design = toDesign({});
  for (let index = 1; index <= count; index += 1) {
    const text = `https://example.com/item/${String(index).padStart(6, '0')}?from=label`;
    yield { values: { content: text }, picture: { text, design, logo: null } };
  }
}

/** The cost of sheets of labels, and whether memory grows with their number. */
export const sheets: Part = async (_, { share }) => {
  const sheet = resolveSheet({
    page: { size: 'A4' },
    label: { columns: 4, rows: 6, margin_mm: 8, gap_mm: 2, caption: '{content}' },
  });
  if (!sheet.ok) throw new Error(`${sheet.fault.field} ${sheet.fault.message}`);
  const labels = Math.ceil(SHEETS * share) * PER_SHEET;
  let [pages, bytes, warmMb, peakMb] = [0, 0, 0, 0];
  const onPage = () => (pages += 1);
  const beforeMs = ownCpuMs();
  const job = { sheet: sheet.value, title: 'bench', codes: codes(labels), onPage };
  for await (const chunk of makeSheets(job)) {
    bytes += chunk.length;
    const mb = process.memoryUsage.rss() / MB;
    if (pages <= WARM_SHEETS) warmMb = mb;
    peakMb = Math.max(peakMb, mb);
  }
  return [
    atMost('processor time of a label', (ownCpuMs() - beforeMs) / labels, LABEL_MAX_MS, 'ms'),
    measured('bytes of a label', bytes / labels, 'bytes'),
    atMost('growth of memory after ten sheets', peakMb - warmMb, GROWTH_MAX_MB, 'MB'),
  ];
};
