/** The drill of a rollback: a newer version adds to the schema while the older one serves, and the older one starts again. */
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import type { Migration } from '../../src/db/schema-state.ts';
import { startLoad } from './load.ts';

/** What a newer version may add: columns that may be null or have a default, tables, indexes, constraints that are not checked. */
const EXPANDING: Migration = {
  number: 9001,
  name: '9001_expand',
  text: `
    alter table codes add column added text;
    alter table accounts add column added boolean not null default false;
    alter table links add column added integer;
    alter table api_keys add column added timestamptz;
    alter table quota_balances add column added bigint not null default 0;
    create table added_things (id uuid primary key, account_id uuid not null references accounts (id));
    create index codes_added on codes (added) where added is not null;`,
  checksum: 'expand',
  needs: null,
};

/** What no older version survives. */
const CONTRACTING: Migration = {
  number: 9002,
  name: '9002_contract',
  text: '-- needs: 99.0.0\nalter table accounts drop column added;',
  checksum: 'contract',
  needs: '99.0.0',
};

export interface RollbackDrill {
  readonly databaseUrl: string;
  readonly key: string;
  readonly callers: number;
  readonly loadMs: number;
  /** The gateway that serves at the beginning, of the older version. */
  readonly url: string;
  /** Starts gateways on the newer schema, of the older version and perhaps of the newer one. */
  startBeside(): Promise<readonly string[]>;
  /** Starts one that must refuse, and returns what it says. */
  startRefused(): Promise<string>;
}

/** What the drill has found. */
export interface RollbackVerdict {
  readonly calls: number;
  /** What must not be; empty when all is well. */
  readonly faults: readonly string[];
}

/** Expands the schema under load, starts the older version on it, then contracts it and sees that version refuse. */
export const drillRollback = async (drill: RollbackDrill): Promise<RollbackVerdict> => {
  const sql = postgres(drill.databaseUrl, { max: 1, onnotice: () => {} });
  const known = await readMigrations();
  try {
    const before = startLoad([drill.url], drill.key, drill.callers);
    await sleep(drill.loadMs);
    await migrate(sql, [...known, EXPANDING]);
    await sleep(drill.loadMs);
    const others = await drill.startBeside();
    const beside = startLoad([drill.url, ...others], drill.key, drill.callers);
    await sleep(drill.loadMs);
    await Promise.all([before.stop(), beside.stop()]);
    await migrate(sql, [...known, EXPANDING, CONTRACTING]);
    const refusal = await drill.startRefused();
    const refused = /9002_contract, which needs Tessera 99\.0\.0/.test(refusal)
      ? []
      : [`the older version is not refused on a contracted schema: ${refusal}`];
    return {
      calls: before.answered.length + beside.answered.length,
      faults: [...before.failures, ...beside.failures, ...refused],
    };
  } finally {
    await sql.end();
  }
};
