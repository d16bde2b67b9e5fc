import type { CostModel } from '../model/model.ts';
import { modelTables } from '../model/tables.ts';
import * as benchTables from './bench-tables.ts';
import * as capacityTables from './capacity-tables.ts';
import { costTable } from './cost-table.ts';
import type { BenchReport, CapacityReport, CostReport } from './model.ts';
import * as text from './text.ts';

/** Returns a table in Markdown. */
export const table = ({ head, rows }: text.Table): string => {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
};

/** Returns the report for a pull request or a wiki, without the plots. Leaves out a report that is `null`. */
export const markdownReport = (
  bench: BenchReport | null,
  capacity: CapacityReport | null,
  costs: CostReport | null = null,
  model: CostModel | null = null,
): string => {
  const parts = ['# Benchmark report', ...text.verdicts(bench, capacity).map((line) => `**${line}**`)];
  const machine = capacity?.machine ?? bench?.machine ?? costs?.machine ?? model?.machine;
  if (bench !== null) {
    parts.push(
      '## Ratios',
      table(benchTables.ratioTable(bench)),
      '## Scenarios',
      table(benchTables.scenarioTable(bench)),
    );
    if (bench.latencies.length > 0)
      parts.push('## Latency at constant rates', table(benchTables.latencyTable(bench)));
    if (bench.overload ?? bench.fairness)
      parts.push('## Under stress', table(benchTables.stressTable(bench)));
  }
  if (capacity !== null) {
    const plan = [
      table(capacityTables.planTable(capacity)),
      ...capacity.plan.assumptions.map((line) => `- ${line}`),
    ];
    parts.push('## Capacity', table(capacityTables.stepTable(capacity)), capacityTables.validity(capacity));
    parts.push(table(capacityTables.confirmationTable(capacity)));
    if (capacity.threads !== null) parts.push(capacityTables.law(capacity.threads));
    parts.push('## Plan', plan[0]!, plan.slice(1).join('\n'));
  }
  if (costs !== null) parts.push('## What a request costs', table(costTable(costs.costs)));
  if (model !== null) {
    parts.push('## What a call costs by load');
    for (const one of modelTables(model)) parts.push(`${one.title}:`, table(one));
  }
  if (machine !== undefined) parts.push('## Machine', table(text.fingerprint(machine)));
  for (const report of [bench, capacity])
    if (report !== null) parts.push(`${report.at}: \`${report.command}\``);
  return `${parts.join('\n\n')}\n`;
};
