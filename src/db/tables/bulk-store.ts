import type { Logo } from '../../../workers/protocol.ts';
import { ok, type Result, refused } from '../../result.ts';
import { within } from '../../time-limit.ts';
import type { Database } from '../database.ts';
import { databaseFault, isOrphan } from '../faults.ts';
import { createSemaphore } from '../semaphore.ts';
import { insertCodes, type NewCode } from './codes.ts';
import { ensureFolder, hasFolder } from './folders.ts';
import { getLogo } from './logos.ts';

/** Why the codes of a bulk call were not saved. They can be saved with other slugs, or into another folder. */
export type NotSaved =
  | { readonly kind: 'slugs taken'; readonly slugs: readonly string[] }
  | { readonly kind: 'folder gone' };

/** Saves the codes of bulk calls. */
export interface BulkStore {
  /** Fails within `PING_TIMEOUT_MS` when the database gives no answer. */
  ping(): Promise<void>;
  /** Whether the account has this folder outside the bin. */
  hasFolder(accountId: string, folderId: string): Promise<boolean>;
  /**
   * Saves all codes of a call in one transaction, or nothing. Nothing is saved when slugs are taken, which the fault
   * then names, or when the folder was deleted meanwhile. A folder that is given by its name is made when it is
   * missing.
   */
  save(
    caller: { readonly accountId: string; readonly keyId: string },
    folder: { readonly id: string } | { readonly name: string },
    codes: readonly NewCode[],
  ): Promise<Result<{ readonly folderId: string }, NotSaved>>;
  /** Returns a logo that one of the account's codes shows, by the SHA-256 of its PNG, or `null`. */
  findLogo(accountId: string, sha256: string): Promise<Logo | null>;
}

const FOLDER_GONE: Result<never, NotSaved> = refused({ kind: 'folder gone' });

/** Thrown to roll a call back; `save` catches it outside the transaction. */
class SlugsTaken extends Error {
  readonly slugs: readonly string[];

  constructor(slugs: readonly string[]) {
    super('slugs are taken');
    this.slugs = slugs;
  }
}

/** How long `ping` waits. The embedded database runs one query at a time, so an answer may take longer. */
const PING_TIMEOUT_MS = { server: 1000, embedded: 5000 } as const;

/** Half of the connections to a server, and the one to the embedded database: other requests need some too. */
const SAVES_AT_A_TIME = { server: 5, embedded: 1 } as const;

type StoreDatabase = Pick<Database, 'sql' | 'ping' | 'embedded'>;

/** Creates the store. */
export const createBulkStore = ({ sql, ping, embedded }: StoreDatabase): BulkStore => {
  const pingTimeoutMs = PING_TIMEOUT_MS[embedded ? 'embedded' : 'server'];
  const savesAtATime = createSemaphore(SAVES_AT_A_TIME[embedded ? 'embedded' : 'server']);
  return {
    ping: () =>
      within(ping(), pingTimeoutMs, () =>
        databaseFault('DATABASE_SILENT', `the database gave no answer for ${pingTimeoutMs} ms`),
      ),

    hasFolder: (accountId, folderId) => hasFolder(sql, accountId, folderId),

    async save(caller, folder, codes) {
      const { accountId, keyId } = caller;
      try {
        return await savesAtATime(() =>
          sql.begin(async (tx) => {
            if ('id' in folder && !(await hasFolder(tx, accountId, folder.id))) return FOLDER_GONE;
            const folderId = 'id' in folder ? folder.id : (await ensureFolder(tx, accountId, folder.name)).id;
            if (codes.length === 0) return ok({ folderId });
            const ids = await insertCodes(tx, { accountId, folderId, keyId, codes });
            const left = codes.filter((code) => !ids.has(code.position));
            if (left.length > 0) throw new SlugsTaken(left.flatMap((code) => code.link?.slug ?? []));
            return ok({ folderId });
          }),
        );
      } catch (error) {
        if (error instanceof SlugsTaken) return refused({ kind: 'slugs taken', slugs: error.slugs });
        if ('id' in folder && isOrphan(error)) return FOLDER_GONE;
        throw error;
      }
    },

    findLogo: (accountId, sha256) => getLogo(sql, accountId, Buffer.from(sha256, 'hex')),
  };
};
