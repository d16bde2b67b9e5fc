import { readFileSync } from 'node:fs';
import type { Log } from '../../log.ts';
import { connectRedis, type RedisClient } from '../../redis/client.ts';
import type { RedisTarget } from '../../redis/url.ts';

const read = (name: string): string => readFileSync(new URL(`lua/${name}.lua`, import.meta.url), 'utf8');

const ledger = read('ledger');

const script = (name: string, numberOfKeys?: number) => ({
  lua: ledger + read(name),
  ...(numberOfKeys === undefined ? {} : { numberOfKeys }),
});

/** The ledger's scripts for the client's constructor. The header of each Lua file is its contract. */
export const scripts = {
  quotaReserve: script('reserve'),
  quotaSettle: script('settle'),
  quotaRead: script('read', 1),
  quotaSeed: script('seed', 2),
  quotaEvict: script('evict', 1),
  quotaGrant: script('grant', 3),
  quotaLimit: script('limit', 1),
  quotaDue: script('due', 3),
};

type Arg = string | number;

interface Commands {
  quotaReserve(numberOfKeys: number, ...keysAndArgs: Arg[]): Promise<string[]>;
  quotaSettle(numberOfKeys: number, ...keysAndArgs: Arg[]): Promise<string[]>;
  quotaRead(account: string, free: number, pro: number): Promise<string>;
  quotaSeed(account: string, open: string, ...args: Arg[]): Promise<'seeded' | 'known' | 'late'>;
  quotaEvict(account: string, epoch: string): Promise<number>;
  quotaGrant(
    account: string,
    stream: string,
    marker: string,
    grantId: string,
    accountId: string,
    epoch: string,
    amount: number,
    keepMs: number,
  ): Promise<'added' | 'known' | 'stale'>;
  quotaLimit(account: string, limit: string, version: number): Promise<'known' | 'cold'>;
  quotaDue(
    open: string,
    done: string,
    before: string,
    cursor: string,
    count: number,
    keepMs: number,
  ): Promise<string[]>;
}

/** A Redis client that has the ledger's scripts as commands. */
export type QuotaRedis = RedisClient & Commands;

/** Connects as `connectRedis` does, with the ledger's scripts. */
export const connectLedger = (target: RedisTarget, commandTimeoutMs: number, log: Log): QuotaRedis =>
  connectRedis(target, commandTimeoutMs, log, scripts) as QuotaRedis;
