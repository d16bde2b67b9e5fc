/** The cost model as tables, for the terminal, Markdown and HTML alike. Pure. */
import type { Table } from '../page/text.ts';
import { figure, percent } from '../say.ts';
import { allOf, type ByPart, type CostModel, PARTS } from './model.ts';

/** A table with a sentence that says what it shows. */
export interface TitledTable extends Table {
  readonly title: string;
}

const loadOf = (share: number): string => `${Math.round(share * 100)} %`;

const usTable = ({ kinds, idle }: CostModel): TitledTable => ({
  title: 'Processor time of one call in microseconds, by the load as a share of the peak',
  head: ['call', 'load', 'calls/s', ...PARTS, 'all'],
  rows: [
    ...kinds.flatMap(({ kind, levels }) =>
      levels.map(({ share, callsPerS, us }) => [
        kind,
        loadOf(share),
        figure(callsPerS),
        ...PARTS.map((part) => figure(us[part])),
        figure(allOf(us)),
      ]),
    ),
    ['no call, us a second', '', '', ...PARTS.map((part) => figure(idle[part])), figure(allOf(idle))],
  ],
});

const bytesTable = ({ kinds }: CostModel): TitledTable => ({
  title: 'Bytes of one call: what stays, what is written to the log of Postgres, and what goes over networks',
  head: [
    ...['call', 'Postgres', 'WAL', 'Redis', 'from caller', 'to caller'],
    ...['Redis network', 'Postgres network', 'log line'],
  ],
  rows: kinds.map(({ kind, bytes, logs }) => [
    kind,
    ...[bytes.postgres, bytes.wal, bytes.redis, bytes.fromCaller, bytes.toCaller].map((n) =>
      figure(Math.round(n)),
    ),
    ...[bytes.redisNetwork, bytes.postgresNetwork, logs.bytes].map((n) => figure(Math.round(n))),
  ]),
});

const logsTable = ({ kinds }: CostModel): TitledTable => ({
  title: 'What access lines add to the gateway, at 60 % of the peak',
  head: ['call', 'us a call', 'of the gateway'],
  rows: kinds.map(({ kind, logs, levels }) => {
    const { us } = levels.find(({ share }) => share >= 0.6) ?? levels.at(-1)!;
    return [kind, figure(logs.us), percent(logs.us / (us.loop + us.drawing + us.threads))];
  }),
});

const awayTable = ({ kinds, away }: CostModel): TitledTable => {
  const distances = [...new Set(away.map(({ roundTripMs }) => roundTripMs))];
  return {
    title: 'Median latency in ms with Redis at a distance, and how often a call waits for it',
    head: ['call', ...distances.map((ms) => `${ms} ms away`), 'round trips'],
    rows: kinds.map(({ kind, redisRoundTrips }) => [
      kind,
      ...distances.map((ms) =>
        figure(away.find((one) => one.kind === kind && one.roundTripMs === ms)?.latencyMs ?? Number.NaN),
      ),
      figure(redisRoundTrips),
    ]),
  };
};

/** Returns all tables of a model. */
export const modelTables = (model: CostModel): TitledTable[] => [
  usTable(model),
  bytesTable(model),
  logsTable(model),
  awayTable(model),
];

/**
 * Returns what a stacked plot of costs shows: the microseconds of each part at the lowest, a middle and the highest
 * load.
 */
export const stacks = ({ kinds }: CostModel): { readonly label: string; readonly us: ByPart }[] =>
  kinds.flatMap(({ kind, levels }) =>
    [levels[0]!, levels[levels.length >> 1]!, levels.at(-1)!].map(({ share, us }) => ({
      label: `${kind}, ${loadOf(share)}`,
      us,
    })),
  );
