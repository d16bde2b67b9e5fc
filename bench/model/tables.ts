/** The cost model as tables, for the terminal and Markdown alike. Pure. */
import { figure, percent, type Table, tableOf } from '../say.ts';
import { allOf, type ByPart, type CostModel, type KindCost, PARTS } from './model.ts';

/** A table with a sentence that says what it shows. */
export interface TitledTable extends Table {
  readonly title: string;
}

const loadOf = (share: number): string => `${Math.round(share * 100)} %`;

const usTable = ({ kinds, idle }: CostModel): TitledTable => {
  const levels = kinds.flatMap(({ kind, levels }) =>
    levels.map(({ share, callsPerS, us }) => ({
      kind,
      load: loadOf(share),
      callsPerS: figure(callsPerS),
      us,
    })),
  );
  return {
    title: 'Processor time of one call in microseconds, by the load as a share of the peak',
    ...tableOf(
      [...levels, { kind: 'idle, us a second', load: '', callsPerS: '', us: idle }],
      [
        ['call', ({ kind }) => kind],
        ['load', ({ load }) => load],
        ['calls/s', ({ callsPerS }) => callsPerS],
        ...PARTS.map((part) => [part, ({ us }: { us: ByPart }) => us[part]] as const),
        ['all', ({ us }) => allOf(us)],
      ],
    ),
  };
};

const BYTES = {
  postgres: 'Postgres',
  wal: 'WAL',
  redis: 'Redis',
  fromCaller: 'from caller',
  toCaller: 'to caller',
  redisNetwork: 'Redis network',
  postgresNetwork: 'Postgres network',
} as const;

const bytesTable = ({ kinds }: CostModel): TitledTable => ({
  title: 'Bytes of one call: stored, written to the write-ahead log of Postgres, and sent over networks',
  ...tableOf(kinds, [
    ['call', ({ kind }) => kind],
    ...Object.entries(BYTES).map(
      ([name, head]) =>
        [head, ({ bytes }: KindCost) => Math.round(bytes[name as keyof typeof BYTES])] as const,
    ),
    ['log line', ({ logs }) => Math.round(logs.bytes)],
  ]),
});

const logsTable = ({ kinds }: CostModel): TitledTable => ({
  title: 'What the access log adds to the gateway, at 60 % of the peak',
  ...tableOf(kinds, [
    ['call', ({ kind }) => kind],
    ['us a call', ({ logs }) => logs.us],
    [
      'of the gateway',
      ({ logs, levels }) => {
        const { us } = levels.find(({ share }) => share >= 0.6) ?? levels.at(-1)!;
        return percent(logs.us / (us.loop + us.drawing + us.threads));
      },
    ],
  ]),
});

const awayTable = ({ kinds, away }: CostModel): TitledTable => ({
  title: 'Median latency in ms by network latency to Redis, and how often a call waits for Redis',
  ...tableOf(kinds, [
    ['call', ({ kind }) => kind],
    ...[...new Set(away.map(({ roundTripMs }) => roundTripMs))].map(
      (ms) =>
        [
          `${ms} ms away`,
          ({ kind }: KindCost) =>
            away.find((one) => one.kind === kind && one.roundTripMs === ms)?.latencyMs ?? null,
        ] as const,
    ),
    ['round trips', ({ redisRoundTrips }) => redisRoundTrips],
  ]),
});

/** Returns all tables of a model. */
export const modelTables = (model: CostModel): TitledTable[] => [
  usTable(model),
  bytesTable(model),
  logsTable(model),
  awayTable(model),
];
