/** A plan: who calls how often, on which machines, at what prices. A YAML file. */
import { readFile } from 'node:fs/promises';
import Type from 'typebox';
import Value from 'typebox/value';
import { parseDocument } from 'yaml';
import { isRecipeName, RECIPES, type RecipeName } from '../../load/recipes.ts';
import type { Prices, Tenant } from './habits.ts';
import type { Deployment } from './predict.ts';

/** What a plan says. */
export interface PlanFile extends Deployment {
  readonly tenants: readonly Tenant[];
  readonly prices: Prices;
}

const closed = { additionalProperties: false };
const whole = (maximum: number) => Type.Integer({ minimum: 1, maximum });
const price = Type.Number({ minimum: 0, maximum: 1e6 });
const KINDS = (Object.keys(RECIPES) as RecipeName[]).filter((name) => RECIPES[name].target === 'gateway');

const Tenants = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    count: whole(1e9),
    callsADay: Type.Object(
      Object.fromEntries(
        KINDS.map((name) => [name, Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 }))]),
      ),
      { ...closed, minProperties: 1 },
    ),
    busiest: Type.Number({ minimum: 1, maximum: 1000 }),
  },
  closed,
);

const Plan = Type.Object(
  {
    tenants: Type.Array(Tenants, { minItems: 1, maxItems: 100 }),
    gateways: Type.Object({ machines: whole(10_000), cores: whole(1024) }, closed),
    redis: Type.Object(
      { shards: whole(1024), roundTripMs: Type.Number({ minimum: 0, maximum: 1000 }) },
      closed,
    ),
    postgres: Type.Object({ cores: whole(1024) }, closed),
    busyShare: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
    accessLog: Type.Boolean(),
    prices: Type.Object(
      {
        currency: Type.String({ minLength: 1, maxLength: 10 }),
        coreHour: price,
        memoryGbMonth: price,
        diskGbMonth: price,
        egressGb: price,
      },
      closed,
    ),
  },
  closed,
);

const FILE_MAX_CHARACTERS = 1_000_000;

/** The path of a field in the notation of JavaScript: `tenants[0].count`. */
const fieldOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name.replaceAll('~1', '/')}`))
    .join('')
    .replace(/^\./, '');

const childOf = (pointer: string, name: string): string => fieldOf(`${pointer}/${name}`);

const faultsOf = (value: unknown): string[] =>
  [...Value.Errors(Plan, value)].flatMap(({ keyword, instancePath, params, message }) => {
    if (keyword === 'boolean') return [];
    if (keyword === 'additionalProperties')
      return (params as { additionalProperties: string[] }).additionalProperties.map((name) =>
        instancePath.endsWith('/callsADay') && !isRecipeName(name)
          ? `${childOf(instancePath, name)}: there is no such kind of call; there are ${KINDS.join(', ')}`
          : `${childOf(instancePath, name)} is unknown`,
      );
    if (keyword === 'required')
      return (params as { requiredProperties: string[] }).requiredProperties.map(
        (name) => `${childOf(instancePath, name)} is missing`,
      );
    return [`${fieldOf(instancePath) || 'the plan'} ${message}`];
  });

/** Parses a plan. @returns The plan, or an error message for each invalid field. */
export const parsePlan = (text: string): PlanFile | readonly string[] => {
  if (text.length > FILE_MAX_CHARACTERS) return [`a plan has at most ${FILE_MAX_CHARACTERS} characters`];
  const document = parseDocument(text);
  if (document.errors.length > 0) return document.errors.map(({ message }) => message.split('\n')[0]!);
  const value: unknown = document.toJS({ maxAliasCount: 10 });
  const faults = faultsOf(value);
  return faults.length > 0 ? faults : (value as PlanFile);
};

/** Reads a plan from a file. @returns The same as `parsePlan`; an error may also be about the file itself. */
export const readPlan = async (file: string): Promise<PlanFile | readonly string[]> => {
  try {
    return parsePlan(await readFile(file, 'utf8'));
  } catch (error) {
    return [`${file} cannot be read: ${(error as Error).message}`];
  }
};
