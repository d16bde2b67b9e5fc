/** The cost model as tables, for the terminal and Markdown alike. Pure. */
import { PARTS, type Spent, totalOf } from '../cpu.ts';
import { figure, percent, type Table, tableOf } from '../say.ts';
import type { KindLaw, Law } from './curve.ts';
import type { CallBytes, CostModel, KindCost } from './model.ts';

/** A table with a sentence that says what it shows. */
export interface TitledTable extends Table {
  readonly title: string;
}

const BYTES = {
  postgres: 'Postgres',
  wal: 'WAL',
  redis: 'Redis',
  fromCaller: 'from caller',
  toCaller: 'to caller',
  redisNetwork: 'Redis network',
  postgresNetwork: 'Postgres network',
  log: 'log line',
  batches: 'batch store',
} as const satisfies Record<keyof CallBytes, string>;

/** Returns all tables of a model. */
export const modelTables = ({ kinds, idle }: CostModel, law: Law): TitledTable[] => {
  const levels = kinds.flatMap(({ kind, levels }) =>
    levels.map(({ share, callsPerS, us }) => ({
      kind,
      load: percent(share),
      callsPerS: figure(callsPerS),
      us,
    })),
  );
  const partColumns = PARTS.map((part) => [part, ({ us }: { readonly us: Spent }) => us[part]] as const);
  const bytesColumns = Object.entries(BYTES).map(
    ([name, head]) => [head, ({ bytes }: KindCost) => Math.round(bytes[name as keyof CallBytes])] as const,
  );
  return [
    {
      title: 'Processor time of one call in microseconds, by the load as a share of the peak',
      ...tableOf(
        [...levels, { kind: 'idle, us a second', load: '', callsPerS: '', us: idle }],
        [
          ['call', ({ kind }) => kind],
          ['load', ({ load }) => load],
          ['calls/s', ({ callsPerS }) => callsPerS],
          ...partColumns,
          ['all', ({ us }) => totalOf(us)],
        ],
      ),
    },
    {
      title:
        'The curve of each kind: what a call always costs the gateway + what it shares with others, in microseconds, and the calls a second at which half of that is saved; the same for Redis; how far the curves are from what was measured',
      ...tableOf(
        [...law.kinds.values()],
        [
          ['call', ({ cost }) => cost.kind],
          ...(['gateway', 'redis'] as const).flatMap((part) => [
            [
              `${part} us`,
              ({ curves }: KindLaw) => `${figure(curves[part].lastingUs)} + ${figure(curves[part].sharedUs)}`,
            ] as const,
            ['half at', ({ curves }: KindLaw) => curves[part].halfPerS] as const,
          ]),
          ['error', ({ error }) => percent(error)],
        ],
      ),
    },
    {
      title:
        'Bytes of one call: stored, written to the write-ahead log of Postgres, sent over networks; its median latency at a low load, and how often it waits for Redis',
      ...tableOf(kinds, [
        ['call', ({ kind }) => kind],
        ...bytesColumns,
        ['ms', ({ latencyMs }) => latencyMs],
        ['round trips', ({ redisRoundTrips }) => redisRoundTrips],
      ]),
    },
  ];
};
