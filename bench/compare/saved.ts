/** What `npm run bench` does with reports instead of measuring: each function returns what the process ends with. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Uses } from '../options.ts';
import { say, table } from '../say.ts';
import { compareReports } from './compare.ts';
import { figuresAsCsv } from './csv.ts';
import { figuresOf } from './figures.ts';
import { trendHtml, trendMarkdown } from './pages.ts';
import { figuresAsMetrics } from './prometheus.ts';
import { ReportFault, readReports, type SavedReport } from './read.ts';
import { missedOf } from './require.ts';
import { changeTable, sentences, sideOf } from './tables.ts';
import { overview, trendsOf } from './trend.ts';

const SLOWER = 1;

/** Compares two reports, or two folders of reports. Returns 1 when something became slower. */
export const compareSaved = async (beforePath: string, afterPath: string): Promise<number> => {
  const [before, after] = [await readReports([beforePath]), await readReports([afterPath])];
  const comparison = compareReports(before, after);
  if (typeof comparison === 'string') throw new ReportFault(comparison);
  say(`before: ${sideOf(before)}\nafter:  ${sideOf(after)}\n`);
  const { head, rows } = changeTable(comparison);
  say(`${table(head, rows)}\n`);
  for (const line of sentences(comparison)) say(line);
  return comparison.changes.some(({ verdict }) => verdict === 'slower') ? SLOWER : 0;
};

/** Prints figures over reports by date, and writes them as trend.html and trend.md into a folder. */
export const showTrend = async (
  paths: readonly string[],
  { figures, folder }: { readonly figures: readonly string[]; readonly folder: string },
): Promise<number> => {
  const trends = trendsOf(await readReports(paths), figures);
  if (typeof trends === 'string') throw new ReportFault(trends);
  const { head, rows } = overview(trends);
  say(table(head, rows));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'trend.html'), trendHtml(trends));
  await writeFile(join(folder, 'trend.md'), trendMarkdown(trends));
  say(`\ntrend: ${join(folder, 'trend.html')}`);
  return 0;
};

/** Exports the figures of reports, and says which required ones are missed. Returns 1 when one is. */
export const useFigures = async (
  reports: readonly SavedReport[],
  { csv, prometheus, required }: Uses,
): Promise<number> => {
  if (csv !== null) await writeFile(csv, figuresAsCsv(reports));
  if (prometheus !== null) await writeFile(prometheus, await figuresAsMetrics(reports));
  for (const file of [csv, prometheus]) if (file !== null) say(`written: ${file}`);
  const missed = missedOf(reports.flatMap(figuresOf), required);
  if (typeof missed === 'string') throw new ReportFault(missed);
  for (const line of missed) say(line);
  return missed.length > 0 ? SLOWER : 0;
};

/** Like `useFigures`, for paths of reports. */
export const useSaved = async (paths: readonly string[], uses: Uses): Promise<number> =>
  useFigures(await readReports(paths), uses);
