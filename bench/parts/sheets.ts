import { toDesign } from '../../src/generate/request/design.ts';
import { makeSheets, type SheetCode } from '../../src/sheets/maker.ts';
import type { SheetsRequest } from '../../src/sheets/request.ts';
import { resolveSheet } from '../../src/sheets/sheet.ts';
import type { SheetFormat } from '../../workers/lists.ts';
import { ownCpuMs } from '../cpu.ts';
import { atMost, measured } from '../say.ts';
import type { Part } from './part.ts';

const SHEETS = 1000;
const PER_SHEET = 24;
const ROLL_LABELS = 10_000;
/** Labels after which memory counts as warm. */
const WARM_LABELS = 240;
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

/** Makes a document. Returns what a label takes, and how far memory grows. */
const make = async (request: SheetsRequest, format: SheetFormat, labels: number) => {
  const sheet = resolveSheet(request, [], format);
  if (!sheet.ok) throw new Error(`${sheet.fault.field} ${sheet.fault.message}`);
  let [drawn, bytes, warmMb, peakMb] = [0, 0, 0, 0];
  const onPage = (count: number): void => {
    drawn += count;
  };
  const beforeMs = ownCpuMs();
  const job = { sheet: sheet.value, title: 'bench', codes: codes(labels), onPage };
  for await (const chunk of makeSheets(job)) {
    bytes += chunk.length;
    const mb = process.memoryUsage.rss() / MB;
    if (drawn <= WARM_LABELS) warmMb = mb;
    peakMb = Math.max(peakMb, mb);
  }
  return {
    labelMs: (ownCpuMs() - beforeMs) / labels,
    labelBytes: bytes / labels,
    growthMb: peakMb - warmMb,
  };
};

/** The cost of sheets of labels and of labels for label printers, and whether memory grows with their number. */
export const sheets: Part = async (_, { share }) => {
  const page = { size: 'A4' } as const;
  const label = { columns: 4, rows: 6, margin_mm: 8, gap_mm: 2, caption: '{content}' };
  const pdf = await make({ page, label }, 'pdf', Math.ceil(SHEETS * share) * PER_SHEET);
  const roll = {
    page: { width_mm: 62, height_mm: 29 },
    label: { columns: 1, rows: 1, caption: '{content}', caption_side: 'beside' },
    dpi: 203,
  } as const;
  const zpl = await make(roll, 'zpl', Math.ceil(ROLL_LABELS * share));
  return [
    atMost('processor time of a label', pdf.labelMs, LABEL_MAX_MS, 'ms'),
    measured('bytes of a label', pdf.labelBytes, 'bytes'),
    atMost('growth of memory after ten sheets', pdf.growthMb, GROWTH_MAX_MB, 'MB'),
    atMost('processor time of a label in ZPL II', zpl.labelMs, LABEL_MAX_MS, 'ms'),
    measured('bytes of a label in ZPL II', zpl.labelBytes, 'bytes'),
    atMost('growth of memory in ZPL II', zpl.growthMb, GROWTH_MAX_MB, 'MB'),
  ];
};
