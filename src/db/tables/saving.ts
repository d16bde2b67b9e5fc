/** Saves the codes of a call in its transaction, together with a record of the call. */

import type { Logo } from '../../../workers/protocol.ts';
import { within } from '../../execution/time-limits.ts';
import { ok, type Result, refused } from '../../result.ts';
import { type Asked, findAsked, type Sql } from '../client.ts';
import type { Database } from '../database.ts';
import { databaseFault, isIndeterminate, isOrphan } from '../faults.ts';
import { createSemaphore } from '../semaphore.ts';
import { getCode, insertCodes, type NewCode, type StoredCode } from './codes/codes.ts';
import { idsByExternalId, lockExternalId } from './codes/external-ids.ts';
import { findLinkDomain, findUsualDomain, type LinkDomain } from './domains/served.ts';
import { ensureFolder, hasFolder } from './folders.ts';
import { getLogo } from './logos.ts';
import { findSlugsInUse, targetKey } from './slugs.ts';
import { tellNewCodes } from './webhooks/events.ts';

/**
 * Why the codes of a call were not saved. They can be saved with other slugs, or into another folder. `id taken`: the
 * code with this `codeId` already has the external id, which must be unique. `saved before`: another call with the same
 * Idempotency-Key was saved. `given up`: the call took so long that its units were refunded.
 */
export type NotSaved =
  | { readonly kind: 'slugs taken'; readonly slugs: readonly string[] }
  | { readonly kind: 'id taken'; readonly codeId: string }
  | { readonly kind: 'folder gone' }
  | { readonly kind: 'saved before' }
  | { readonly kind: 'given up' };

/** The ids of codes by their positions. */
export type CodeIds = ReadonlyMap<number, string>;

/** The calls that save codes. */
type SavingRoute = 'code' | 'bulk';

/** What is saved about a call in addition to its codes. */
export interface NewCall {
  readonly reservationId: string;
  /** Units of items that failed. */
  readonly refundUnits: number;
  /** The Idempotency-Key and the hash of the request, and the answer that is kept for a replay. */
  readonly claim: {
    readonly route: SavingRoute;
    readonly key: string;
    readonly bodyHash: string;
    answer(ids: CodeIds): string;
  } | null;
  /** An external id that no other code of the account outside the bin may have. */
  readonly uniqueExternalId?: string | null;
}

/** Where codes are saved. A folder given by name is created if missing. */
export type Folder = { readonly id: string } | { readonly name: string };

/** The folder and the codes of a call that is saved. */
export interface Saved {
  readonly folderId: string;
  readonly ids: CodeIds;
}

const NOTHING: Saved = { folderId: '', ids: new Map() };

/** Thrown to roll a call back; `save` catches it outside the transaction. */
class RolledBack extends Error {
  readonly why: NotSaved;

  constructor(why: NotSaved) {
    super(`the codes of a call are not saved: ${why.kind}`);
    this.why = why;
  }
}

/** Thrown to roll back a call that was only rehearsed. */
class Rehearsed extends Error {}

/** Reserves the external id for this transaction. @throws {RolledBack} When a code has it. */
const claimExternalId = async (tx: Sql, accountId: string, externalId: string): Promise<void> => {
  await lockExternalId(tx, accountId, externalId);
  const [taken] = await idsByExternalId(tx, accountId, externalId, 1);
  if (taken !== undefined) throw new RolledBack({ kind: 'id taken', codeId: taken });
};

/** Saves the codes. @throws {RolledBack} When slugs are taken. */
const saveCodes = async (
  tx: Sql,
  saved: Parameters<typeof insertCodes>[1],
  { announce }: Database['changes'],
): Promise<CodeIds> => {
  const { codes, domainId = null } = saved;
  if (codes.length === 0) return new Map();
  const ids = await insertCodes(tx, saved);
  const left = codes.filter((code) => !ids.has(code.position));
  if (left.length > 0)
    throw new RolledBack({ kind: 'slugs taken', slugs: left.flatMap(({ link }) => link?.slug ?? []) });
  // Caches may hold a negative entry from a visit before the slug existed.
  const chosen = codes.flatMap(({ link }) => link?.own?.slug ?? []);
  const toChange = (slug: string) => ({ kind: 'link' as const, id: targetKey(slug, domainId) });
  if (chosen.length > 0) await announce(tx, ...chosen.map(toChange));
  return ids;
};

/** Records the call as saved, once per reservation and Idempotency-Key. @throws {RolledBack} */
const saveCall = async (
  tx: Sql,
  accountId: string,
  folderId: string,
  { reservationId, refundUnits, claim }: NewCall,
  ids: CodeIds,
): Promise<void> => {
  const { route, key, bodyHash } = claim ?? { route: null, key: null, bodyHash: null };
  if (key !== null)
    await tx`
      delete from saved_calls
      where account_id = ${accountId} and claim_route = ${route} and claim_key = ${key} and expires_at <= now()`;
  const { count } = await tx`
    insert into saved_calls (reservation_id, account_id, refund_units, folder_id, claim_route, claim_key, body_hash,
      answer)
    values (${reservationId}, ${accountId}, ${refundUnits}, ${folderId}, ${route}, ${key}, ${bodyHash},
      ${claim?.answer(ids) ?? null})
    on conflict do nothing`;
  if (count === 1) return;
  const [mine] = await tx`select from saved_calls where reservation_id = ${reservationId}`;
  throw new RolledBack({ kind: mine === undefined ? 'saved before' : 'given up' });
};

/** The caller, and everything to be saved. */
export interface Saving {
  readonly accountId: string;
  readonly keyId: string;
  readonly folder: Folder;
  /** The domain of the links; absent or `null`: the shared one. */
  readonly domainId?: string | null;
  readonly codes: readonly NewCode[];
  readonly call: NewCall;
}

/**
 * Saves all codes of a call, and a record of the call. Must be called in a transaction. Fails with `isOrphan` when the
 * folder is purged meanwhile.
 *
 * @throws {RolledBack} When nothing may be saved.
 */
const saveAll = async (
  tx: Sql,
  { accountId, keyId, folder, domainId, codes, call }: Saving,
  changes: Database['changes'],
): Promise<Saved> => {
  if ('id' in folder && !(await hasFolder(tx, accountId, folder.id)))
    throw new RolledBack({ kind: 'folder gone' });
  if (call.uniqueExternalId) await claimExternalId(tx, accountId, call.uniqueExternalId);
  const folderId = 'id' in folder ? folder.id : (await ensureFolder(tx, accountId, folder.name)).id;
  const ids = await saveCodes(tx, { accountId, folderId, keyId, domainId: domainId ?? null, codes }, changes);
  const saved = { accountId, folderId, keyId, ids: codes.map(({ position }) => ids.get(position)!) };
  // Both are pipelined, which saves a round trip.
  await Promise.all([
    saveCall(tx, accountId, folderId, call, ids),
    codes.length === 0 ? undefined : tellNewCodes(tx, saved),
  ]);
  return { folderId, ids };
};

/** What was saved of a call with an Idempotency-Key. */
export interface SavedCall {
  readonly bodyHash: string;
  readonly answer: string;
  readonly folderId: string;
}

/** Returns why the codes of a call were rolled back; `null`: the error says something else. */
const whyNotSaved = (error: unknown, { folder }: Saving): NotSaved | null => {
  if (error instanceof RolledBack) return error.why;
  return 'id' in folder && isOrphan(error) ? { kind: 'folder gone' } : null;
};

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
      return (await idsByExternalId(sql, accountId, externalId, 1))[0] ?? null;
    },

    /** Returns which of the slugs no new link of the domain can be made with. */
    findSlugsInUse: (slugs: readonly string[], domainId: string | null): Promise<ReadonlySet<string>> =>
      findSlugsInUse(sql, slugs, domainId),

    /** Returns the account's domain by its host, or `null`. */
    findDomain: (accountId: string, host: string): Promise<LinkDomain | null> =>
      findLinkDomain(sql, accountId, host),

    /** Returns the domain of a folder of the account, or else of the account; `null`: neither has one. */
    findUsualDomain: (accountId: string, folder: Folder): Promise<LinkDomain | null> =>
      findUsualDomain(sql, accountId, folder),

    /**
     * Saves all codes of a call in one transaction, or none (see `NotSaved`). If the commit gets no answer, looks up
     * the outcome. If that fails too, the error `isIndeterminate`, and the ledger learns the outcome later.
     */
    async save(saving: Saving): Promise<Result<Saved, NotSaved>> {
      let saved = NOTHING;
      try {
        await savesAtATime(() =>
          sql.begin(async (tx) => {
            saved = await saveAll(tx, saving, changes);
          }),
        );
        return ok(saved);
      } catch (error) {
        const why = whyNotSaved(error, saving);
        if (why !== null) return refused(why);
        if (isIndeterminate(error)) return lookUp(error, saving, saved);
        throw error;
      }
    },

    /**
     * Does what `save` does, and rolls it back instead of committing it. Returns what would have been saved, and for how
     * long the transaction held a connection.
     */
    async rehearse(
      saving: Saving,
    ): Promise<{ readonly made: Result<Saved, NotSaved>; readonly heldMs: number }> {
      let saved = NOTHING;
      let begunMs = 0;
      try {
        await savesAtATime(() =>
          sql.begin(async (tx) => {
            begunMs = performance.now();
            saved = await saveAll(tx, saving, changes);
            throw new Rehearsed();
          }),
        );
        throw new Error('a rehearsal was committed');
      } catch (error) {
        const heldMs = performance.now() - begunMs;
        if (error instanceof Rehearsed) return { made: ok(saved), heldMs };
        const why = whyNotSaved(error, saving);
        if (why === null) throw error;
        return { made: refused(why), heldMs };
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
