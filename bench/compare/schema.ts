/** What the comparison reads of saved reports, so that a file that lacks it is named before anything is made of it. */
import { type Static, Type } from 'typebox';

const numbers = <const Name extends string>(...names: readonly Name[]) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, Type.Number()])) as Record<
      Name,
      ReturnType<typeof Type.Number>
    >,
  );

const Machine = Type.Object({
  cpu: Type.String(),
  cores: Type.Number(),
  node: Type.String(),
  commit: Type.String(),
  load: Type.Number(),
});

const head = {
  at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }),
  command: Type.String(),
  machine: Machine,
};

const Round = numbers(
  'goodPerS',
  'codesPerS',
  'failures',
  'bytesAGood',
  'serverCpuMs',
  'storesCpuMs',
  'generatorCores',
  'rssBytes',
);

const Percentiles = numbers('mean', 'p50', 'p90', 'p99', 'p999', 'max');

/** A report of `npm run bench`. */
export const SavedBench = Type.Object({
  ...head,
  measured: Type.Array(
    Type.Object({
      scenario: Type.Object({ name: Type.String() }),
      rounds: Type.Array(Round, { minItems: 1 }),
    }),
  ),
  outcomes: Type.Array(
    Type.Object({
      target: Type.Object({
        measure: Type.Enum(['goodPerS', 'codesPerS', 'serverCpuMs']),
        of: Type.String(),
        to: Type.String(),
      }),
    }),
  ),
  latencies: Type.Array(
    Type.Object({
      scenario: Type.String(),
      load: Type.Number(),
      result: Type.Object({ askedPerS: Type.Number(), goodPerS: Type.Number(), latencyMs: Percentiles }),
    }),
  ),
});

const Cost = Type.Union([Type.Number(), Type.Null()]);

/** A report of `npm run capacity`. */
export const SavedCapacity = Type.Object({
  ...head,
  slo: Type.Object({
    percentile: Type.Enum(['p50', 'p90', 'p99', 'p999']),
    ms: Type.Number(),
    failedShare: Type.Number(),
  }),
  mix: Type.Array(Type.Tuple([Type.String(), Type.Number()])),
  found: Type.Object({ ratePerS: Type.Number() }),
  cost: Type.Object({ gatewayMs: Cost, redisMs: Cost, postgresMs: Cost }),
  threads: Type.Union([Type.Null(), Type.Object({ levels: Type.Array(numbers('n', 'rate')) })]),
});

/** Which fields of a report are compared. */
export type Saved =
  | ({ readonly kind: 'bench' } & Static<typeof SavedBench>)
  | ({ readonly kind: 'capacity' } & Static<typeof SavedCapacity>);
