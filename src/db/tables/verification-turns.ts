/** The work on verifications, which gateways share in turns. The only clock is the database's. */
import type postgres from 'postgres';
import { changesOne, fromNow, type Sql } from '../client.ts';
import type { Cursor } from '../cursor.ts';
import { ofFolder, type Results, type SignedStatement } from './verifications.ts';

/** A verification that a gateway works on. */
export interface Turn {
  readonly id: string;
  readonly leaseHolder: string;
  readonly accountId: string;
  /** `null`: chosen codes are read. */
  readonly folder: { readonly id: string; readonly name: string } | null;
  /** The chosen codes; `null`: those of the folder are read. */
  readonly codeIds: readonly string[] | null;
  readonly createdAt: Date;
  /** The last code read; `null`: none yet. */
  readonly after: Cursor | null;
  readonly pages: number;
}

/** A page of codes that were read. */
export interface ReadPage {
  /** One code per line, as in the receipt. */
  readonly entries: string;
  readonly results: Results;
  /** The last code of the page. */
  readonly last: Cursor;
}

/** How a turn is taken. */
export interface TurnOptions {
  /** Identifies the gateway. */
  readonly leaseHolder: string;
  /** Other gateways take over the turn when it was not renewed for this long. */
  readonly leaseMs: number;
  /** The versions of the readers and the renderer. Pages made by other versions are made again. */
  readonly software: string;
  /** A verification fails after this many turns without a new page. */
  readonly fruitlessMax: number;
}

/** Delay for gateways of another version, so that old and new do not steal each other's turns during an upgrade. */
const OTHER_SOFTWARE_AFTER_S = 60;
/** Verifications kept per folder, and per account for chosen codes, besides running ones. */
const KEPT = 10;

interface Row extends Omit<Turn, 'after' | 'leaseHolder' | 'folder'> {
  readonly folderId: string | null;
  readonly folderName: string | null;
  readonly software: string | null;
  readonly fruitlessTurns: number;
  readonly afterCreatedAt: Date | null;
  readonly afterPosition: number | null;
  readonly afterId: string | null;
}

const holdsLease = (sql: Sql, { id, leaseHolder }: Pick<Turn, 'id' | 'leaseHolder'>) =>
  sql`id = ${id} and lessee = ${leaseHolder} and state = 'running'`;

const findWaiting = (sql: Sql, software: string) => sql<Row[]>`
  select v.id, v.account_id, v.folder_id, f.name as folder_name, v.code_ids, v.created_at, v.software, v.fruitless_turns,
    v.after_created_at, v.after_position, v.after_id,
    (select count(*)::int from verification_pages p where p.verification_id = v.id) as pages
  from verifications v left join folders f on f.id = v.folder_id
  where v.state = 'running' and f.deleted_at is null and v.leased_until <= now()
    and (v.software is null or v.software = ${software}
      or v.leased_until <= now() - ${OTHER_SOFTWARE_AFTER_S} * interval '1 second')
  order by v.turn_ended_at limit 1 for update of v skip locked`;

const toTurn = (row: Row, leaseHolder: string): Turn => {
  const { id, accountId, folderId, folderName, codeIds, createdAt, pages } = row;
  const { afterCreatedAt, afterPosition, afterId } = row;
  const after =
    afterCreatedAt === null || afterPosition === null || afterId === null
      ? null
      : { createdAt: afterCreatedAt, position: afterPosition, id: afterId };
  const folder = folderId === null || folderName === null ? null : { id: folderId, name: folderName };
  return { id, accountId, folder, codeIds, createdAt, pages, leaseHolder, after };
};

const fail = (sql: Sql, id: string) => sql`
  update verifications set state = 'failed', finished_at = now(), lessee = null where id = ${id}`;

const beginAgain = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from verification_pages where verification_id = ${id}`;
  await sql`
    update verifications set passed = 0, weak = 0, failed = 0, missing = 0,
      after_created_at = null, after_position = null, after_id = null where id = ${id}`;
};

/**
 * Takes a turn for the unleased verification that has waited longest since its last one. Returns `null` when there is
 * none. Folders in the bin wait.
 */
export const takeTurn = (sql: postgres.Sql, options: TurnOptions): Promise<Turn | null> =>
  sql.begin(async (tx) => {
    const { leaseHolder, leaseMs, software, fruitlessMax } = options;
    for (;;) {
      const [row] = await findWaiting(tx, software);
      if (row === undefined) return null;
      if (row.fruitlessTurns >= fruitlessMax) {
        await fail(tx, row.id);
        continue;
      }
      const isOther = row.software !== null && row.software !== software;
      if (isOther) await beginAgain(tx, row.id);
      await tx`
        update verifications set lessee = ${leaseHolder}, leased_until = ${fromNow(tx, leaseMs)}, software = ${software},
          fruitless_turns = fruitless_turns + 1 where id = ${row.id}`;
      const turn = toTurn(row, leaseHolder);
      return isOther ? { ...turn, after: null, pages: 0 } : turn;
    }
  });

/** Renews the lease of the turn. Returns `false` when it is lost, to another gateway or because the folder is gone. */
export const renewTurn = (sql: Sql, turn: Turn, leaseMs: number): Promise<boolean> =>
  changesOne(sql`
    update verifications set leased_until = ${fromNow(sql, leaseMs)} where ${holdsLease(sql, turn)}`);

/** Saves the turn's next page. Returns the updated turn, or `null` when it was lost and nothing is saved. */
export const savePage = (
  sql: postgres.Sql,
  turn: Turn,
  { entries, results, last }: ReadPage,
): Promise<Turn | null> =>
  sql.begin(async (tx) => {
    const { passed, weak, failed, missing } = results;
    const { count } = await tx`
      update verifications set passed = passed + ${passed}, weak = weak + ${weak}, failed = failed + ${failed},
        missing = missing + ${missing}, after_created_at = ${last.createdAt}, after_position = ${last.position},
        after_id = ${last.id}, fruitless_turns = 0
      where ${holdsLease(tx, turn)}`;
    if (count === 0) return null;
    await tx`
      insert into verification_pages (verification_id, number, entries) values (${turn.id}, ${turn.pages}, ${entries})`;
    return { ...turn, after: last, pages: turn.pages + 1 };
  });

/** Ends the turn. @param pauseMs Nobody takes the next one before this has passed. */
export const endTurn = async (sql: Sql, turn: Turn, pauseMs = 0): Promise<void> => {
  await sql`
    update verifications set lessee = null, leased_until = ${fromNow(sql, pauseMs)}, turn_ended_at = now()
    where ${holdsLease(sql, turn)}`;
};

/**
 * Saves the receipt of a verification whose codes are all read, and deletes the oldest verifications beyond `KEPT` of
 * its folder, or of chosen codes.
 *
 * @param found Texts that several codes have, these codes, and batches that were adding codes meanwhile.
 */
export const finishVerification = (
  sql: postgres.Sql,
  turn: Turn,
  { statement, jws }: SignedStatement,
  found: Readonly<Record<'contents' | 'codes' | 'unfinishedBatches', number>>,
): Promise<void> =>
  sql.begin(async (tx) => {
    await tx`
      update verifications set state = 'done', finished_at = now(), lessee = null, statement = ${statement}, jws = ${jws},
        total = passed + weak + failed + missing, duplicate_contents = ${found.contents}, duplicate_codes = ${found.codes},
        unfinished_batches = ${found.unfinishedBatches}
      where ${holdsLease(tx, turn)}`;
    await tx`
      delete from verifications where id in (
        select id from verifications
        where account_id = ${turn.accountId} and ${ofFolder(tx, turn.folder?.id ?? null)} and state <> 'running'
        order by created_at desc, id desc offset ${KEPT}
      )`;
  });
