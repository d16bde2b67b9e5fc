/** The command line of `npm run capacity`. */
import { parseArgs } from 'node:util';
import { type Mix, parseMix } from '../load/mix.ts';
import { recipeOf } from '../load/recipes.ts';
import { modelFile } from '../model/files.ts';
import { REPORT_FOLDER } from '../page/files.ts';
import { parseSlo, type Slo } from './slo.ts';

/** The options of `npm run capacity`, checked. */
export interface CapacityOptions {
  readonly slo: Slo;
  readonly mix: Mix;
  /** `null` starts a gateway for the run. */
  readonly deployment: { readonly url: string; readonly key: string } | null;
  readonly seconds: number;
  readonly soakSeconds: number;
  /** Of each run of the independent generator. */
  readonly confirmSeconds: number;
  /** Numbers of render threads; empty leaves out the scalability law. */
  readonly threads: readonly number[];
  /** Folder of the report. */
  readonly folder: string;
  /** A plan to answer for in place of a search; `null` for a search. */
  readonly plan: PlanOptions | null;
}

/** A plan to answer for. */
export interface PlanOptions {
  readonly file: string;
  /** The file of the cost model. */
  readonly model: string;
  /** Whether its mix is driven on this machine, to see how wrong the model is. */
  readonly isChecked: boolean;
}

const positive = (name: string, text: string): number | string =>
  Number(text) > 0 ? Number(text) : `--${name} must be a number above 0`;

/** Other hosts need a confirmation: a load test of the wrong host is an attack. */
const isLoopback = (url: string): boolean => {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
};

/** Parses the arguments. @returns The options, or a sentence that says what is wrong with them. */
export const readOptions = (args: readonly string[]): CapacityOptions | string => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      slo: { type: 'string', default: 'p99=100ms' },
      mix: { type: 'string', default: 'mixed' },
      url: { type: 'string' },
      key: { type: 'string' },
      'allow-remote': { type: 'boolean', default: false },
      seconds: { type: 'string', default: '5' },
      soak: { type: 'string', default: '60' },
      confirm: { type: 'string', default: '30' },
      threads: { type: 'string', default: '1,2,3,4' },
      report: { type: 'string', default: REPORT_FOLDER },
      plan: { type: 'string' },
      model: { type: 'string' },
      check: { type: 'boolean', default: false },
    },
  });
  const { url, key } = values;
  const slo = parseSlo(values.slo);
  if (typeof slo === 'string') return slo;
  const mix = parseMix(values.mix);
  if (typeof mix === 'string') return mix;
  if (mix.some(([name]) => recipeOf(name).target !== 'gateway'))
    return '--mix must name only requests to the gateway';
  if ((url === undefined) !== (key === undefined)) return '--url and --key must be given together';
  if (url !== undefined && !URL.canParse(url)) return '--url must be an absolute URL';
  if (url !== undefined && !isLoopback(url) && !values['allow-remote'])
    return `${new URL(url).hostname} is another machine: add --allow-remote if you may load it`;
  const seconds = positive('seconds', values.seconds);
  if (typeof seconds === 'string') return seconds;
  const soakSeconds = positive('soak', values.soak);
  if (typeof soakSeconds === 'string') return soakSeconds;
  const confirmSeconds = positive('confirm', values.confirm);
  if (typeof confirmSeconds === 'string') return confirmSeconds;
  const threads = values.threads.split(',').filter(Boolean).map(Number);
  if (threads.some((n) => !Number.isInteger(n) || n < 1))
    return '--threads must be whole numbers above 0, for example 1,2,3,4';
  if (threads.length > 0 && new Set(threads).size < 3)
    return '--threads must name at least three different numbers, or none';
  if (values.plan === undefined && (values.check || values.model !== undefined))
    return '--check and --model belong to --plan';
  if (values.plan !== undefined && url !== undefined)
    return '--plan is checked on a gateway of its own: leave out --url and --key';
  const deployment = url !== undefined && key !== undefined ? { url, key } : null;
  return {
    slo,
    mix,
    deployment,
    seconds,
    soakSeconds,
    confirmSeconds,
    threads: deployment === null ? threads : [],
    folder: values.report,
    plan:
      values.plan === undefined
        ? null
        : {
            file: values.plan,
            model: values.model ?? modelFile(values.report),
            isChecked: values.check,
          },
  };
};
