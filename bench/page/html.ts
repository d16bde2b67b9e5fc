/** The report as one file that loads nothing: no script, no font, no picture. */

import type { CostModel } from '../model/model.ts';
import { modelTables, stacks } from '../model/tables.ts';
import * as benchTables from './bench-tables.ts';
import * as capacityTables from './capacity-tables.ts';
import { costTable } from './cost-table.ts';
import { escaped, figure, htmlDocument, paragraph, section, table, verdict } from './document.ts';
import type { BenchReport, CapacityReport, CostReport } from './model.ts';
import * as costPlots from './plots/cost.ts';
import * as latencyPlots from './plots/latency.ts';
import { scalability } from './plots/scaling.ts';
import * as text from './text.ts';

/** The load at which curves are compared: busy, but not full. */
const COMPARED_LOAD = 0.5;

const benchSections = (bench: BenchReport): string[] => {
  const half = bench.latencies.filter(({ load }) => load === COMPARED_LOAD);
  const sections = [
    section('Ratios', table(benchTables.ratioTable(bench))),
    section(
      'Scenarios',
      figure(
        costPlots.throughputs(bench),
        'Closed loop: each connection waits for its answer. Each dot is one round.',
      ),
      figure(
        costPlots.costByPart(costPlots.costsOf(bench)),
        'Processor time of one good answer in this closed loop, where requests share what a round costs: at a low rate one costs more.',
      ),
      table(benchTables.scenarioTable(bench)),
    ),
  ];
  if (half.length > 0) {
    sections.push(
      section(
        'Latency at constant rates',
        figure(
          latencyPlots.latencyByLoad(bench.latencies),
          'The 99th percentile at each load. Where a line turns upwards, requests begin to wait for one another: a plan stays left of there.',
        ),
        figure(
          latencyPlots.percentileCurves(half),
          'At half of each scenario’s throughput. Latency counts from the moment a request was due, so that a stall shows in every request that it delayed.',
        ),
        table(benchTables.latencyTable(bench)),
      ),
      section(
        'Where the time goes',
        figure(
          costPlots.timeBudgets(half, bench.parts),
          'Means of Server-Timing at half load; “rest” is the remaining time of the answer: HTTP, keys, JSON, sockets. Drawing is divided into symbol, shapes, raster and encode as in a profile of the same pictures. For a bulk call it is the sum over all its codes, in several threads.',
        ),
      ),
    );
  }
  if (bench.overload ?? bench.fairness)
    sections.push(section('Under stress', table(benchTables.stressTable(bench))));
  return sections;
};

const capacitySections = (capacity: CapacityReport): string[] => [
  section(
    'Capacity',
    figure(
      latencyPlots.latencyByRate(capacity),
      'Every step of the search. Dashed lines: the objective, and the highest rate that met it.',
    ),
    paragraph(capacityTables.validity(capacity)),
    table(capacityTables.stepTable(capacity)),
    table(capacityTables.confirmationTable(capacity)),
  ),
  ...(capacity.threads === null
    ? []
    : [
        section(
          'More render threads',
          figure(
            scalability(capacity.threads),
            'Universal Scalability Law: measured points, the fitted curve, and its extrapolation (dashed). Nine of ten fits to resampled measurements lie in the band.',
          ),
          paragraph(capacityTables.law(capacity.threads)),
        ),
      ]),
  section(
    'What more machines would serve',
    table(capacityTables.planTable(capacity)),
    `<ul>${capacity.plan.assumptions.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`,
  ),
];

const costSection = ({ costs, at, command }: CostReport): string =>
  section(
    'What a request costs',
    figure(costPlots.costByPart(costs), `Processor time of each part: ${command}, ${at}.`),
    table(costTable(costs)),
  );

const modelSection = (model: CostModel): string =>
  section(
    'What a call costs by load',
    figure(
      costPlots.costByPart(stacks(model)),
      `Processor time of each part, at low, middle and full load: npm run bench:model, ${model.at}.`,
    ),
    ...modelTables(model).flatMap((one) => [paragraph(`${one.title}:`), table(one)]),
  );

/** Returns a complete HTML document. Leaves out a report that is `null`. */
export const htmlReport = (
  bench: BenchReport | null,
  capacity: CapacityReport | null,
  costs: CostReport | null = null,
  model: CostModel | null = null,
): string => {
  const machine = capacity?.machine ?? bench?.machine ?? costs?.machine ?? model?.machine;
  const sentences = text.verdicts(bench, capacity);
  return htmlDocument('Tessera: benchmark report', [
    ...(sentences.length === 0 ? [] : [verdict(sentences)]),
    ...(bench === null ? [] : benchSections(bench)),
    ...(capacity === null ? [] : capacitySections(capacity)),
    ...(costs === null ? [] : [costSection(costs)]),
    ...(model === null ? [] : [modelSection(model)]),
    ...(machine === undefined ? [] : [section('Machine', table(text.fingerprint(machine)))]),
    `<footer>${[bench, capacity].flatMap((report) => (report === null ? [] : [`<p>${report.at}: <code>${escaped(report.command)}</code></p>`])).join('')}</footer>`,
  ]);
};
