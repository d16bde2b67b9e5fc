/** Measures the cost model: levels, bytes and distance of each kind of call, and batches. */
import { inScope } from '../../../test/servers/scope.ts';
import { usOfEach } from '../../cpu.ts';
import { type Generator, startGenerator } from '../../load/fire.ts';
import { connectionsFor, type Mix } from '../../load/mix.ts';
import { describeMachine } from '../../machine.ts';
import { sendBatch } from '../../parts/batches.ts';
import type { Effort } from '../kinds.ts';
import {
  BATCH_CODE,
  type CallBytes,
  type CostModel,
  type Kind,
  type KindCost,
  type Level,
} from '../model.ts';
import { measureIdle, measureKind } from './levels.ts';
import {
  idleBytes,
  measureAway,
  measureBytes,
  type ProxiedSubject,
  roundTripsOf,
  startProxied,
} from './proxied.ts';
import { cheapest, type Subject, settle, startSubject } from './subject.ts';

const BYTES_CALLS = 2000;
const BYTES_CONNECTIONS = 32;
const IDLE_S = 4;
/** Rows of a batch for each second of a load: a batch of a few seconds is mostly its beginning and its end. */
const ROWS_A_SECOND = 20_000;

/** What to measure, and how. */
export interface MeasureOptions extends Effort {
  readonly kinds: readonly Kind[];
  onKind(cost: KindCost): void;
}

const sendRows = ({ url }: Subject, rows: number): Promise<void> =>
  inScope((scope) => sendBatch(scope, url, `batch of ${rows}`, rows));

/** Measures what a code of a batch costs, upload and validation included. */
const measureBatch = async (subject: Subject, rows: number): Promise<Level> => {
  await settle();
  const before = subject.spentMs();
  const startMs = performance.now();
  await sendRows(subject, rows);
  const callsPerS = rows / ((performance.now() - startMs) / 1000);
  return { share: 1, callsPerS, us: usOfEach(before, subject.spentMs(), rows) };
};

/** Measures one kind with everything that the model has of it. */
const costOf = async (
  kind: Kind,
  subject: Subject,
  proxied: ProxiedSubject,
  options: Effort & { readonly generator: Generator; idle(name: keyof CallBytes): number },
): Promise<KindCost> => {
  const { generator, seconds, rounds, idle } = options;
  if (kind === BATCH_CODE) {
    const rows = Math.ceil(seconds * ROWS_A_SECOND);
    const levels: Level[] = [];
    for (let round = 0; round < rounds; round += 1) levels.push(await measureBatch(subject, rows));
    const best = cheapest(levels);
    const few = Math.ceil(rows / 10);
    const bytes = await measureBytes(proxied, idle, () => sendRows(proxied, few).then(() => few));
    const cost = { kind, codes: 1, peakPerS: best.callsPerS, levels: [best], bytes };
    return { ...cost, redisRoundTrips: 0, latencyMs: 0 };
  }
  const cost = await measureKind(subject, kind, options);
  const requests = Math.ceil(BYTES_CALLS / Math.max(1, cost.codes));
  const { url, aim } = proxied;
  const mix: Mix = [[kind, 1]];
  const job = { url, mix, aim, connections: connectionsFor(mix, aim, BYTES_CONNECTIONS) };
  const bytes = await measureBytes(
    proxied,
    idle,
    async () => (await generator.counted({ ...job, requests })).tally.good,
  );
  const distances = await measureAway(proxied, kind, cost.peakPerS, options);
  return { ...cost, bytes, redisRoundTrips: roundTripsOf(distances) };
};

/** Starts two gateways, each with its own stores: a plain one, and one with an access log and proxies. */
export const measureModel = ({ kinds, seconds, rounds, onKind }: MeasureOptions): Promise<CostModel> =>
  inScope(async (scope) => {
    const machine = describeMachine();
    const generator = startGenerator(scope);
    const mix = kinds.flatMap((kind) => (kind === BATCH_CODE ? [] : [[kind, 1] as const]));
    const subject = await startSubject(scope, generator, { mix, name: 'plain' });
    const proxied = await startProxied(scope, generator, mix);
    const idle = await measureIdle(subject);
    const options = { generator, seconds, rounds, idle: await idleBytes(proxied, IDLE_S) };
    const costs: KindCost[] = [];
    for (const kind of kinds) {
      const cost = await costOf(kind, subject, proxied, options);
      costs.push(cost);
      onKind(cost);
    }
    return { at: new Date().toISOString(), machine, idle, processBytes: subject.rssBytes(), kinds: costs };
  });
