/**
 * `npm run bench:sheets` makes a thousand sheets of 24 labels with captions, and measures time and memory.
 *
 * It counts processor time, of all threads of the process, and the largest resident set from the tenth sheet on. Ends
 * with 1 when a target is missed: 30 s of processor time for each of two cores, and memory that does not grow with the
 * sheets.
 */
import { toDesign } from '../../src/generate/request/design.ts';
import { makeSheets, type SheetCode } from '../../src/sheets/maker.ts';
import { resolveSheet } from '../../src/sheets/sheet.ts';
import { commandLine } from '../command/main.ts';

commandLine({
  name: 'npm run bench:sheets',
  about:
    'Makes a thousand sheets of 24 labels with captions, and measures processor time and memory. Ends with 1 when a target is missed: 30 s of processor time for each of two cores, and memory that does not grow with the sheets.',
  options: {},
  examples: [['', 'prints the figures and their targets']],
});

const SHEETS = 1000;
const PER_SHEET = 24;
const WARM_SHEETS = 10;
const CORES = 2;
const TARGET_S = 30;
/** What pdfkit remembers of a page, garbage that waits, and the file's end. */
const GROWTH_MAX_MB = 120;
const MB = 1024 * 1024;

async function* codes(count: number): AsyncGenerator<SheetCode, void> {
  const design = toDesign({});
  for (let index = 1; index <= count; index += 1) {
    const text = `https://example.com/item/${String(index).padStart(6, '0')}?from=label`;
    yield { values: { content: text }, picture: { text, design, logo: null } };
  }
}

const sheet = resolveSheet({
  page: { size: 'A4' },
  label: { columns: 4, rows: 6, marginMm: 8, gapMm: 2, caption: '{content}' },
});
if (!sheet.ok) throw new Error(`${sheet.fault.field} ${sheet.fault.message}`);

let [pages, bytes, warmMb, peakMb] = [0, 0, 0, 0];
const startedMs = performance.now();
const before = process.cpuUsage();
const job = {
  sheet: sheet.value,
  title: 'bench',
  codes: codes(SHEETS * PER_SHEET),
  onPage: () => (pages += 1),
};
for await (const chunk of makeSheets(job)) {
  bytes += chunk.length;
  const mb = process.memoryUsage.rss() / MB;
  if (pages <= WARM_SHEETS) warmMb = mb;
  peakMb = Math.max(peakMb, mb);
}
const { user, system } = process.cpuUsage(before);
const cpuS = (user + system) / 1e6;
const wallS = (performance.now() - startedMs) / 1000;

console.log(`${pages} sheets of ${PER_SHEET} labels, ${(bytes / MB).toFixed(1)} MB`);
console.log(
  `${wallS.toFixed(1)} s, ${cpuS.toFixed(1)} s of processor time, ${((cpuS * 1e3) / SHEETS / PER_SHEET).toFixed(2)} ms a label`,
);
console.log(`resident ${warmMb.toFixed(0)} MB after ${WARM_SHEETS} sheets, ${peakMb.toFixed(0)} MB at most`);
const missed = cpuS > TARGET_S * CORES || peakMb - warmMb > GROWTH_MAX_MB;
if (missed) console.log('A target is missed.');
process.exitCode = missed ? 1 : 0;
