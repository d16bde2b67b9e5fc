/** The report in Markdown, for a pull request or a wiki. Pure. */
import { describeSlo } from '../capacity/slo.ts';
import { codesARequest, describeMix } from '../load/mix.ts';
import { BUSY_LOAD, type Machine } from '../machine.ts';
import { lawOf } from '../model/curve.ts';
import type { CostModel } from '../model/model.ts';
import { modelTables } from '../model/tables.ts';
import { figure, percent, type Table } from '../say.ts';
import type { BenchReport, CapacityReport } from './report.ts';
import * as tables from './tables.ts';

const table = ({ head, rows }: Table): string => {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
};

const capacityVerdicts = ({ found, slo, mix, machine, url }: CapacityReport): string[] => {
  const where =
    url ?? `one gateway on ${machine.cores} cores, with Redis, Postgres and the load generator beside it`;
  return [
    `${tables.headline(found, codesARequest(mix))}.`,
    `The mix was “${describeMix(mix)}”, the objective ${describeSlo(slo)}, the target ${where}.`,
  ];
};

/** Returns a sentence about latencies that say nothing; empty when all do. */
export const invalidLatencies = ({ latencies }: Pick<BenchReport, 'latencies'>): string[] => {
  const wrong = latencies.filter(({ faults }) => faults.length > 0);
  const [first] = wrong;
  return first === undefined
    ? []
    : [
        `Not valid: ${wrong.length} of ${latencies.length} latencies, such as ${first.scenario} at ${percent(first.load)}: ${first.faults.join('; ')}.`,
      ];
};

/** Returns the results in a few sentences. `null` stands for a run that was not made. */
export const verdicts = (bench: BenchReport | null, capacity: CapacityReport | null): string[] => {
  const outcomes = bench?.outcomes ?? [];
  const met = outcomes.filter(({ isMet }) => isMet).length;
  const load = Math.max(bench?.machine.load ?? 0, capacity?.machine.load ?? 0);
  return [
    ...(capacity === null ? [] : capacityVerdicts(capacity)),
    ...(bench === null ? [] : invalidLatencies(bench)),
    ...(outcomes.length === 0 ? [] : [`${met} of ${outcomes.length} ratios reach their target.`]),
    ...(load <= BUSY_LOAD
      ? []
      : [
          `The machine was busy with other work (load ${load.toFixed(1)}): rates are too low, latencies are too high, and ratios may be wrong by a factor of two. Only the processor time of requests can be trusted in this run.`,
        ]),
  ];
};

/** Shows the machine as a table of two columns. */
const fingerprint = (machine: Machine): Table => ({
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

const BENCH_PARTS = {
  Ratios: tables.ratioTable,
  Scenarios: tables.scenarioTable,
  'Latency at constant rates': tables.latencyTable,
  'Under stress': tables.stressTable,
} as const;

const benchParts = (bench: BenchReport): string[] =>
  Object.entries(BENCH_PARTS).flatMap(([title, of]) =>
    of(bench).rows.length === 0 ? [] : [`## ${title}`, table(of(bench))],
  );

const capacityParts = (capacity: CapacityReport): string[] => [
  ...['## Capacity', table(tables.stepTable(capacity.found))],
  ...(capacity.found.soak === null
    ? []
    : [
        table(tables.kindTable(capacity.found.soak.result)),
        `Of the last soak: ${capacity.found.soak.seen}.`,
      ]),
  table(tables.costTable(capacity)),
  ...(capacity.gateways === null ? [] : [tables.describeLaw(capacity.gateways)]),
  ...(capacity.plan === null
    ? []
    : ['## Several machines', capacity.plan.sentences.map((line) => `- ${line}`).join('\n')]),
];

/** Returns the report. Leaves out what is `null`. */
export const markdownReport = (
  bench: BenchReport | null,
  capacity: CapacityReport | null,
  model: CostModel | null = null,
): string => {
  const machine = capacity?.machine ?? bench?.machine ?? model?.machine;
  const parts = [
    '# Benchmark report',
    ...verdicts(bench, capacity).map((line) => `**${line}**`),
    ...(bench === null ? [] : benchParts(bench)),
    ...(capacity === null ? [] : capacityParts(capacity)),
    ...(model === null
      ? []
      : [
          '## Cost of a call by load',
          ...modelTables(model, lawOf(model)).flatMap((one) => [`${one.title}:`, table(one)]),
        ]),
    ...(machine === undefined ? [] : ['## Machine', table(fingerprint(machine))]),
    ...[bench, capacity].flatMap((report) =>
      report === null ? [] : [`${report.at}: \`${report.command}\``],
    ),
  ];
  return `${parts.join('\n\n')}\n`;
};
