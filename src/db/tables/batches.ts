import type { Design, Logo } from '../../../workers/protocol.ts';
import { ok, type Result, refused } from '../../result.ts';
import { within } from '../../time-limit.ts';
import type { Database } from '../database.ts';
import { databaseFault, isOrphan } from '../faults.ts';
import { createSemaphore } from '../semaphore.ts';
import { insertCodes, type NewCode } from './codes.ts';
import { ensureFolder, hasFolder } from './folders.ts';
import { getLogo } from './logos.ts';

/** A logo as it is kept, with the SHA-256 that identifies it, hexadecimal. */
export interface SavedLogo {
  readonly logo: Logo;
  readonly sha256: string;
}

/** What is saved of one drawn item. */
export interface CodeToSave {
  /** What the caller sent. */
  readonly content: string;
  /** Both of a dynamic item, otherwise both `null`. */
  readonly slug: string | null;
  readonly destination: string | null;
  readonly design: Design;
  readonly found: SavedLogo | null;
}

/** Why a batch was not saved: try again with other slugs, or with another folder. */
export type NotSaved =
  | { readonly kind: 'slugs taken'; readonly slugs: readonly string[] }
  | { readonly kind: 'folder gone' };

/** Where a bulk call keeps its codes. */
export interface BatchStore {
  /** Throws when nothing can be saved at the moment; within a second. */
  ping(): Promise<void>;
  hasFolder(accountId: string, folderId: string): Promise<boolean>;
  /**
   * The whole batch or nothing: when slugs are taken, nothing is saved and they are named; nor is anything when
   * the folder was deleted meanwhile.
   */
  save(
    caller: { readonly accountId: string; readonly keyId: string },
    folder: { readonly id: string } | { readonly name: string },
    codes: readonly CodeToSave[],
  ): Promise<Result<{ readonly folderId: string }, NotSaved>>;
  /** A logo saved with one of the account's codes, by the SHA-256 of its PNG. */
  findLogo(accountId: string, sha256: string): Promise<SavedLogo | null>;
}

const FOLDER_GONE: Result<never, NotSaved> = refused({ kind: 'folder gone' });

const toNewCode = (code: CodeToSave, position: number): NewCode => ({
  position,
  content: code.content,
  link:
    code.slug === null || code.destination === null
      ? null
      : { slug: code.slug, destination: code.destination },
  design: code.design,
  logo: code.found === null ? null : { ...code.found.logo, sha256: Buffer.from(code.found.sha256, 'hex') },
});

/** Thrown to roll a batch back, and caught right outside the transaction. */
class SlugsTaken extends Error {
  readonly slugs: readonly string[];

  constructor(slugs: readonly string[]) {
    super('slugs are taken');
    this.slugs = slugs;
  }
}

/** A batch is refused when the database has not answered by then. The embedded one answers one after the other. */
const PING_TIMEOUT_MS = { server: 1000, embedded: 5000 } as const;

/** Of the ten connections to a server and the one to the embedded database: the rest of the service needs some too. */
const SAVES_AT_A_TIME = { server: 5, embedded: 1 } as const;

type StoreDatabase = Pick<Database, 'sql' | 'ping' | 'embedded'>;

/** Where a bulk call keeps its codes: one transaction a batch. */
export const createBatchStore = ({ sql, ping, embedded }: StoreDatabase): BatchStore => {
  const pingTimeoutMs = PING_TIMEOUT_MS[embedded ? 'embedded' : 'server'];
  const savesAtATime = createSemaphore(SAVES_AT_A_TIME[embedded ? 'embedded' : 'server']);
  return {
    ping: () =>
      within(ping(), pingTimeoutMs, () =>
        databaseFault('DATABASE_SILENT', `the database gave no answer for ${pingTimeoutMs} ms`),
      ),

    hasFolder: (accountId, folderId) => hasFolder(sql, accountId, folderId),

    async save(caller, folder, saved) {
      const { accountId, keyId } = caller;
      const codes = saved.map(toNewCode);
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

    async findLogo(accountId, sha256) {
      const logo = await getLogo(sql, accountId, Buffer.from(sha256, 'hex'));
      return logo === null ? null : { logo, sha256 };
    },
  };
};
