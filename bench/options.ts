/** The command line of `npm run bench`. */
import { faultIn, flag, text, textOr, texts, type Values } from '../test/support/command.ts';
import { parseRequirement, type Requirement } from './compare/require.ts';
import { REPORT } from './reports/files.ts';
import { SCENARIO_NAMES, SCENARIOS, type Scenario, scenarioOf } from './stages/scenarios.ts';

const STAGES = ['compare', 'latency', 'overload'] as const;
/** A part of the run. */
export type Stage = (typeof STAGES)[number];

const QUICK = { rounds: 1, seconds: 1, warmUpS: 0.5 };
const USUAL = { rounds: 3, seconds: 3, warmUpS: 1 };

/** The command. */
export const BENCH = {
  name: 'npm run bench',
  operands: '[reports]',
  about:
    'Measures how fast the gateway is, beside a bare Fastify route and a hand-written service with qrcode; how long requests take at constant rates; and how it behaves under overload. It takes about seven minutes, and writes bench.json and report.md to the report folder.\n\nWith --compare or --from it measures nothing, but reads reports of npm run bench and npm run capacity: files, or folders with all reports in them.\n\nIt exits with 1 when something became slower or a requirement is missed, with 2 when the command line or a report is invalid, and with 3 when latencies say nothing: the machine was disturbed, or the generator too slow, or when --compare cannot tell about any figure.',
  options: {
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
  },
  examples: [
    ['--quick', 'a rough answer'],
    ['--only "bare,render miss 300" --stages compare --require "render miss 300=2000"', 'a required rate'],
    ['--compare before/bench.json after/bench.json', 'what became slower'],
    ['--from bench/report --csv figures.csv --openmetrics bench.prom', 'exports what was measured'],
  ],
  faultOf: (values: never, reports: readonly string[]): string | null => faultIn(wantedOf(values, reports)),
} as const;

/** The options of a run, checked. */
export interface RunOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpS: number;
  readonly scenarios: readonly Scenario[];
  readonly stages: readonly Stage[];
  /** Folder of the report. */
  readonly folder: string;
}

/** What to do with the figures, of a run or of saved reports. */
export interface Uses {
  readonly csv: string | null;
  readonly openmetrics: string | null;
  /** The base URL of a collector. */
  readonly otlp: string | null;
  readonly required: readonly Requirement[];
}

/** What the command line asks for. */
export type Wanted =
  | { readonly kind: 'run'; readonly run: RunOptions; readonly uses: Uses }
  | { readonly kind: 'from'; readonly reports: readonly string[]; readonly uses: Uses }
  | { readonly kind: 'compare'; readonly before: string; readonly after: string };

type Given = Values<typeof BENCH>;

const list = (text: string): string[] => text.split(',').map((name) => name.trim());

const runOptions = (values: Given): RunOptions | string => {
  const usual = values.quick ? QUICK : USUAL;
  const names = values.only === undefined ? null : list(values.only);
  const unknown = names?.find((name) => !SCENARIO_NAMES.includes(name));
  if (unknown !== undefined) return `--only has "${unknown}"; there are: ${SCENARIO_NAMES.join(', ')}`;
  const stages = list(values.stages);
  const noStage = stages.find((stage) => !(STAGES as readonly string[]).includes(stage));
  if (noStage !== undefined) return `--stages has "${noStage}"; there are: ${STAGES.join(', ')}`;
  return {
    rounds: Number(values.rounds ?? usual.rounds),
    seconds: Number(values.seconds ?? usual.seconds),
    warmUpS: Number(values['warm-up'] ?? usual.warmUpS),
    scenarios: names === null ? SCENARIOS : names.map(scenarioOf),
    stages: stages as Stage[],
    folder: values.report,
  };
};

const usesOf = ({ csv, openmetrics, otlp, require: required }: Given): Uses | string => {
  const requirements = required.map(parseRequirement);
  const wrong = requirements.find((one) => typeof one === 'string');
  if (typeof wrong === 'string') return wrong;
  if (otlp !== undefined && !(URL.canParse(otlp) && /^https?:$/.test(new URL(otlp).protocol)))
    return '--otlp must be the base URL of a collector, such as http://127.0.0.1:4318';
  const files = { csv: csv ?? null, openmetrics: openmetrics ?? null };
  return { ...files, otlp: otlp ?? null, required: requirements as Requirement[] };
};

/** Parses the command line. Returns an error message when it is invalid. */
export const wantedOf = (values: Given, reports: readonly string[]): Wanted | string => {
  if (values.compare && values.from) return '--compare and --from cannot be given together';
  if (!values.compare && !values.from && reports.length > 0)
    return `"${reports[0]}" belongs to no option: reports follow --compare or --from`;
  const uses = usesOf(values);
  if (typeof uses === 'string') return uses;
  if (values.compare) {
    const [before, after, ...more] = reports;
    return before === undefined || after === undefined || more.length > 0
      ? '--compare needs two reports: the one before and the one after'
      : { kind: 'compare', before, after };
  }
  if (values.from && reports.length === 0) return '--from needs reports: files or folders';
  if (values.from) return { kind: 'from', reports, uses };
  const run = runOptions(values);
  return typeof run === 'string' ? run : { kind: 'run', run, uses };
};
