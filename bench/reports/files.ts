/** The files of the reports, in one folder: the measurements as JSON, and a page in Markdown, made from all runs. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textOr } from '../../test/support/command.ts';
import { writeJson } from '../files.ts';
import { readModelOf } from '../model/files.ts';
import { say } from '../say.ts';
import { markdownReport } from './markdown.ts';
import type { BenchReport, CapacityReport } from './report.ts';

/** Version of the JSON files. */
export const VERSION = 5;
/** `bench/report`, relative to `dist/bench/reports`. */
const REPORT_FOLDER = fileURLToPath(new URL('../../../bench/report', import.meta.url));

/** The option that names the folder. */
export const REPORT = {
  ...textOr('folder', REPORT_FOLDER, 'folder of the report'),
  shown: 'bench/report',
} as const;

/** Returns `null` also for a file of another version, which may lack fields of the page. */
const read = async <T>(file: string): Promise<T | null> => {
  if (!existsSync(file)) return null;
  const { version, ...report } = JSON.parse(await readFile(file, 'utf8')) as { version?: number };
  return version === VERSION ? (report as T) : null;
};

/** Makes the page from the latest measurements in the folder. */
export const writePage = async (folder: string): Promise<void> => {
  const page = join(folder, 'report.md');
  const bench = await read<BenchReport>(join(folder, 'bench.json'));
  const capacity = await read<CapacityReport>(join(folder, 'capacity.json'));
  await writeFile(page, markdownReport(bench, capacity, await readModelOf(folder)));
  say(`\nreport: ${page}`);
};

/** Returns the command that repeats a run, without the key, because reports are shared. */
export const commandOf = ([script = '', ...args]: readonly string[]): string =>
  ['node', script.replace(/^.*\/(?=dist\/bench\/)/, ''), ...args]
    .map((word) => (/\s/.test(word) ? `"${word}"` : word))
    .join(' ')
    .replace(/--key[ =]\S+/g, '--key …');

/** Saves the results of a run, and makes the page. Returns the file. */
export const writeReport = async (
  folder: string,
  name: 'bench.json' | 'capacity.json',
  report: Omit<BenchReport, 'at' | 'command'> | Omit<CapacityReport, 'at' | 'command'>,
): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, name);
  const command = commandOf(process.argv.slice(1));
  await writeJson(file, { version: VERSION, at: new Date().toISOString(), command, ...report });
  await writePage(folder);
  return file;
};
