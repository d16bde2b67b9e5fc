/** The report's files in `bench/report/`: what was measured as JSON, the page and its text made from both runs. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { say } from '../say.ts';
import { htmlReport } from './html.ts';
import { markdownReport } from './markdown.ts';
import { type BenchReport, type CapacityReport, nameOf } from './model.ts';

/** Of what lies in the JSON files. */
const VERSION = 2;
/** Seen from `dist/bench/page`. */
const FOLDER = new URL('../../../bench/report/', import.meta.url);

/** `null` also for a file of an earlier version, which has not what the page shows now. */
const read = async <T>(name: string): Promise<T | null> => {
  const file = new URL(name, FOLDER);
  if (!existsSync(file)) return null;
  const { version, ...report } = JSON.parse(await readFile(file, 'utf8')) as { version?: number };
  return version === VERSION ? (report as T) : null;
};

/** Infinity has no JSON; the page shows `null` as such. Whole or not at all, should the run be interrupted. */
const write = async (name: string, value: object): Promise<void> => {
  const unfinished = new URL(`${name}.new`, FOLDER);
  await writeFile(unfinished, `${JSON.stringify({ version: VERSION, ...value }, null, 1)}\n`);
  await rename(unfinished, new URL(name, FOLDER));
};

/** Makes the page and the text again from what was measured last. */
export const writePages = async (): Promise<void> => {
  const [bench, capacity] = [
    await read<BenchReport>('bench.json'),
    await read<CapacityReport>('capacity.json'),
  ];
  await writeFile(new URL('index.html', FOLDER), htmlReport(bench, capacity));
  await writeFile(new URL('report.md', FOLDER), markdownReport(bench, capacity));
  say(`\nreport: ${fileURLToPath(new URL('index.html', FOLDER))}`);
};

const stamp = () => ({
  at: new Date().toISOString(),
  command: [
    'node',
    'dist/bench/',
    ...process.argv.slice(1, 2).map((path) => path.split('/').at(-1)),
    ...process.argv.slice(2),
  ]
    .join(' ')
    .replace('/ ', '/'),
});

export const writeBench = async (report: Omit<BenchReport, 'at' | 'command' | 'last'>): Promise<void> => {
  await mkdir(FOLDER, { recursive: true });
  const before = await read<BenchReport>('bench.json');
  const ratios = Object.fromEntries(
    (before?.outcomes ?? []).map((outcome) => [nameOf(outcome), outcome.ratio.median]),
  );
  await write('bench.json', {
    ...stamp(),
    ...report,
    last: before === null ? null : { at: before.at, ratios },
  });
  await writePages();
};

export const writeCapacity = async (
  report: Omit<CapacityReport, 'at' | 'command' | 'last'>,
): Promise<void> => {
  await mkdir(FOLDER, { recursive: true });
  const before = await read<CapacityReport>('capacity.json');
  const isSame =
    before !== null && JSON.stringify([before.slo, before.mix]) === JSON.stringify([report.slo, report.mix]);
  const last = isSame ? { at: before.at, ratePerS: before.found.ratePerS } : null;
  await write('capacity.json', { ...stamp(), ...report, last });
  await writePages();
};
