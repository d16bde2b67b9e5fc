import type { Logo } from '../../../workers/protocol.ts';
import { ok, type Result, refused } from '../../result.ts';
import { within } from '../../time-limit.ts';
import type { Sql } from '../client.ts';
import type { Database } from '../database.ts';
import { databaseFault, isIndeterminate, isOrphan } from '../faults.ts';
import { createSemaphore } from '../semaphore.ts';
import { insertCodes, type NewCode } from './codes.ts';
import { ensureFolder, hasFolder } from './folders.ts';
import { getLogo } from './logos.ts';
import { tellNewCodes } from './webhooks/telling.ts';

/**
 * Why the codes of a bulk call were not saved. They can be saved with other slugs, or into another folder.
 * `saved before`: another call with the same Idempotency-Key was saved. `given up`: the call took so long that its units
 * went back.
 */
export type NotSaved =
  | { readonly kind: 'slugs taken'; readonly slugs: readonly string[] }
  | { readonly kind: 'folder gone' }
  | { readonly kind: 'saved before' }
  | { readonly kind: 'given up' };

/** What is saved of a bulk call beside its codes. */
export interface NewCall {
  readonly reservationId: string;
  /** Units of items that failed. */
  readonly refundUnits: number;
  /** The Idempotency-Key and the hash of the request, and the answer that is kept for a replay. */
  readonly claim: { readonly key: string; readonly bodyHash: string; readonly answer: string } | null;
}

/** What was saved of a call with an Idempotency-Key. */
export interface SavedCall {
  readonly bodyHash: string;
  readonly answer: string;
  readonly folderId: string;
}

/** Thrown to roll a call back; `save` catches it outside the transaction. */
class RolledBack extends Error {
  readonly why: NotSaved;

  constructor(why: NotSaved) {
    super(`the codes of a call are not saved: ${why.kind}`);
    this.why = why;
  }
}

/** Notes that the call is saved, once for its reservation and its Idempotency-Key. @throws {RolledBack} */
const saveCall = async (
  tx: Sql,
  accountId: string,
  folderId: string,
  { reservationId, refundUnits, claim }: NewCall,
): Promise<void> => {
  const key = claim?.key ?? null;
  if (key !== null)
    await tx`
      delete from saved_calls where account_id = ${accountId} and claim_key = ${key} and expires_at <= now()`;
  const { count } = await tx`
    insert into saved_calls (reservation_id, account_id, refund_units, folder_id, claim_key, body_hash, answer)
    values (${reservationId}, ${accountId}, ${refundUnits}, ${folderId}, ${key}, ${claim?.bodyHash ?? null},
      ${claim?.answer ?? null})
    on conflict do nothing`;
  if (count === 1) return;
  const [mine] = await tx`select from saved_calls where reservation_id = ${reservationId}`;
  throw new RolledBack({ kind: mine === undefined ? 'saved before' : 'given up' });
};

/** How long `findCall` waits. The embedded database runs one query at a time, so an answer may take longer. */
const FIND_TIMEOUT_MS = { server: 1000, embedded: 5000 } as const;

/** Half of the connections to a server, and the one to the embedded database: other requests need some too. */
const SAVES_AT_A_TIME = { server: 5, embedded: 1 } as const;

/** Creates what saves the codes of bulk calls. */
export const createBulkStore = ({ sql, embedded }: Pick<Database, 'sql' | 'embedded'>) => {
  const findTimeoutMs = FIND_TIMEOUT_MS[embedded ? 'embedded' : 'server'];
  const savesAtATime = createSemaphore(SAVES_AT_A_TIME[embedded ? 'embedded' : 'server']);

  /** Returns what became of a call whose commit got no answer. Once it is not saved, it can no longer be. */
  const lookUp = async (
    error: unknown,
    accountId: string,
    { reservationId }: NewCall,
    folderId: string,
  ): Promise<Result<{ readonly folderId: string }, NotSaved>> => {
    const [row] = await sql<[{ refundUnits: number | null }]>`
      select quota_find_saved(${reservationId}, ${accountId}) as refund_units`.catch(() => {
      throw error;
    });
    if (row.refundUnits !== null) return ok({ folderId });
    throw databaseFault('DATABASE_UNAVAILABLE', 'the database lost the codes of a call', error);
  };

  return {
    /**
     * Returns the call that was saved with an Idempotency-Key in the last 24 hours. Fails within `FIND_TIMEOUT_MS` when
     * the database gives no answer, also without a key.
     */
    async findCall(accountId: string, claimKey: string | null): Promise<SavedCall | null> {
      const found = sql<SavedCall[]>`
        select body_hash, answer, folder_id from saved_calls
        where account_id = ${accountId} and claim_key = ${claimKey} and expires_at > now()`;
      const [call] = await within(found, findTimeoutMs, () =>
        databaseFault('DATABASE_SILENT', `the database gave no answer for ${findTimeoutMs} ms`),
      );
      return call ?? null;
    },

    /** Whether the account has this folder outside the bin. */
    hasFolder: (accountId: string, folderId: string): Promise<boolean> => hasFolder(sql, accountId, folderId),

    /**
     * Saves all codes of a call in one transaction, or nothing. Nothing is saved when slugs are taken, which the fault
     * then names, or when the folder was deleted meanwhile. A folder that is given by its name is made when it is
     * missing. A commit without an answer is looked up. When that fails too, the error `isIndeterminate`, and the
     * ledger learns later what became of the call.
     */
    async save(
      { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
      folder: { readonly id: string } | { readonly name: string },
      codes: readonly NewCode[],
      call: NewCall,
    ): Promise<Result<{ readonly folderId: string }, NotSaved>> {
      let folderId = '';
      try {
        await savesAtATime(() =>
          sql.begin(async (tx) => {
            if ('id' in folder && !(await hasFolder(tx, accountId, folder.id)))
              throw new RolledBack({ kind: 'folder gone' });
            folderId = 'id' in folder ? folder.id : (await ensureFolder(tx, accountId, folder.name)).id;
            await saveCall(tx, accountId, folderId, call);
            if (codes.length === 0) return;
            const ids = await insertCodes(tx, { accountId, folderId, keyId, codes });
            const left = codes.filter((code) => !ids.has(code.position));
            const slugs = left.flatMap((code) => code.link?.slug ?? []);
            if (left.length > 0) throw new RolledBack({ kind: 'slugs taken', slugs });
            await tellNewCodes(tx, {
              accountId,
              folderId,
              keyId,
              ids: codes.map((code) => ids.get(code.position)!),
            });
          }),
        );
        return ok({ folderId });
      } catch (error) {
        if (error instanceof RolledBack) return refused(error.why);
        if ('id' in folder && isOrphan(error)) return refused({ kind: 'folder gone' });
        if (isIndeterminate(error)) return lookUp(error, accountId, call, folderId);
        throw error;
      }
    },

    /** Returns a logo that one of the account's codes shows, by the SHA-256 of its PNG, or `null`. */
    findLogo: (accountId: string, sha256: string): Promise<Logo | null> =>
      getLogo(sql, accountId, Buffer.from(sha256, 'hex')),
  };
};

/** What `createBulkStore` returns. */
export type BulkStore = ReturnType<typeof createBulkStore>;
