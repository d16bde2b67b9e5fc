/** A comparison in sentences and a table. Pure. */
import type { Table } from '../page/text.ts';
import { figure } from '../say.ts';
import type { Change, Comparison, Verdict } from './compare.ts';
import type { SavedReport } from './read.ts';

const ORDER: readonly Verdict[] = ['slower', 'faster', 'not determined', 'the same'];

const range = ({ low, high, isAssumed }: Change): string =>
  `${figure(low)} – ${figure(high)}${isAssumed ? ' *' : ''}`;

/** Shows each change, the worst news first. */
export const changeTable = ({ changes }: Comparison): Table => ({
  head: ['figure', 'before', 'after', 'ratio', '99 of 100 lie in', ''],
  rows: [...changes]
    .sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
    .map((change) => [
      change.name,
      figure(change.before),
      figure(change.after),
      figure(change.ratio),
      range(change),
      change.verdict,
    ]),
});

const named = (changes: readonly Change[], verdict: Verdict): string =>
  changes
    .filter((change) => change.verdict === verdict)
    .map(({ name, ratio }) => `${name} (${figure(ratio)})`)
    .join(', ');

/** Says what became slower and faster, what cannot be told, and what to know about the runs. */
export const sentences = ({ changes, missing, notes }: Comparison): string[] => {
  const count = (verdict: Verdict) => changes.filter((change) => change.verdict === verdict).length;
  const lines = [...notes];
  for (const verdict of ['slower', 'faster'] as const) {
    const label = verdict === 'slower' ? 'Slower' : 'Faster';
    lines.push(count(verdict) === 0 ? `Nothing is ${verdict}.` : `${label}: ${named(changes, verdict)}.`);
  }
  lines.push(
    `Of ${changes.length} figures ${count('the same')} are the same within a tenth, and ${count('not determined')} are not determined: their intervals are too wide to tell.`,
  );
  if (changes.some(({ isAssumed }) => isAssumed))
    lines.push(
      '* was measured once, so its spread is assumed from what other runs differed by. Several reports a side show their own: give folders.',
    );
  if (missing.length > 0) lines.push(`On one side alone: ${missing.join(', ')}.`);
  return lines;
};

/** Names the reports of a side: when they were made, of which commit. */
export const sideOf = (reports: readonly SavedReport[]): string =>
  reports
    .map(
      ({ kind, at, machine }) => `${kind} of ${at.slice(0, 16).replace('T', ' ')}, commit ${machine.commit}`,
    )
    .join('; ');
