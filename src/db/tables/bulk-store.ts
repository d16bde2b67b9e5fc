import type { Logo } from '../../../workers/protocol.ts';
import { ok, type Result, refused } from '../../result.ts';
import { within } from '../../time-limit.ts';
import { type Asked, findAsked } from '../client.ts';
import type { Database } from '../database.ts';
import { databaseFault, isIndeterminate, isOrphan } from '../faults.ts';
import { createSemaphore } from '../semaphore.ts';
import {
  findByExternalId,
  type NotSaved,
  RolledBack,
  type Saved,
  type Saving,
  type SavingRoute,
  saveAll,
} from './calls/save.ts';
import { getLogo } from './codes/logos.ts';
import { getCode, type StoredCode } from './codes.ts';
import { hasFolder } from './folders.ts';
import { findSlugsInUse } from './links/own-slugs.ts';

/** What was saved of a call with an Idempotency-Key. */
export interface SavedCall {
  readonly bodyHash: string;
  readonly answer: string;
  readonly folderId: string;
}

/** How long `findCall` waits. The embedded database runs one query at a time, so an answer may take longer. */
const FIND_TIMEOUT_MS = { server: 1000, embedded: 5000 } as const;

/** Half of the connections to a server, to leave some for other requests, and the only one to the embedded database. */
const SAVES_AT_A_TIME = { server: 5, embedded: 1 } as const;

/** Creates the store that saves the codes of calls. */
export const createBulkStore = ({
  sql,
  embedded,
  changes,
}: Pick<Database, 'sql' | 'embedded' | 'changes'>) => {
  const findTimeoutMs = FIND_TIMEOUT_MS[embedded ? 'embedded' : 'server'];
  const savesAtATime = createSemaphore(SAVES_AT_A_TIME[embedded ? 'embedded' : 'server']);

  /** Returns the outcome of a call whose commit got no answer. If it is not saved, it cannot be saved any more. */
  const lookUp = async (
    error: unknown,
    { accountId, call: { reservationId } }: Saving,
    saved: Saved,
  ): Promise<Result<Saved, NotSaved>> => {
    const [row] = await sql<[{ refundUnits: number | null }]>`
      select quota_find_saved(${reservationId}, ${accountId}) as refund_units`.catch(() => {
      throw error;
    });
    if (row.refundUnits !== null) return ok(saved);
    throw databaseFault('DATABASE_UNAVAILABLE', 'the database lost the codes of a call', error);
  };

  return {
    /**
     * Returns the call that was saved with an Idempotency-Key in the last 24 hours. Fails within `FIND_TIMEOUT_MS` when
     * the database gives no answer, even without a key.
     */
    async findCall(
      accountId: string,
      route: SavingRoute,
      claimKey: string | null,
    ): Promise<SavedCall | null> {
      const found = findAsked<SavedCall>(
        `${accountId} ${route} ${claimKey}`,
        sql<(SavedCall & Asked)[]>`
        select concat_ws(' ', account_id, claim_route, claim_key) as asked, body_hash, answer, folder_id
        from saved_calls
        where account_id = ${accountId} and claim_route = ${route} and claim_key = ${claimKey}
          and expires_at > now()`,
      );
      return within(found, findTimeoutMs, () =>
        databaseFault('DATABASE_SILENT', `the database gave no answer for ${findTimeoutMs} ms`),
      );
    },

    /** Whether the account has this folder outside the bin. */
    hasFolder: (accountId: string, folderId: string): Promise<boolean> => hasFolder(sql, accountId, folderId),

    /** Returns the id of the code outside the bin with this external id, or `null`. */
    async findByExternalId(accountId: string, externalId: string): Promise<string | null> {
      return (await findByExternalId(sql, accountId, externalId))?.id ?? null;
    },

    /** Returns which of the slugs are in use: a link was made with them or given them later. */
    findSlugsInUse: (slugs: readonly string[]): Promise<ReadonlySet<string>> => findSlugsInUse(sql, slugs),

    /**
     * Saves all codes of a call in one transaction, or none (see `NotSaved`). If the commit gets no answer, looks up
     * the outcome. If that fails too, the error `isIndeterminate`, and the ledger learns the outcome later.
     */
    async save(saving: Saving): Promise<Result<Saved, NotSaved>> {
      let saved: Saved = { folderId: '', ids: new Map() };
      try {
        await savesAtATime(() =>
          sql.begin(async (tx) => {
            saved = await saveAll(tx, saving, changes);
          }),
        );
        return ok(saved);
      } catch (error) {
        if (error instanceof RolledBack) return refused(error.why);
        if ('id' in saving.folder && isOrphan(error)) return refused({ kind: 'folder gone' });
        if (isIndeterminate(error)) return lookUp(error, saving, saved);
        throw error;
      }
    },

    /** Returns a code outside the bin, or `null` when the account has none with this id. */
    getCode: (accountId: string, id: string): Promise<StoredCode | null> => getCode(sql, accountId, id),

    /** Returns a logo that one of the account's codes shows, by the SHA-256 of its PNG, or `null`. */
    findLogo: (accountId: string, sha256: string): Promise<Logo | null> =>
      getLogo(sql, accountId, Buffer.from(sha256, 'hex')),
  };
};

/** What `createBulkStore` returns. */
export type BulkStore = ReturnType<typeof createBulkStore>;
