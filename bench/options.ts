/** The command line of `npm run bench`. */
import type { Values } from './command/command.ts';
import { parseRequirement, type Requirement } from './compare/require.ts';
import { REPORT_FOLDER } from './page/files.ts';
import { SCENARIOS, type Scenario } from './stages/scenarios.ts';

const STAGES = ['compare', 'latency', 'overload', 'fairness'] as const;
/** A part of the run. */
export type Stage = (typeof STAGES)[number];

const QUICK = { rounds: 1, seconds: 1, warmUpS: 0.5 };
const USUAL = { rounds: 3, seconds: 3, warmUpS: 1 };

/** The command. */
export const BENCH = {
  name: 'npm run bench',
  operands: '[reports]',
  about:
    'Measures how fast the gateway is, beside a bare Fastify route and a hand-written service with qrcode; how long requests take at constant rates; how it behaves under overload; and whether one account can crowd out another. It takes about seven minutes, and leaves bench.json and the pages in the folder of the report.\n\nWith --compare, --trend or --from it measures nothing, and reads reports of npm run bench and npm run capacity: files, or folders with all reports in them.\n\nIt ends with 1 when something became slower, or a required figure is missed; with 2 when the command line or a report is wrong.',
  options: {
    rounds: {
      type: 'string',
      value: 'n',
      least: 1,
      isWhole: true,
      shown: '3',
      text: 'rounds of every scenario',
    },
    seconds: { type: 'string', value: 'n', least: 0.1, shown: '3', text: 'of each scenario in each round' },
    'warm-up': { type: 'string', value: 'seconds', least: 0, shown: '1', text: 'before each of them' },
    quick: { type: 'boolean', default: false, text: 'one short round of everything: two minutes' },
    only: { type: 'string', value: 'names', text: 'runs only these scenarios: "bare,redirect"' },
    stages: { type: 'string', default: STAGES.join(','), value: 'names', text: 'runs only these stages' },
    report: {
      type: 'string',
      default: REPORT_FOLDER,
      shown: 'bench/report',
      value: 'folder',
      text: 'of the report',
    },
    compare: {
      type: 'boolean',
      default: false,
      text: 'says what became slower from one report to another; of a folder each report is a round',
    },
    trend: {
      type: 'boolean',
      default: false,
      text: 'shows figures over the reports by date, and writes trend.html and trend.md',
    },
    figure: {
      type: 'string',
      multiple: true,
      default: [] as string[],
      value: 'name',
      text: 'with --trend: a figure to show instead of all rates',
    },
    from: {
      type: 'boolean',
      default: false,
      text: 'takes the figures of reports for the three options below',
    },
    csv: { type: 'string', value: 'file', text: 'writes all figures as CSV, a line for each round' },
    prometheus: { type: 'string', value: 'file', text: 'writes the medians as Prometheus text' },
    require: {
      type: 'string',
      multiple: true,
      default: [] as string[],
      value: 'name=number',
      text: 'ends with 1 when the figure is below the number; when it is above, for times and costs',
    },
  },
  examples: [
    ['--quick', 'a rough answer'],
    ['--only "bare,render miss 300" --stages compare --require "render miss 300=2000"', 'a required rate'],
    ['--compare before/bench.json after/bench.json', 'what became slower'],
    ['--trend reports --figure "render miss 300"', 'one figure over all reports of a folder'],
    ['--from bench/report --csv figures.csv --prometheus bench.prom', 'exports what was measured'],
  ],
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
  readonly prometheus: string | null;
  readonly required: readonly Requirement[];
}

/** What the command line asks for. */
export type Wanted =
  | { readonly kind: 'run'; readonly run: RunOptions; readonly uses: Uses }
  | { readonly kind: 'from'; readonly reports: readonly string[]; readonly uses: Uses }
  | { readonly kind: 'compare'; readonly before: string; readonly after: string }
  | {
      readonly kind: 'trend';
      readonly reports: readonly string[];
      readonly figures: readonly string[];
      readonly folder: string;
    };

type Given = Values<typeof BENCH>;

const list = (text: string): string[] => text.split(',').map((name) => name.trim());

const runOptions = (values: Given): RunOptions | string => {
  const usual = values.quick ? QUICK : USUAL;
  const names = values.only === undefined ? null : list(values.only);
  const scenarios = SCENARIOS.filter(({ name }) => names === null || names.includes(name));
  const unknown = names?.find((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  if (unknown !== undefined)
    return `--only has "${unknown}"; there are: ${SCENARIOS.map(({ name }) => name).join(', ')}`;
  const stages = list(values.stages);
  const noStage = stages.find((stage) => !(STAGES as readonly string[]).includes(stage));
  if (noStage !== undefined) return `--stages has "${noStage}"; there are: ${STAGES.join(', ')}`;
  return {
    rounds: Number(values.rounds ?? usual.rounds),
    seconds: Number(values.seconds ?? usual.seconds),
    warmUpS: Number(values['warm-up'] ?? usual.warmUpS),
    scenarios,
    stages: stages as Stage[],
    folder: values.report,
  };
};

const usesOf = ({ csv, prometheus, require: required }: Given): Uses | string => {
  const requirements = required.map(parseRequirement);
  const wrong = requirements.find((one) => typeof one === 'string');
  return typeof wrong === 'string'
    ? wrong
    : { csv: csv ?? null, prometheus: prometheus ?? null, required: requirements as Requirement[] };
};

/** Returns what the command line asks for, or a sentence that says what is wrong with it. */
export const wantedOf = (values: Given, reports: readonly string[]): Wanted | string => {
  const modes = (['compare', 'trend', 'from'] as const).filter((mode) => values[mode]);
  const [mode] = modes;
  if (modes.length > 1) return `--${modes.join(' and --')} cannot be given together`;
  if (mode === undefined && reports.length > 0)
    return `"${reports[0]}" belongs to no option: reports follow --compare, --trend or --from`;
  if (mode !== 'trend' && values.figure.length > 0) return '--figure belongs to --trend';
  const uses = usesOf(values);
  if (typeof uses === 'string') return uses;
  if (mode === 'compare') {
    const [before, after, ...more] = reports;
    return before === undefined || after === undefined || more.length > 0
      ? '--compare needs two reports: the one before and the one after'
      : { kind: 'compare', before, after };
  }
  if (mode !== undefined && reports.length === 0) return `--${mode} needs reports: files or folders`;
  if (mode === 'trend') return { kind: 'trend', reports, figures: values.figure, folder: values.report };
  if (mode === 'from') return { kind: 'from', reports, uses };
  const run = runOptions(values);
  return typeof run === 'string' ? run : { kind: 'run', run, uses };
};
