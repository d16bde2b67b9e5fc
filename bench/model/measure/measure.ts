/** Measures the cost model: levels, bytes, access lines and distance of each kind of call. */
import { inScope } from '../../../test/servers/scope.ts';
import { startGenerator } from '../../load/fire.ts';
import type { RecipeName } from '../../load/recipes.ts';
import { describeMachine } from '../../machine.ts';
import type { Away, CostModel, KindCost } from '../model.ts';
import { measureAway, roundTripsOf } from './away.ts';
import { idleBytes, measureBytes, startProxied } from './bytes.ts';
import { measureIdle, measureKind } from './levels.ts';
import { lineUs } from './lines.ts';
import { startSubject } from './subject.ts';

/** The kinds of calls that the model knows. */
export const KINDS: readonly RecipeName[] = [
  'redirect',
  'render hit 300',
  'render miss 300',
  'single plain',
  'single styled',
  'single gradient',
  'single logo',
  'bulk 10',
];
const BYTES_CALLS = 2000;
const IDLE_S = 4;

/** How to measure. */
export interface MeasureOptions {
  readonly kinds: readonly RecipeName[];
  /** Duration of each load. */
  readonly seconds: number;
  readonly rounds: number;
  onKind(cost: KindCost): void;
}

/** Starts two gateways, each with its own stores: a plain one, and one with an access log and proxies. */
export const measureModel = ({ kinds, seconds, rounds, onKind }: MeasureOptions): Promise<CostModel> =>
  inScope(async (scope) => {
    const machine = describeMachine('postgres');
    const generator = startGenerator(scope);
    const mix = kinds.map((kind) => [kind, 1] as const);
    const subject = await startSubject(scope, generator, { mix, name: 'plain' });
    const proxied = await startProxied(scope, generator, mix);
    const us = lineUs(subject.backends.folder);
    const idle = await measureIdle(subject);
    const idleOf = await idleBytes(proxied, IDLE_S);
    const options = { generator, seconds, rounds };
    const costs: KindCost[] = [];
    const away: Away[] = [];
    for (const kind of kinds) {
      const cost = await measureKind(subject, kind, options);
      const calls = Math.ceil(BYTES_CALLS / Math.max(1, cost.codes));
      const logBytes = proxied.logBytes();
      const bytes = await measureBytes(proxied, generator, { kind, calls, idle: idleOf });
      const logs = { us, bytes: (proxied.logBytes() - logBytes) / calls };
      const distances = await measureAway(proxied, kind, cost.peakPerS, options);
      away.push(...distances);
      const whole = { ...cost, bytes, logs, redisRoundTrips: roundTripsOf(distances) };
      costs.push(whole);
      onKind(whole);
    }
    return { at: new Date().toISOString(), machine, idle, kinds: costs, away };
  });
