/**
 * The files of the report, in one folder: the measurements as JSON, and the page and its text, made from both runs.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readModelOf } from '../model/files.ts';
import { say } from '../say.ts';
import { htmlReport } from './html.ts';
import { markdownReport } from './markdown.ts';
import { type BenchReport, type CapacityReport, type CostReport, nameOf } from './model.ts';

/** Version of the JSON files. */
export const VERSION = 3;
/** `bench/report`, relative to `dist/bench/page`. */
export const REPORT_FOLDER = fileURLToPath(new URL('../../../bench/report', import.meta.url));

/** `null` also for a file of another version, which may lack what the page shows. */
const read = async <T>(file: string): Promise<T | null> => {
  if (!existsSync(file)) return null;
  const { version, ...report } = JSON.parse(await readFile(file, 'utf8')) as { version?: number };
  return version === VERSION ? (report as T) : null;
};

/**
 * Writes a file completely or, when the run is interrupted, not at all. JSON has no Infinity; the page shows `null`
 * for it.
 */
const write = async (file: string, value: object): Promise<void> => {
  const unfinished = `${file}.new`;
  await writeFile(unfinished, `${JSON.stringify({ version: VERSION, ...value }, null, 1)}\n`);
  await rename(unfinished, file);
};

/** Makes the page and the text from the latest measurements in the folder. */
export const writePages = async (folder: string): Promise<void> => {
  const page = join(folder, 'index.html');
  const bench = await read<BenchReport>(join(folder, 'bench.json'));
  const capacity = await read<CapacityReport>(join(folder, 'capacity.json'));
  const costs = await read<CostReport>(join(folder, 'costs.json'));
  const model = await readModelOf(folder);
  await writeFile(page, htmlReport(bench, capacity, costs, model));
  await writeFile(join(folder, 'report.md'), markdownReport(bench, capacity, costs, model));
  say(`\nreport: ${page}`);
};

/** Returns the command that repeats a run. It leaves out the key, because reports are passed on. */
export const commandLine = ([script = '', ...args]: readonly string[]): string =>
  ['node', script.replace(/^.*\/(?=dist\/bench\/)/, ''), ...args]
    .map((word) => (/\s/.test(word) ? `"${word}"` : word))
    .join(' ')
    .replace(/--key[ =]\S+/g, '--key …');

const stamp = () => ({ at: new Date().toISOString(), command: commandLine(process.argv.slice(1)) });

/** Saves the results of `npm run bench` with the ratios of the run before it, and makes the pages. Returns the file. */
export const writeBench = async (
  folder: string,
  report: Omit<BenchReport, 'at' | 'command' | 'last'>,
): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'bench.json');
  const before = await read<BenchReport>(file);
  const ratios = Object.fromEntries(
    (before?.outcomes ?? []).map((outcome) => [nameOf(outcome), outcome.ratio.median]),
  );
  await write(file, {
    ...stamp(),
    ...report,
    last: before === null ? null : { at: before.at, ratios },
  });
  await writePages(folder);
  return file;
};

/**
 * Saves the results of `npm run capacity`, and makes the pages. The rate of the run before it is kept when it had
 * the same objective and mix.
 */
export const writeCapacity = async (
  folder: string,
  report: Omit<CapacityReport, 'at' | 'command' | 'last'>,
): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'capacity.json');
  const before = await read<CapacityReport>(file);
  const isSame =
    before !== null && JSON.stringify([before.slo, before.mix]) === JSON.stringify([report.slo, report.mix]);
  const last = isSame ? { at: before.at, ratePerS: before.found.ratePerS } : null;
  await write(file, { ...stamp(), ...report, last });
  await writePages(folder);
};

/** Saves what requests cost, and makes the pages. */
export const writeCosts = async (
  folder: string,
  report: Omit<CostReport, 'at' | 'command'>,
): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await write(join(folder, 'costs.json'), { ...stamp(), ...report });
  await writePages(folder);
};
