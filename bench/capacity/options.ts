/** The command line of `npm run capacity`. */
import { flag, Misuse, number, text, textOr, type Values } from '../../test/support/command.ts';
import { AGENTS, agentsOf } from '../agents/options.ts';
import { DEPLOYMENT, deploymentOf } from '../load/deployment.ts';
import { parseMix } from '../load/mix.ts';
import { ARRIVALS, parseArrivals } from '../load/open/arrivals.ts';
import { modelFile } from '../model/files.ts';
import { REPORT } from '../reports/files.ts';
import { parseSlo } from './slo.ts';

const OPTIONS = {
  slo: textOr(
    'objective',
    'p99=100ms',
    'percentiles and times, of all requests, one kind or each kind: p99=100ms,p95[redirect]=20ms,p99[each]=1s; in addition at most 0.1 % of the requests may fail',
  ),
  mix: textOr('mix', 'mixed', 'recipes with weights; mixed is mostly redirects and cached pictures'),
  ...DEPLOYMENT,
  agents: AGENTS,
  seconds: number(
    'least duration of a step of the search, which should hold a garbage collection of the gateway; steps last until 20 answers lie beyond each percentile',
    10,
    0.1,
  ),
  soak: number('duration of a soak, in seconds', 60, 0.1),
  ...ARRIVALS,
  gateways: text(
    'numbers',
    'numbers of gateway processes for the scalability law of the mix (1,2,3,4; not with --url; "" leaves it out), or for --check (1)',
  ),
  report: REPORT,
  plan: text(
    'file',
    'answers a plan of months without load, from the figures of npm run bench:model; writes plan.html and plan.csv',
  ),
  model: text(
    'file',
    'the cost model; defaults to the one in the report folder, or else the one in the repository',
  ),
  check: flag('with --plan: loads this machine with its mix; exits with 1 if the model is over 15 % off'),
} as const;

const gatewaysOf = ({ plan, check, gateways, url }: Values<typeof OPTIONS>): readonly number[] => {
  const numbers = (gateways ?? (plan === undefined ? '1,2,3,4' : '1')).split(',').filter(Boolean).map(Number);
  if (numbers.some((n) => !Number.isInteger(n) || n < 1 || n > 128))
    throw new Misuse('--gateways must be whole numbers from 1 to 128, for example 1,2,3,4');
  if (plan === undefined && numbers.length > 0 && new Set(numbers).size < 3)
    throw new Misuse('--gateways must name at least three different numbers, or none');
  if (plan !== undefined && !check && gateways !== undefined)
    throw new Misuse('--gateways belongs to --check, or to a search without --plan');
  return url === undefined ? numbers : [];
};

const read = (values: Values<typeof OPTIONS>) => {
  const { plan = null, check: isChecked, report: folder } = values;
  const mix = parseMix(values.mix);
  const options = {
    mix,
    slo: parseSlo(values.slo, mix),
    arrivals: parseArrivals(values.arrivals),
    /** `null` starts a gateway for the run. */
    deployment: deploymentOf(values),
    /** Addresses of agents that generate the load; when empty, a process of this machine does. */
    agents: agentsOf(values.agents, values['allow-remote']),
    seconds: Number(values.seconds),
    soakSeconds: Number(values.soak),
    /** Numbers of gateway processes to measure, or to check; when empty, no scalability law is fitted. */
    gateways: gatewaysOf(values),
    /** The file of the cost model. */
    model: values.model ?? modelFile(folder),
    /** Of the report. */
    folder,
    /** The file of a plan to evaluate instead of searching; `null` for a search. */
    plan,
    /** Whether to load this machine with the mix of the plan, to measure the error of the model. */
    isChecked,
  };
  if (plan === null && isChecked) throw new Misuse('--check belongs to --plan');
  if (plan !== null && options.deployment !== null)
    throw new Misuse('--plan is checked on a gateway of its own: leave out --url and --key');
  return options;
};

/** The options of `npm run capacity`, checked. */
export type CapacityOptions = Readonly<ReturnType<typeof read>>;

/** The command. */
export const CAPACITY = {
  name: 'npm run capacity',
  about:
    'Finds the highest rate of requests that meets an objective, with a 99 % interval, and a rate that holds for whole soaks: doubles the rate until the objective is missed, takes steps on both sides of the capacity until the interval is narrow, and soaks at its low end until three soaks held. Exits with 1 when no rate met the objective, and with 3 when the rate is not determined: the machine was busy, the generator was the limit, or the target changed too much. Writes capacity.json and report.md to the report folder.',
  options: OPTIONS,
  examples: [
    ['--slo p99=50ms --mix "redirect=50,render miss 300=50"', 'another objective and mix'],
    ['--url https://qr.example.com --key "$TESSERA_KEY" --allow-remote', 'a running deployment'],
    ['--plan bench/model/plan.example.yaml', 'machines, money and what fills up first, month by month'],
    [
      '--plan bench/model/plan.example.yaml --check --gateways 1,2',
      'also measures how far the model is off here',
    ],
  ],
  read,
} as const;
