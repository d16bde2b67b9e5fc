/** Saves the codes of a call in its transaction, together with a record of the call. */
import { findFirst, type Sql } from '../../client.ts';
import type { Database } from '../../database.ts';
import { insertCodes, type NewCode } from '../codes.ts';
import { ensureFolder, hasFolder } from '../folders.ts';
import { tellNewCodes } from '../webhooks/telling.ts';

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
export type SavingRoute = 'code' | 'bulk';

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

/** Thrown to roll a call back; `save` catches it outside the transaction. */
export class RolledBack extends Error {
  readonly why: NotSaved;

  constructor(why: NotSaved) {
    super(`the codes of a call are not saved: ${why.kind}`);
    this.why = why;
  }
}

/** Returns the code outside the bin that has an external id: the newest of several, or `null`. */
export const findByExternalId = (sql: Sql, accountId: string, externalId: string) =>
  findFirst(sql<{ id: string }[]>`
    select id from live_codes where account_id = ${accountId} and external_id = ${externalId}
    order by id desc limit 1`);

/** Reserves the external id for this transaction. @throws {RolledBack} When a code has it. */
const claimExternalId = async (tx: Sql, accountId: string, externalId: string): Promise<void> => {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`external id ${accountId} ${externalId}`}, 0))`;
  const taken = await findByExternalId(tx, accountId, externalId);
  if (taken !== null) throw new RolledBack({ kind: 'id taken', codeId: taken.id });
};

/** Saves the codes. @throws {RolledBack} When slugs are taken. */
const saveCodes = async (
  tx: Sql,
  saved: Parameters<typeof insertCodes>[1],
  { announce }: Database['changes'],
): Promise<CodeIds> => {
  const { codes } = saved;
  if (codes.length === 0) return new Map();
  const ids = await insertCodes(tx, saved);
  const left = codes.filter((code) => !ids.has(code.position));
  if (left.length > 0)
    throw new RolledBack({ kind: 'slugs taken', slugs: left.flatMap(({ link }) => link?.slug ?? []) });
  // Caches may hold a negative entry from a visit before the slug existed.
  const chosen = codes.flatMap(({ link }) => link?.own?.slug ?? []);
  if (chosen.length > 0) await announce(tx, ...chosen.map((id) => ({ kind: 'link' as const, id })));
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
  readonly codes: readonly NewCode[];
  readonly call: NewCall;
}

/**
 * Saves all codes of a call, and a record of the call. Must be called in a transaction. Fails with `isOrphan` when the
 * folder is purged meanwhile.
 *
 * @throws {RolledBack} When nothing may be saved.
 */
export const saveAll = async (
  tx: Sql,
  { accountId, keyId, folder, codes, call }: Saving,
  changes: Database['changes'],
): Promise<Saved> => {
  if ('id' in folder && !(await hasFolder(tx, accountId, folder.id)))
    throw new RolledBack({ kind: 'folder gone' });
  if (call.uniqueExternalId) await claimExternalId(tx, accountId, call.uniqueExternalId);
  const folderId = 'id' in folder ? folder.id : (await ensureFolder(tx, accountId, folder.name)).id;
  const ids = await saveCodes(tx, { accountId, folderId, keyId, codes }, changes);
  const saved = { accountId, folderId, keyId, ids: codes.map(({ position }) => ids.get(position)!) };
  // Both are pipelined, which saves a round trip.
  await Promise.all([
    saveCall(tx, accountId, folderId, call, ids),
    codes.length === 0 ? undefined : tellNewCodes(tx, saved),
  ]);
  return { folderId, ids };
};
