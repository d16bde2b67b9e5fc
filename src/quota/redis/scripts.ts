import { readFileSync } from 'node:fs';
import type { Log } from '../../log.ts';
import { connectRedis, type RedisClient } from '../../redis/client.ts';
import type { RedisTarget } from '../../redis/url.ts';

const read = (name: string): string => readFileSync(new URL(`lua/${name}.lua`, import.meta.url), 'utf8');

const ledger = read('ledger');

/**
 * Scripts also run when Redis has used up its memory, because most of them free some. Gateways then refuse new work
 * (`createRoom`).
 */
const HEADER = '#!lua flags=allow-oom\n';

const script = (name: string, numberOfKeys?: number) => ({
  lua: HEADER + ledger + read(name),
  ...(numberOfKeys === undefined ? {} : { numberOfKeys }),
});

/** The ledger's scripts for the client's constructor. The header of each Lua file is its contract. */
export const scripts = {
  quotaRun: script('run'),
  quotaRead: script('read', 1),
  quotaSeed: script('seed', 3),
  quotaEvict: script('evict', 1),
  quotaGive: script('give', 3),
  quotaHold: script('hold', 3),
  quotaLimit: script('limit', 1),
  quotaDue: script('due', 1),
  quotaForget: script('forget'),
  quotaLook: script('look'),
};

type Arg = string | number;

interface Commands {
  quotaRun(numberOfKeys: number, ...keysAndArgs: Arg[]): Promise<string[]>;
  quotaRead(account: string, free: number, pro: number): Promise<string>;
  quotaSeed(
    account: string,
    open: string,
    stream: string,
    ...args: Arg[]
  ): Promise<'seeded' | 'known' | 'late'>;
  quotaEvict(account: string, epoch: string): Promise<number>;
  quotaGive(
    account: string,
    stream: string,
    marker: string,
    ...args: Arg[]
  ): Promise<'given' | 'known' | 'stale'>;
  quotaHold(account: string, stream: string, marker: string, ...args: Arg[]): Promise<string>;
  quotaLimit(account: string, limit: string, version: number): Promise<'known' | 'cold'>;
  quotaDue(open: string, cursor: string, count: number): Promise<string[]>;
  quotaForget(numberOfKeys: number, ...keysAndArgs: Arg[]): Promise<number>;
  quotaLook(
    numberOfKeys: number,
    ...keys: string[]
  ): Promise<[last: string, open: string[], counters: string[], fields: string[][]]>;
}

/** A Redis client that has the ledger's scripts as commands. */
export type QuotaRedis = RedisClient & Commands;

/** Connects as `connectRedis` does, with the ledger's scripts. */
export const connectLedger = (target: RedisTarget, commandTimeoutMs: number, log: Log): QuotaRedis =>
  connectRedis(target, commandTimeoutMs, log, scripts) as QuotaRedis;
