import type { Redis } from 'ioredis';
import type { JSONValue, Sql } from 'postgres';
import { type Asked, findAsked } from '../../db/client.ts';
import { serversOf } from '../../redis/client.ts';
import type { Claim, Reserved } from '../quota.ts';
import { type Keys, keysFor } from './keys.ts';
import { splitHead } from './replies.ts';
import type { QuotaRedis } from './scripts.ts';

interface Finished {
  readonly key: string;
  readonly accountId: string;
  readonly route: string;
  readonly name: string;
  readonly bodyHash: string;
  readonly reservationId: string;
  readonly kept: string;
  readonly leftMs: number;
}

interface Moved {
  readonly bodyHash: string;
  readonly answer: string | null;
}

/** Keys that one step of a scan examines, and claims that are moved before the memory is checked again. */
const SCAN_COUNT = 1000;
const MOVE_MAX = 5000;

const CLAIM = /^\{q:\d\d\}:claim:([0-9a-f-]{36}):(single|file|code|bulk):([\s\S]*)$/;

/** Creates the access to moved claims. @param keepMs How long a claim is kept. */
export const createMovedClaims = (redis: QuotaRedis, sql: Sql, keepMs: number) => {
  const keys: Keys = keysFor(redis);

  const readFinished = async (key: string): Promise<Finished | null> => {
    const [, accountId, route, name] = CLAIM.exec(key) ?? [];
    const [[bodyHash, reservationId, kept], leftMs] = await Promise.all([
      redis.hmget(key, 'body', 'id', 'answer'),
      redis.pttl(key),
    ]);
    if (accountId === undefined || bodyHash == null || reservationId == null || kept == null || leftMs <= 0)
      return null;
    return { key, accountId, route: route!, name: name!, bodyHash, reservationId, kept, leftMs };
  };

  const write = (claims: readonly Finished[]) => {
    const rows = claims.map(({ accountId, route, name, bodyHash, reservationId, kept, leftMs }) => {
      const [where, rest] = splitHead(kept);
      const answer = where === 'short' ? rest : null;
      return { accountId, route, key: name, bodyHash, reservationId, answer, leftMs };
    });
    return sql`
      insert into claims (account_id, route, key, body_hash, reservation_id, answer, expires_at)
      select x."accountId", x.route, x.key, x."bodyHash", x."reservationId", coalesce(x.answer, l.answer),
        clock_timestamp() + x."leftMs" * interval '1 millisecond'
      from jsonb_to_recordset(${sql.json(rows as unknown as JSONValue)}) as x (
        "accountId" uuid, route text, key text, "bodyHash" text, "reservationId" uuid, answer text, "leftMs" bigint
      ) left join long_answers l on l.reservation_id = x."reservationId"
      on conflict (account_id, route, key) do update set body_hash = excluded.body_hash,
        reservation_id = excluded.reservation_id, answer = excluded.answer, expires_at = excluded.expires_at`;
  };

  const forget = (shard: number, claims: readonly Finished[]) => {
    const claimKeys = claims.map(({ key }) => key);
    const ids = claims.map(({ reservationId }) => reservationId);
    return redis.quotaForget(1 + claims.length, keys.moved(shard), ...claimKeys, keepMs, ...ids);
  };

  /** Moves claims of one shard. The mark precedes the write to Postgres: a call that misses its claim looks there. */
  const moveAll = async (shard: number, claims: readonly Finished[]): Promise<number> => {
    await forget(shard, []);
    await write(claims);
    return forget(shard, claims);
  };

  const moveFrom = async (server: Redis, most: number): Promise<number> => {
    let moved = 0;
    let cursor = '0';
    do {
      const [next, names] = await server.scan(cursor, 'MATCH', '{q:*}:claim:*', 'COUNT', SCAN_COUNT);
      const claims = (await Promise.all(names.map(readFinished))).filter((claim) => claim !== null);
      for (const shard of new Set(claims.map(({ accountId }) => keys.shardOf(accountId))))
        moved += await moveAll(
          shard,
          claims.filter(({ accountId }) => keys.shardOf(accountId) === shard),
        );
      cursor = next;
    } while (cursor !== '0' && moved < most);
    return moved;
  };

  return {
    /** Moves a bounded number of finished claims to Postgres, and returns how many. */
    async move(): Promise<number> {
      let moved = 0;
      for (const server of serversOf(redis)) moved += await moveFrom(server, MOVE_MAX - moved);
      return moved;
    },

    /** Returns the answer to a call whose claim is in Postgres; `null`: it is not there. */
    async find(accountId: string, { route, key, bodyHash }: Claim): Promise<Reserved | null> {
      const row = await findAsked<Moved>(
        `${accountId} ${route} ${key}`,
        sql<(Moved & Asked)[]>`
        select concat_ws(' ', account_id, route, key) as asked, body_hash, answer from claims
        where account_id = ${accountId} and route = ${route} and key = ${key} and expires_at > clock_timestamp()`,
      );
      if (row === null) return null;
      if (row.bodyHash !== bodyHash) return { outcome: 'mismatch' };
      return row.answer === null ? { outcome: 'running' } : { outcome: 'replay', answer: row.answer };
    },
  };
};
