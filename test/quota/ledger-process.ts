/**
 * The ledger of a gateway that the test kills: takes and gives back at random for the accounts in `argv`, and writes a
 * line each time a reservation is admitted.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/db/database.ts';
import { createRedisQuota } from '../../src/quota/redis/redis-quota.ts';
import { silent } from '../support/silent-log.ts';

const USE = { keyId: randomUUID(), kind: 'single' } as const;

const [databaseUrl = '', redisUrl = '', ttlMs = '', ...accountIds] = process.argv.slice(2);
const { sql } = await openDatabase({ url: databaseUrl, dataDir: '' }, silent);
const quota = await createRedisQuota(
  { url: redisUrl, sql, planMonthly: { free: 5, pro: 50 }, reservationTtlMs: Number(ttlMs) },
  silent,
);

const client = async (): Promise<never> => {
  for (;;) {
    const id = randomUUID();
    const accountId = accountIds[randomInt(accountIds.length)]!;
    const units = 1 + randomInt(9);
    try {
      const answer = await quota.reserve({ id, accountId, units, use: USE });
      if (answer.outcome === 'admitted') process.stdout.write(`${units}\n`);
      const settle = { id, accountId, refundUnits: randomInt(units + 1) };
      if (randomInt(10) < 7) quota.settleLater(settle);
      else if (randomInt(2) === 0) await quota.settle(settle);
    } catch {
      // At the end the test stops the stores. Units that were taken are given back when they expire.
    }
  }
};
await Promise.all(Array.from({ length: 8 }, client));
