/** Processor time and memory of other processes, from Linux' /proc. Everything is 0 where there is no /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import { recordOf, sum } from './stats.ts';

const orElse = <T>(fallback: T, read: () => T): T => {
  try {
    return read();
  } catch {
    // The process or thread has ended, or this is not Linux.
    return fallback;
  }
};
const readOr = (path: string, fallback: string) => orElse(fallback, () => readFileSync(path, 'utf8'));
const threadsOf = (pid: number) => orElse([], () => readdirSync(`/proc/${pid}/task`));

/** The first field of /proc/pid/schedstat is time on a processor in nanoseconds: proc(5). */
const threadMs = (pid: number, thread: string): number =>
  Number(readOr(`/proc/${pid}/task/${thread}/schedstat`, '0').split(' ')[0]) / 1e6;

/**
 * Returns the user and system time of a process in ms, all its living threads together. Threads that have ended do not
 * count.
 */
export const cpuMs = (pid: number): number => sum(threadsOf(pid).map((thread) => threadMs(pid, thread)));

/** Returns the same as `cpuMs`, for a process and all its living descendants. */
export const treeCpuMs = (pid: number): number =>
  threadsOf(pid)
    .flatMap((thread) => readOr(`/proc/${pid}/task/${thread}/children`, '').match(/\d+/g) ?? [])
    .reduce((total, child) => total + treeCpuMs(Number(child)), cpuMs(pid));

/** Ticks per second of the times in /proc/pid/stat: proc(5). The same on every Linux platform that Node.js runs on. */
const TICKS_PER_S = 100;

/**
 * Returns the user and system time in ms of the children that have ended, such as the autovacuum workers of Postgres.
 */
export const endedChildrenMs = (pid: number): number => {
  // The second field is a name in brackets, which may have spaces; `cutime` and `cstime` are fields 16 and 17.
  const fields = readOr(`/proc/${pid}/stat`, '').split(') ').at(-1)!.split(' ');
  return ((Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * 1000) / TICKS_PER_S;
};

/** Returns the resident memory of a process in bytes. */
export const rssBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readOr(`/proc/${pid}/status`, ''))?.[1] ?? 0) * 1024;

/** What spends processor time: all gateway processes with all their threads, and their stores. */
export const PARTS = ['gateway', 'redis', 'postgres'] as const;
/** A part of the service. */
export type Part = (typeof PARTS)[number];
/** Milliseconds or microseconds of processor time of each part. */
export type Spent = Readonly<Record<Part, number>>;

/** The stores of a gateway; absent when they are embedded in it. */
export type StorePids = { readonly [store in 'redis' | 'postgres']?: { readonly pid: number } };

/** Returns the milliseconds that each has taken so far. */
export const spentMs = (gatewayPid: number, { redis, postgres }: StorePids): Spent => ({
  gateway: treeCpuMs(gatewayPid),
  redis: redis === undefined ? 0 : treeCpuMs(redis.pid),
  postgres: postgres === undefined ? 0 : treeCpuMs(postgres.pid) + endedChildrenMs(postgres.pid),
});

/** Returns the average microseconds of one of `calls` calls. @param before From `spentMs`, like `after`. */
export const usOfEach = (before: Spent, after: Spent, calls: number): Spent =>
  recordOf(PARTS, (part) => ((after[part] - before[part]) * 1000) / calls);

/** Runs calls. Returns their result, and the average microseconds of one of them, from `begin` on if it is called. */
export const usDuring = async <T>(
  spent: () => Spent,
  run: (begin: () => void) => Promise<T>,
  callsOf: (result: T) => number,
): Promise<{ readonly result: T; readonly us: Spent }> => {
  let before = spent();
  const result = await run(() => {
    before = spent();
  });
  return { result, us: usOfEach(before, spent(), Math.max(1, callsOf(result))) };
};

/** Adds up all processes. */
export const totalOf = ({ gateway, redis, postgres }: Spent): number => gateway + redis + postgres;

/** Returns the milliseconds of processor time that this process, with all of its threads, has taken so far. */
export const ownCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
