/** The command line of `npm run bench`. */
import { flag, Misuse, text, textOr, texts, type Values } from '../test/support/command.ts';
import { parseRequirement } from './compare/require.ts';
import { REPORT } from './reports/files.ts';
import { SCENARIO_NAMES, SCENARIOS, scenarioOf } from './stages/scenarios.ts';

const STAGES = ['compare', 'latency', 'overload'] as const;
/** A part of the run. */
export type Stage = (typeof STAGES)[number];

const QUICK = { rounds: 1, seconds: 1, warmUpS: 0.5 };
const USUAL = { rounds: 3, seconds: 3, warmUpS: 1 };

const OPTIONS = {
  rounds: { ...text('n', 'rounds of every scenario'), least: 1, isWhole: true, shown: '3' },
  seconds: { ...text('n', 'seconds of each scenario in each round'), least: 0.1, shown: '3' },
  'warm-up': { ...text('seconds', 'seconds of warm-up before each of them'), least: 0, shown: '1' },
  quick: flag('one short round of everything: two minutes'),
  only: text('names', 'runs only these scenarios, and requests that are none: "bare,redirect,check"'),
  stages: textOr('names', STAGES.join(','), 'runs only these stages'),
  report: REPORT,
  compare: flag('shows what became slower from report to report; in a folder, each is a round'),
  from: flag('takes the figures for the options below from reports'),
  csv: text('file', 'writes all figures as CSV, a line for each round'),
  openmetrics: text('file', 'writes the medians as OpenMetrics, which Prometheus reads'),
  otlp: text('address', 'sends them to a collector of OpenTelemetry: http://127.0.0.1:4318'),
  require: texts(
    'name=number',
    'exits with 1 when the figure is below the number or, for times and costs, above it',
  ),
} as const;

type Given = Values<typeof OPTIONS>;

/** Returns names that are separated by commas. @throws {Misuse} When one of them is not known. */
const namesIn = <N extends string>(text: string, option: string, known: readonly N[]): N[] =>
  text.split(',').map((part) => {
    const name = known.find((one) => one === part.trim());
    if (name === undefined)
      throw new Misuse(`${option} has "${part.trim()}"; there are: ${known.join(', ')}`);
    return name;
  });

const runOf = (values: Given) => {
  const usual = values.quick ? QUICK : USUAL;
  return {
    rounds: Number(values.rounds ?? usual.rounds),
    seconds: Number(values.seconds ?? usual.seconds),
    warmUpS: Number(values['warm-up'] ?? usual.warmUpS),
    scenarios:
      values.only === undefined ? SCENARIOS : namesIn(values.only, '--only', SCENARIO_NAMES).map(scenarioOf),
    stages: namesIn(values.stages, '--stages', STAGES),
    /** Of the report. */
    folder: values.report,
  };
};

/** The options of a run, checked. */
export type RunOptions = Readonly<ReturnType<typeof runOf>>;

const usesOf = ({ csv, openmetrics, otlp, require: required }: Given) => {
  if (otlp !== undefined && !(URL.canParse(otlp) && /^https?:$/.test(new URL(otlp).protocol)))
    throw new Misuse('--otlp must be the base URL of a collector, such as http://127.0.0.1:4318');
  return { csv, openmetrics, otlp, required: required.map(parseRequirement) };
};

/** What to do with the figures, of a run or of saved reports. `otlp` is the base URL of a collector. */
export type Uses = ReturnType<typeof usesOf>;

const read = (values: Given, reports: readonly string[]) => {
  if (values.compare && values.from) throw new Misuse('--compare and --from cannot be given together');
  if (!values.compare && !values.from && reports.length > 0)
    throw new Misuse(`"${reports[0]}" belongs to no option: reports follow --compare or --from`);
  const uses = usesOf(values);
  if (values.compare) {
    const [before, after, ...more] = reports;
    if (before === undefined || after === undefined || more.length > 0)
      throw new Misuse('--compare needs two reports: the one before and the one after');
    return { kind: 'compare', before, after } as const;
  }
  if (values.from && reports.length === 0) throw new Misuse('--from needs reports: files or folders');
  if (values.from) return { kind: 'from', reports, uses } as const;
  return { kind: 'run', run: runOf(values), uses } as const;
};

/** The command. */
export const BENCH = {
  name: 'npm run bench',
  operands: '[reports]',
  about:
    'Measures how fast the gateway is, beside a bare Fastify route and a hand-written service with qrcode; how long requests take at constant rates; and how it behaves under overload. It takes about seven minutes, and writes bench.json and report.md to the report folder.\n\nWith --compare or --from it measures nothing, but reads reports of npm run bench and npm run capacity: files, or folders with all reports in them.\n\nIt exits with 1 when something became slower or a requirement is missed, with 2 when the command line or a report is invalid, and with 3 when latencies say nothing: the machine was disturbed, or the generator too slow, or when --compare cannot tell about any figure.',
  options: OPTIONS,
  examples: [
    ['--quick', 'a rough answer'],
    ['--only "bare,render miss 300" --stages compare --require "render miss 300=2000"', 'a required rate'],
    ['--compare before/bench.json after/bench.json', 'what became slower'],
    ['--from bench/report --csv figures.csv --openmetrics bench.prom', 'exports what was measured'],
  ],
  read,
} as const;
