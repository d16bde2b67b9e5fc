/** How busy a load keeps each part of a deployment, and which part saturates first. Pure. */
import type { RecipeName } from '../../load/recipes.ts';
import { type ByPart, byPart, type CostModel, type KindCost, type Part } from '../model.ts';

/** Calls per second by kind. */
export type Rates = Readonly<Partial<Record<RecipeName, number>>>;

/** The machines of a deployment. Gateways have a process for each core, as `GATEWAYS=auto` has. */
export interface Deployment {
  readonly gateways: { readonly machines: number; readonly cores: number };
  /** Each shard has one thread. */
  readonly redis: { readonly shards: number; readonly roundTripMs: number };
  readonly postgres: { readonly cores: number };
  /** Planned utilisation of each part: waiting grows as ρ / (1 - ρ). */
  readonly busyShare: number;
  /** Whether gateways log every call. */
  readonly accessLog: boolean;
}

/** The utilisation of one part of a deployment under a load. */
export interface Need {
  readonly what: 'gateways' | 'Redis' | 'Postgres';
  /** Busy cores on average. */
  readonly cores: number;
  /** The same as a share of the available cores; above 1 the load cannot be served. */
  readonly share: number;
}

const US_PER_S = 1_000_000;

const costOf = ({ kinds }: CostModel, kind: string): KindCost => {
  const found = kinds.find((cost) => cost.kind === kind);
  if (found === undefined)
    throw new Error(
      `the model has no costs of "${kind}"; it has ${kinds.map((cost) => cost.kind).join(', ')}`,
    );
  return found;
};

/** The kinds that a load contains, with their costs. @throws When the model lacks one of them. */
export const costsOf = (
  model: CostModel,
  rates: Rates,
): { readonly cost: KindCost; readonly perS: number }[] =>
  Object.entries(rates).flatMap(([kind, perS]) => (perS > 0 ? [{ cost: costOf(model, kind), perS }] : []));

/**
 * Returns the microseconds per second that one kind of call takes when a gateway serves a share of its peak. Between
 * the measured loads the values are interpolated linearly, and they never fall as the load rises. At zero load they
 * are those of an idle gateway; beyond the peak they grow in proportion to the load.
 */
export const spentOn = ({ levels, peakPerS }: KindCost, idle: ByPart, share: number): ByPart =>
  byPart((part) => {
    let [fromShare, fromUs] = [0, idle[part]];
    for (const level of levels) {
      const us = Math.max(fromUs, level.us[part] * level.share * peakPerS);
      if (share <= level.share) {
        const way = level.share === fromShare ? 1 : (share - fromShare) / (level.share - fromShare);
        return fromUs + way * (us - fromUs);
      }
      [fromShare, fromUs] = [level.share, us];
    }
    return (fromUs * share) / fromShare;
  });

/** Returns the microseconds per call of one kind when a gateway serves a share (above 0) of its peak. */
export const costAt = (cost: KindCost, idle: ByPart, share: number): ByPart => {
  const us = spentOn(cost, idle, share);
  return byPart((part) => us[part] / (share * cost.peakPerS));
};

const gatewayUs = (us: ByPart, logsUs: number): number => us.loop + us.drawing + us.threads + logsUs;

/** Returns a load as a share of what its gateways can serve; above 1 they are overloaded. */
const loadShare = (model: CostModel, rates: Rates, { gateways, accessLog }: Deployment): number => {
  const coresUs = gateways.machines * gateways.cores * US_PER_S;
  return costsOf(model, rates).reduce((share, { cost, perS }) => {
    const us = gatewayUs(costAt(cost, model.idle, 1), accessLog ? cost.logs.us : 0);
    return share + (perS * us) / coresUs;
  }, 0);
};

/** The utilisation of parts relative to the measured peak: the busier a part, the less one call costs it. */
export interface Shares {
  readonly gateways: number;
  readonly redis: number;
  readonly postgres: number;
}

/**
 * Returns the utilisation of a deployment: of its gateways by capacity, of a store by its rate at the measured peak.
 */
export const sharesOf = (model: CostModel, rates: Rates, deployment: Deployment): Shares => {
  const peaks = costsOf(model, rates).reduce((total, { cost, perS }) => total + perS / cost.peakPerS, 0);
  return {
    gateways: loadShare(model, rates, deployment),
    redis: peaks / deployment.redis.shards,
    postgres: peaks,
  };
};

/**
 * Returns the microseconds per second that calls of several kinds take of a part at a given utilisation.
 *
 * A call that finds the part busy shares wake-ups, script runs and writes with calls of any kind, so it costs as much
 * as at that load. A call that finds the part idle costs as much as at the low load of its own kind. The probability
 * of finding the part busy is its utilisation.
 */
const spentTogether = (model: CostModel, rates: Rates, share: number): ((part: Part) => number) => {
  const costs = costsOf(model, rates).map(({ cost, perS }) => ({ cost, peaks: perS / cost.peakPerS }));
  const peaks = costs.reduce((total, one) => total + one.peaks, 0);
  const spent = costs.map(({ cost, peaks: own }) => ({
    weight: own / peaks,
    alone: spentOn(cost, model.idle, (share * own) / peaks),
    together: spentOn(cost, model.idle, share),
  }));
  const sharing = Math.min(1, share);
  return (part) => {
    const idle = model.idle[part];
    const work = spent.reduce(
      (total, { weight, alone, together }) =>
        total + (1 - sharing) * (alone[part] - idle) + sharing * weight * (together[part] - idle),
      0,
    );
    return (peaks / share) * (idle + work);
  };
};

/** Returns the processor time of each part in microseconds per second at this utilisation. */
export const spentAt = (model: CostModel, rates: Rates, shares: Shares): ByPart => {
  if (costsOf(model, rates).length === 0) return model.idle;
  const spent = (share: number) => spentTogether(model, rates, share);
  const [gateways, redis, postgres] = [spent(shares.gateways), spent(shares.redis), spent(shares.postgres)];
  return byPart((part) => (part === 'redis' ? redis : part === 'postgres' ? postgres : gateways)(part));
};

/** Returns the utilisation of each part under a load, the busiest first. */
export const needsOf = (model: CostModel, rates: Rates, deployment: Deployment): Need[] => {
  const { gateways, redis, postgres, accessLog } = deployment;
  const us = spentAt(model, rates, sharesOf(model, rates, deployment));
  const logsUs = accessLog
    ? costsOf(model, rates).reduce((all, { cost, perS }) => all + cost.logs.us * perS, 0)
    : 0;
  const need = (what: Need['what'], spentUs: number, cores: number): Need => ({
    what,
    cores: spentUs / US_PER_S,
    share: spentUs / US_PER_S / cores,
  });
  return [
    need('gateways', gatewayUs(us, logsUs), gateways.machines * gateways.cores),
    need('Redis', us.redis, redis.shards),
    need('Postgres', us.postgres, postgres.cores),
  ].sort((a, b) => b.share - a.share);
};

/** The greatest multiple of a load that a deployment can serve. */
export interface Most {
  /** The multiple of the load. */
  readonly factor: number;
  readonly callsPerS: number;
  /** The part that saturates first. */
  readonly full: Need['what'];
}

const FACTOR_MAX = 1e6;
const HALVINGS = 60;

/** Returns how many times the load a deployment can serve with no part busier than `busyShare`. */
export const mostOf = (model: CostModel, rates: Rates, deployment: Deployment): Most => {
  const scaled = (factor: number): Rates =>
    Object.fromEntries(Object.entries(rates).map(([kind, perS]) => [kind, perS * factor]));
  const fullest = (factor: number): Need => needsOf(model, scaled(factor), deployment)[0]!;
  let [low, high] = [0, 1];
  while (high < FACTOR_MAX && fullest(high).share <= deployment.busyShare) [low, high] = [high, 2 * high];
  for (let n = 0; n < HALVINGS; n += 1) {
    const middle = (low + high) / 2;
    if (fullest(middle).share <= deployment.busyShare) low = middle;
    else high = middle;
  }
  const callsPerS = Object.values(rates).reduce((total, perS) => total + perS, 0);
  return { factor: low, callsPerS: low * callsPerS, full: fullest(high).what };
};

/** Returns the median latency of an average call in ms at a low load, with the deployment's latency to Redis. */
export const latencyOf = (model: CostModel, rates: Rates, { redis }: Deployment): number => {
  const costs = costsOf(model, rates);
  const callsPerS = costs.reduce((total, { perS }) => total + perS, 0);
  const waited = costs.reduce(
    (total, { cost, perS }) => total + perS * (cost.latencyMs + cost.redisRoundTrips * redis.roundTripMs),
    0,
  );
  return callsPerS === 0 ? 0 : waited / callsPerS;
};
