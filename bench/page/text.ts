/** The first and the last part of the report, for the page and for Markdown alike. Pure. */
import { describeSlo } from '../capacity/slo.ts';
import { codesARequest, describeMix } from '../load/mix.ts';
import type { Machine } from '../machine.ts';
import { figure, percent } from '../say.ts';
import type { BenchReport, CapacityReport } from './model.ts';

/** Cells as text; the first column names its row. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Above this load average, other work ran on the machine too. */
export const BUSY_LOAD = 0.5;

/** Returns the results in a few sentences. A report that is `null` has not been run. */
export const verdicts = (bench: BenchReport | null, capacity: CapacityReport | null): string[] => {
  const lines: string[] = [];
  if (capacity !== null) {
    const { found, confirmation, slo, mix, machine, url, last } = capacity;
    const repeated = confirmation.runs.at(-1)?.result;
    const change =
      last === null ? '' : ` (${percent(found.ratePerS / last.ratePerS - 1)} against the last report)`;
    const soak = found.soak?.result;
    const where =
      url ?? `one gateway on ${machine.cores} cores, with Redis, Postgres and the load generator beside it`;
    lines.push(
      `Sustains ${figure(found.ratePerS)} requests a second (${figure(found.ratePerS * codesARequest(mix))} codes a second) of the mix “${describeMix(mix)}” at ${describeSlo(slo)}, on ${where}${change}.`,
      soak === undefined
        ? 'No rate held for the length of a soak.'
        : `${figure(soak.askedPerS)} a second for ${figure(soak.seconds)} s held; p99 ${figure(soak.latencyMs.p99)} ms, p99.9 ${figure(soak.latencyMs.p999)} ms.`,
      repeated === undefined
        ? 'No independent generator has repeated it.'
        : `The search found ${figure(confirmation.searchedPerS)} a second; an independent generator, in processes of its own, finds the objective held at ${figure(repeated.askedPerS)}: p99 ${figure(repeated.latencyMs.p99)} ms.`,
    );
  }
  if (bench !== null) {
    const met = bench.outcomes.filter(({ isMet }) => isMet).length;
    if (bench.outcomes.length > 0)
      lines.push(`${met} of ${bench.outcomes.length} ratios reach their target.`);
  }
  const load = Math.max(bench?.machine.load ?? 0, capacity?.machine.load ?? 0);
  if (load > BUSY_LOAD) {
    lines.push(
      `The machine was busy with other work (load ${load.toFixed(1)}): rates are too low, latencies are too high, and ratios may be wrong by a factor of two. Nothing follows from this run but the processor time that requests cost.`,
    );
  }
  return lines;
};

/** Shows the machine as a table of two columns. */
export const fingerprint = (machine: Machine): Table => ({
  head: ['machine', ''],
  rows: [
    ['processor', `${machine.cpu}, ${machine.cores} cores, governor ${machine.governor}`],
    ['memory', `${figure(machine.memoryBytes / 2 ** 30)} GiB`],
    ['kernel', machine.kernel],
    ['container', `${machine.inContainer ? 'yes' : 'none seen'}; cpu.max ${machine.cgroupCpuMax}`],
    ['Node.js', machine.node],
    ['Redis', machine.redis],
    ['Postgres', machine.postgres],
    ['commit', `${machine.commit}${machine.dirty ? ', with changes' : ''}`],
    ['load at the start', machine.load.toFixed(2)],
    ['generator', 'on the same machine'],
  ],
});
