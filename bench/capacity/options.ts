/** The command line of `npm run capacity`. */

import { faultIn, flag, number, text, textOr, type Values } from '../../test/support/command.ts';
import { AGENTS, agentsOf } from '../agents/options.ts';
import { DEPLOYMENT, type Deployment, deploymentOf } from '../load/deployment.ts';
import { type Mix, parseMix } from '../load/mix.ts';
import { ARRIVALS, type Arrivals, parseArrivals } from '../load/open/arrivals.ts';
import { modelFile } from '../model/files.ts';
import { REPORT } from '../reports/files.ts';
import { parseSlo, type Slo } from './slo.ts';

/** The options of `npm run capacity`, checked. */
export interface CapacityOptions {
  readonly slo: Slo;
  readonly mix: Mix;
  /** `null` starts a gateway for the run. */
  readonly deployment: Deployment | null;
  /** Addresses of agents that generate the load; when empty, a process of this machine does. */
  readonly agents: readonly string[];
  readonly seconds: number;
  readonly soakSeconds: number;
  readonly arrivals: Arrivals;
  /** Numbers of gateway processes to measure; when empty, no scalability law is fitted. */
  readonly gateways: readonly number[];
  /** The file of the cost model. */
  readonly model: string;
  /** Folder of the report. */
  readonly folder: string;
  /** A plan to evaluate instead of searching; `null` for a search. */
  readonly plan: PlanOptions | null;
}

/** A plan to evaluate. */
export interface PlanOptions {
  readonly file: string;
  /** The file of the cost model. */
  readonly model: string;
  /** Whether to load this machine with its mix, to measure the error of the model. */
  readonly isChecked: boolean;
  /** Numbers of gateway processes to check. */
  readonly gateways: readonly number[];
}

/** The command. */
export const CAPACITY = {
  name: 'npm run capacity',
  about:
    'Finds the highest rate of requests that meets an objective, with a 99 % interval, and a rate that holds for whole soaks: doubles the rate until the objective is missed, takes steps on both sides of the capacity until the interval is narrow, and soaks at its low end until three soaks held. Exits with 1 when no rate met the objective, and with 3 when the rate is not determined: the machine was busy, the generator was the limit, or the target changed too much. Writes capacity.json and report.md to the report folder.',
  options: {
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
  },
  examples: [
    ['--slo p99=50ms --mix "redirect=50,render miss 300=50"', 'another objective and mix'],
    ['--url https://qr.example.com --key "$TESSERA_KEY" --allow-remote', 'a running deployment'],
    ['--plan bench/model/plan.example.yaml', 'machines, money and what fills up first, month by month'],
    [
      '--plan bench/model/plan.example.yaml --check --gateways 1,2',
      'also measures how far the model is off here',
    ],
  ],
  faultOf: (values: never): string | null => faultIn(optionsOf(values)),
} as const;

/** Returns the options, or an error message. */
export const optionsOf = (values: Values<typeof CAPACITY>): CapacityOptions | string => {
  const mix = parseMix(values.mix);
  if (typeof mix === 'string') return mix;
  const slo = parseSlo(values.slo, mix);
  if (typeof slo === 'string') return slo;
  const arrivals = parseArrivals(values.arrivals);
  if (typeof arrivals === 'string') return arrivals;
  const deployment = deploymentOf(values);
  if (typeof deployment === 'string') return deployment;
  const agents = agentsOf(values.agents, values['allow-remote']);
  if (typeof agents === 'string') return agents;
  const usual = values.plan === undefined ? '1,2,3,4' : '1';
  const gateways = (values.gateways ?? usual).split(',').filter(Boolean).map(Number);
  if (gateways.some((n) => !Number.isInteger(n) || n < 1 || n > 128))
    return '--gateways must be whole numbers from 1 to 128, for example 1,2,3,4';
  if (values.plan === undefined && gateways.length > 0 && new Set(gateways).size < 3)
    return '--gateways must name at least three different numbers, or none';
  if (values.plan === undefined && values.check) return '--check belongs to --plan';
  if (values.plan !== undefined && !values.check && values.gateways !== undefined)
    return '--gateways belongs to --check, or to a search without --plan';
  if (values.plan !== undefined && deployment !== null)
    return '--plan is checked on a gateway of its own: leave out --url and --key';
  const model = values.model ?? modelFile(values.report);
  return {
    slo,
    mix,
    deployment,
    agents,
    seconds: Number(values.seconds),
    soakSeconds: Number(values.soak),
    arrivals: arrivals.kind,
    gateways: deployment === null ? gateways : [],
    model,
    folder: values.report,
    plan:
      values.plan === undefined
        ? null
        : {
            file: values.plan,
            model,
            isChecked: values.check,
            gateways,
          },
  };
};
