/** Processor time of the parts of a gateway. */
import { childrenOf, cpuMs, endedChildrenMs, mainThreadMs, treeCpuMs } from './cpu.ts';

/** The parts that spend processor time, in the order of the tables. */
export const PARTS = ['loops', 'threads', 'supervisor', 'redis', 'postgres'] as const;
/** A number for each part: `loops` are event loops of gateways, `threads` all other threads of theirs. */
export type ByPart = Readonly<Record<(typeof PARTS)[number], number>>;

/** The stores of a gateway; absent where it has them embedded. */
export type StorePids = { readonly [store in 'redis' | 'postgres']?: { readonly pid: number } };

/** Returns the milliseconds of processor time that each part has taken so far. */
export const spentMs = (gatewayPid: number, { redis, postgres }: StorePids): ByPart => {
  const children = childrenOf(gatewayPid);
  const gateways = children.length === 0 ? [gatewayPid] : children;
  const sum = (of: (pid: number) => number) => gateways.reduce((total, pid) => total + of(pid), 0);
  const loops = sum(mainThreadMs);
  return {
    loops,
    threads: sum(cpuMs) - loops,
    supervisor: children.length === 0 ? 0 : cpuMs(gatewayPid),
    redis: redis === undefined ? 0 : treeCpuMs(redis.pid),
    postgres: postgres === undefined ? 0 : treeCpuMs(postgres.pid) + endedChildrenMs(postgres.pid),
  };
};

/**
 * Returns what each of some calls has taken of each part, in microseconds.
 *
 * @param before As `spentMs` was, like `after`.
 */
export const usOfEach = (before: ByPart, after: ByPart, calls: number): ByPart =>
  Object.fromEntries(
    PARTS.map((part) => [part, ((after[part] - before[part]) * 1000) / calls]),
  ) as unknown as ByPart;
