/** What `npm run bench` does with reports instead of measuring: each function returns the exit code. */
import { writeFile } from 'node:fs/promises';
import type { Uses } from '../options.ts';
import { figure, say, show, type Table, tableOf } from '../say.ts';
import { type Change, type Comparison, compareReports, type Verdict } from './compare.ts';
import { figuresAsCsv, figuresAsMetrics, sendOtlp } from './export.ts';
import { figuresOf } from './figures.ts';
import { readReports, type SavedReport } from './read.ts';
import { missedOf } from './require.ts';

const ORDER: readonly Verdict[] = ['slower', 'faster', 'not determined', 'the same'];

/** Prints each change, the worst first. */
export const changeTable = ({ changes }: Comparison): Table =>
  tableOf(
    [...changes].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict)),
    [
      ['figure', ({ name }) => name],
      ['before', ({ before }) => before],
      ['after', ({ after }) => after],
      ['ratio', ({ ratio }) => ratio],
      [
        '99 of 100 lie in',
        ({ low, high, isAssumed }) => `${figure(low)} – ${figure(high)}${isAssumed ? ' *' : ''}`,
      ],
      ['', ({ verdict }) => verdict],
    ],
  );

/** Prints what became slower or faster, what is not determined, and notes about the runs. */
export const sentences = ({ changes, missing, notes }: Comparison): string[] => {
  const those = (verdict: Verdict): readonly Change[] =>
    changes.filter((change) => change.verdict === verdict);
  const named = (verdict: 'slower' | 'faster'): string => {
    const list = those(verdict).map(({ name, ratio }) => `${name} (${figure(ratio)})`);
    if (list.length === 0) return `Nothing is ${verdict}.`;
    return `${verdict === 'slower' ? 'Slower' : 'Faster'}: ${list.join(', ')}.`;
  };
  return [
    ...notes,
    ...[named('slower'), named('faster')],
    `Of ${changes.length} figures ${those('the same').length} are the same within a tenth, and ${those('not determined').length} are not determined: their intervals are too wide to tell.`,
    ...(changes.some(({ isAssumed }) => isAssumed)
      ? [
          '* was measured once, so its spread is assumed from earlier runs. To measure the spread, give folders with several reports for each side.',
        ]
      : []),
    ...(missing.length > 0 ? [`On one side only: ${missing.join(', ')}.`] : []),
  ];
};

/** Lists the reports of a side with their times and commits. */
const sideOf = (reports: readonly SavedReport[]): string =>
  reports
    .map(
      ({ kind, at, machine }) => `${kind} of ${at.slice(0, 16).replace('T', ' ')}, commit ${machine.commit}`,
    )
    .join('; ');

/** The exit code when a comparison says nothing. */
const UNDETERMINED = 3;

/**
 * Compares two reports, or two folders of reports. Returns 1 when something became slower, and 3 when no figure is
 * determined.
 */
export const compareSaved = async (beforePath: string, afterPath: string): Promise<number> => {
  const [before, after] = [await readReports([beforePath]), await readReports([afterPath])];
  const comparison = compareReports(before, after);
  say(`before: ${sideOf(before)}\nafter:  ${sideOf(after)}`);
  show(changeTable(comparison));
  say();
  for (const line of sentences(comparison)) say(line);
  const verdicts = new Set(comparison.changes.map(({ verdict }) => verdict));
  if (verdicts.has('slower')) return 1;
  if (verdicts.has('faster') || verdicts.has('the same')) return 0;
  say('No figure is determined, so this is no proof that nothing became slower: measure more rounds.');
  return UNDETERMINED;
};

/** Exports the figures of saved reports and prints which requirements are missed. Returns 1 when any is missed. */
export const useSaved = async (
  paths: readonly string[],
  { csv, openmetrics, otlp, required }: Uses,
): Promise<number> => {
  const reports = await readReports(paths);
  if (csv !== undefined) await writeFile(csv, figuresAsCsv(reports));
  if (openmetrics !== undefined) await writeFile(openmetrics, await figuresAsMetrics(reports));
  for (const file of [csv, openmetrics]) if (file !== undefined) say(`written: ${file}`);
  if (otlp !== undefined) {
    await sendOtlp(otlp, reports);
    say(`sent to ${otlp}`);
  }
  const missed = missedOf(reports.flatMap(figuresOf), required);
  for (const line of missed) say(line);
  return missed.length > 0 ? 1 : 0;
};
