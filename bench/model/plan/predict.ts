/** What loads take of a deployment, and which part is full first. Pure. */
import type { RecipeName } from '../../load/recipes.ts';
import { type ByPart, byPart, type CostModel, type KindCost, type Part } from '../model.ts';

/** Calls a second by kind. */
export type Rates = Readonly<Partial<Record<RecipeName, number>>>;

/** The machines of a deployment. Gateways have a process for each core, as `GATEWAYS=auto` has. */
export interface Deployment {
  readonly gateways: { readonly machines: number; readonly cores: number };
  /** Each shard has one thread. */
  readonly redis: { readonly shards: number; readonly roundTripMs: number };
  readonly postgres: { readonly cores: number };
  /** Share of each part that is planned with: waiting grows as ρ / (1 - ρ). */
  readonly busyShare: number;
  /** Whether gateways write a line for each call. */
  readonly accessLog: boolean;
}

/** What a load takes of one part of a deployment. */
export interface Need {
  readonly what: 'gateways' | 'Redis' | 'Postgres';
  /** Cores that are busy all the time. */
  readonly cores: number;
  /** The same as a share of those that there are; above 1 the load cannot be served. */
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

/** The kinds of a load that are called at all, with their costs. @throws When the model does not know one of them. */
export const costsOf = (
  model: CostModel,
  rates: Rates,
): { readonly cost: KindCost; readonly perS: number }[] =>
  Object.entries(rates).flatMap(([kind, perS]) => (perS > 0 ? [{ cost: costOf(model, kind), perS }] : []));

/**
 * Returns the microseconds of a second that one kind of call takes where a gateway serves a share of its peak. Between
 * the measured loads they are interpolated in a straight line, and never fall with the load: without calls they are
 * those of an idle gateway. Beyond the peak they grow with the load.
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

/** Returns microseconds of one call of one kind where a gateway serves a share of its peak, above 0. */
export const costAt = (cost: KindCost, idle: ByPart, share: number): ByPart => {
  const us = spentOn(cost, idle, share);
  return byPart((part) => us[part] / (share * cost.peakPerS));
};

const gatewayUs = (us: ByPart, logsUs: number): number => us.loop + us.drawing + us.threads + logsUs;

/** Returns a load as a share of what its gateways can serve; above 1 they cannot. */
const loadShare = (model: CostModel, rates: Rates, { gateways, accessLog }: Deployment): number => {
  const coresUs = gateways.machines * gateways.cores * US_PER_S;
  return costsOf(model, rates).reduce((share, { cost, perS }) => {
    const us = gatewayUs(costAt(cost, model.idle, 1), accessLog ? cost.logs.us : 0);
    return share + (perS * us) / coresUs;
  }, 0);
};

/** How busy parts are, as shares of what was measured: a call costs less where there are more. */
export interface Shares {
  readonly gateways: number;
  readonly redis: number;
  readonly postgres: number;
}

/**
 * Returns the shares of a deployment: of its gateways what they can serve, of a store the rate at the measured peak.
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
 * Returns what calls of several kinds take of a part, in microseconds a second, when it is busy to a share.
 *
 * A call that finds the part busy shares wake-ups, script runs and writes with others, whatever their kind: it costs
 * what it costs at that load. A call that finds it idle costs what it costs at the small load of its own kind. The
 * probability of finding it busy is the share.
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

/** Returns microseconds of processor time a second of each part, at these shares. */
export const spentAt = (model: CostModel, rates: Rates, shares: Shares): ByPart => {
  if (costsOf(model, rates).length === 0) return model.idle;
  const spent = (share: number) => spentTogether(model, rates, share);
  const [gateways, redis, postgres] = [spent(shares.gateways), spent(shares.redis), spent(shares.postgres)];
  return byPart((part) => (part === 'redis' ? redis : part === 'postgres' ? postgres : gateways)(part));
};

/** Returns what a load takes of each part, the fullest first. */
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

/** The most of a load that a deployment serves. */
export interface Most {
  /** Times the load. */
  readonly factor: number;
  readonly callsPerS: number;
  /** What keeps it from serving more. */
  readonly full: Need['what'];
}

const FACTOR_MAX = 1e6;
const HALVINGS = 60;

/** Returns how many times the load a deployment serves with no part busier than `busyShare`. */
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

/** Returns the median latency of an average call in ms at a low load, with Redis as far away as in the deployment. */
export const latencyOf = (model: CostModel, rates: Rates, { redis }: Deployment): number => {
  const costs = costsOf(model, rates);
  const callsPerS = costs.reduce((total, { perS }) => total + perS, 0);
  const waited = costs.reduce(
    (total, { cost, perS }) => total + perS * (cost.latencyMs + cost.redisRoundTrips * redis.roundTripMs),
    0,
  );
  return callsPerS === 0 ? 0 : waited / callsPerS;
};
