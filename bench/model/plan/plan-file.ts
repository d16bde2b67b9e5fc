/** A plan and its price list: YAML files, checked by the JSON schemas beside this file. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { parseDocument } from 'yaml';
import { sourceOf } from '../../files.ts';
import type { Rates } from '../curve.ts';
import { isKind, KINDS } from '../kinds.ts';
import { BATCH_CODE } from '../model.ts';
import { monthOf } from './load.ts';

/** Accounts with the same usage. */
export interface Tenant {
  readonly name: string;
  readonly accounts: number;
  readonly growthAMonth: number;
  /** Factors by month of the year, `1` to `12`. */
  readonly season: Readonly<Record<string, number>>;
  readonly callsADay: Rates;
  readonly busiest: number;
  readonly burst?: { readonly times: number; readonly seconds: number };
}

/** Calls within some hours, or codes of batches. */
export interface PlannedEvent {
  readonly name: string;
  /** Such as 2027-11-26. */
  readonly date: string;
  readonly calls?: Rates;
  readonly hours?: number;
  readonly codes?: number;
  readonly withinMinutes?: number;
}

/** Where gateways stand. */
export interface Region {
  readonly name: string;
  readonly share: number;
  readonly machines: number;
  readonly redisMs: number;
  readonly callerMs: number;
}

/** A type of machine, or of a store that is rented. */
export type Instance = Readonly<Record<'cores' | 'memoryGb' | 'hour' | 'speed', number>>;

/** What a provider takes. */
export interface Prices
  extends Readonly<Record<'name' | 'date' | 'currency', string>>,
    Readonly<Record<'gateways' | 'redis' | 'postgres', Readonly<Record<string, Instance>>>>,
    Readonly<Record<'diskGbMonth' | 'objectGbMonth' | 'egressGb' | 'egressFreeGb', number>> {
  readonly discounts: Readonly<Record<'gateways' | 'redis' | 'postgres' | 'storage' | 'egress', number>>;
}

/** A plan with the defaults of its schema. */
export interface Plan {
  readonly from: string;
  readonly months: number;
  readonly tenants: readonly Tenant[];
  readonly events: readonly PlannedEvent[];
  readonly regions: readonly Region[];
  readonly gateways: { readonly instance: string; readonly spare: number };
  readonly redis: { readonly instance: string; readonly nodes: number; readonly replicas: number };
  readonly postgres: { readonly instance: string; readonly replicas: number; readonly diskGb?: number };
  readonly busyShare: number;
  readonly burstiness: number;
  readonly failoverS: number;
  readonly retention: {
    readonly years: number;
    readonly codesMonths?: number;
    readonly linksMonths?: number;
    readonly scansMonths?: number;
    readonly batchDays: number;
    readonly scansALink: number;
  };
  readonly prices: Prices;
}

const ajv = new Ajv2020({ allErrors: true, useDefaults: true, verbose: true });
const schemaOf = (name: 'plan' | 'prices') =>
  ajv.compile(JSON.parse(readFileSync(sourceOf(`model/plan/${name}.schema.json`), 'utf8')));

/** The path of a field in the notation of JavaScript: `tenants[0].accounts`. */
const fieldOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name.replaceAll('~1', '/')}`))
    .join('')
    .replace(/^\./, '');

const sentenceOf = ({ keyword, instancePath, params, message, parentSchema }: ErrorObject): string => {
  const field = fieldOf(instancePath) || 'the file';
  const child = (name: string): string => fieldOf(`${instancePath}/${name}`);
  if (keyword === 'additionalProperties') return `${child(params.additionalProperty)} is unknown`;
  if (keyword === 'required') return `${child(params.missingProperty)} is missing`;
  if (keyword === 'dependentRequired')
    return `${child(params.missingProperty)} is missing beside ${params.property}`;
  if (keyword === 'pattern') return `${field} must be ${parentSchema?.description}`;
  return `${field} ${message}`;
};

/** Parses YAML and checks it. @returns The value, or a sentence for each fault. */
const parse = <T>(text: string, name: 'plan' | 'prices'): T | readonly string[] => {
  const document = parseDocument(text);
  if (document.errors.length > 0) return document.errors.map(({ message }) => message.split('\n')[0]!);
  const value: unknown = document.toJS({ maxAliasCount: 10 });
  const isValid = schemaOf(name);
  return isValid(value) ? (value as T) : isValid.errors!.map(sentenceOf);
};

/** What the schema cannot say. */
const faultsOf = (plan: Plan, kinds: Iterable<string>): string[] => {
  const known = [...kinds];
  const unknownIn = (field: string, calls: Rates = {}): string[] =>
    Object.keys(calls)
      .filter((kind) => !known.includes(kind))
      .map((kind) =>
        isKind(kind)
          ? `${field}.${kind}: the cost model has only ${known.join(', ')}; npm run bench:model -- --kinds "${kind}" adds it`
          : `${field}.${kind}: there is no such kind of call in a plan; there are ${KINDS.join(', ')}`,
      );
  const last = monthOf(plan, plan.months - 1);
  const { prices } = plan;
  return [
    ...plan.tenants.flatMap(({ callsADay }, i) => unknownIn(`tenants[${i}].callsADay`, callsADay)),
    ...plan.events.flatMap(({ date, calls, codes }, i) => [
      ...unknownIn(`events[${i}].calls`, calls),
      ...(Number.isNaN(Date.parse(date)) || date.slice(0, 7) < plan.from || date.slice(0, 7) > last
        ? [`events[${i}].date must be a day from ${plan.from} to ${last}`]
        : []),
      ...((calls === undefined) === (codes === undefined)
        ? [`events[${i}] must have either calls and hours, or codes`]
        : []),
      ...(codes === undefined ? [] : unknownIn(`events[${i}].codes`, { [BATCH_CODE]: codes })),
    ]),
    ...(Math.abs(plan.regions.reduce((total, { share }) => total + share, 0) - 1) > 0.001
      ? ['the shares of the regions must add up to 1']
      : []),
    ...(['gateways', 'redis', 'postgres'] as const)
      .filter((part) => prices[part][plan[part].instance] === undefined)
      .map((part) => `${part}.instance: ${prices.name} has ${Object.keys(prices[part]).join(', ')}`),
  ];
};

/**
 * Parses a plan and its price list.
 *
 * @param folder The folder that the path of the price list is relative to.
 * @param kinds What the cost model knows.
 * @returns The plan, or a sentence for each fault.
 */
export const parsePlan = (
  text: string,
  folder: string,
  kinds: Iterable<string>,
): Plan | readonly string[] => {
  const plan = parse<Omit<Plan, 'prices'> & { readonly prices: string }>(text, 'plan');
  if (!('tenants' in plan)) return plan;
  const file = resolve(folder, plan.prices);
  const priceText = readText(file);
  if (typeof priceText !== 'string') return [`prices: ${priceText.message}`];
  const prices = parse<Prices>(priceText, 'prices');
  if (!('currency' in prices)) return prices.map((fault) => `${file}: ${fault}`);
  const whole: Plan = { ...plan, prices };
  const faults = faultsOf(whole, kinds);
  return faults.length > 0 ? faults : whole;
};

const readText = (file: string): string | Error => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return error as Error;
  }
};

/** Reads a plan and its price list. @returns The same as `parsePlan`; a sentence may also be about the file itself. */
export const readPlan = (file: string, kinds: Iterable<string>): Plan | readonly string[] => {
  const text = readText(file);
  return typeof text === 'string'
    ? parsePlan(text, dirname(file), kinds)
    : [`it cannot be read: ${text.message}`];
};
