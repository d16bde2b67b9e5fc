/** Makes a piece: draws its rows, stores their files, and saves their codes in a single transaction. */
import { createHash } from 'node:crypto';
import type { Sql } from '../../db/client.ts';
import { endBatch } from '../../db/tables/batches/batches.ts';
import { type MadePiece, type Piece, saveMade } from '../../db/tables/batches/pieces.ts';
import { insertCodes } from '../../db/tables/codes/codes.ts';
import { lockExternalIds } from '../../db/tables/codes/external-ids.ts';
import { hasFolder } from '../../db/tables/folders.ts';
import { findSlugsInUse, targetKey } from '../../db/tables/slugs.ts';
import { toNewCode } from '../../generate/save/save-drawn.ts';
import { linksOn } from '../../generate/slugs.ts';
import { isRefunded } from '../../lists.ts';
import { refused } from '../../result.ts';
import { createFragment } from '../../zip/fragments.ts';
import { gradeOf, type RowFailure } from './draw.ts';
import { drawEntries, type Entry, failuresOf, finishedOf, readRows, TAKEN_SLUG } from './entries.ts';
import { findTakenIds, needsUniqueIds } from './external-ids.ts';
import { type Finished, filesOf, fragmentKey } from './files.ts';
import type { WorkParts } from './parts.ts';

/** There are 62^8 slugs: five collisions in a row mean that something else is wrong. */
const SLUG_ATTEMPTS = 5;

/** Barcodes have no grade, and are not saved. */
const isQr = ({ sketch }: Finished): boolean => sketch.row.barcode === null;

const gradesOf = (finished: readonly Finished[]): readonly number[] => {
  const grades = [0, 0, 0, 0, 0];
  for (const { pictures } of finished.filter(isQr)) grades[gradeOf(pictures).grade]! += 1;
  return grades;
};

/** Stores the files of a piece, and returns what is saved about it. */
const storeFiles = async (
  { store, links, refund }: WorkParts,
  piece: Piece,
  entries: readonly Entry[],
): Promise<MadePiece> => {
  const finished = finishedOf(entries);
  const { files, manifest } = await filesOf(finished, piece, linksOn(links, piece.domain).shortUrl);
  const { bytes, ...shape } = createFragment(files, manifest, piece.createdAt);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const fragment = `${piece.firstRow}-${hash}`;
  await store.put(fragmentKey(piece.batchId, fragment), bytes);
  const failures = failuresOf(piece, entries);
  const refundable = failures.filter(({ cause }) => isRefunded(refund, cause)).length;
  const errors = failures.map(({ error }) => error);
  return { grades: gradesOf(finished), errors, refundable, fragment, shape };
};

/** Rows whose slugs, or own ids, are taken. */
interface Taken {
  /** Those that get another slug. */
  readonly renewed: ReadonlySet<number>;
  /** Those that fail, because the slug was chosen for them or the id must be unique. */
  readonly failed: ReadonlyMap<number, RowFailure>;
}

/**
 * The outcome of `save`. `gone`: the folder is in the bin or deleted. `lost`: another gateway holds the piece, or the
 * batch has ended.
 */
type Saved = 'saved' | 'lost' | 'gone' | Taken;

/** Thrown to roll a piece back. */
class RolledBack extends Error {
  readonly why: Exclude<Saved, 'saved'>;

  constructor(why: Exclude<Saved, 'saved'>) {
    super('a piece was rolled back');
    this.why = why;
  }
}

/** Splits the unsaved rows into those to retry and those that fail. */
const takenOf = async (sql: Sql, unsaved: readonly Finished[], domainId: string | null): Promise<Taken> => {
  const inUse = await findSlugsInUse(
    sql,
    unsaved.flatMap(({ sketch }) => sketch.slug ?? []),
    domainId,
  );
  const rowsOf = (isRenewed: boolean) =>
    unsaved
      .filter(({ sketch }) => (sketch.ownSlug === null || inUse.has(sketch.slug!)) === isRenewed)
      .map(({ sketch }) => sketch.row.row);
  const failed = rowsOf(false).map((row) => [row, TAKEN_SLUG] as const);
  return { renewed: new Set(rowsOf(true)), failed: new Map(failed) };
};

/** Keeps the own ids of rows that must be unique from others. @throws {RolledBack} When codes have some. */
const claimIds = async (tx: Sql, piece: Piece, finished: readonly Finished[]): Promise<void> => {
  await lockExternalIds(tx, piece.accountId);
  const taken = await findTakenIds(
    tx,
    piece,
    finished.map(({ sketch }) => sketch.row),
  );
  const failed = [...taken].map(([row, fault]) => [row, { ...fault, cause: 'row' }] as const);
  if (failed.length > 0) throw new RolledBack({ renewed: new Set(), failed: new Map(failed) });
};

const save = async (
  { sql, changes, accountMaxBytes }: WorkParts,
  piece: Piece,
  finished: readonly Finished[],
  made: MadePiece,
): Promise<Saved> => {
  const { accountId, folderId, keyId, codesAt: at } = piece;
  const domainId = piece.domain?.id ?? null;
  if (folderId === null || at === null) throw new Error('a batch is running without a folder or a time');
  // Pieces are saved in any order, by any gateway: the position comes from the row alone.
  const coded = finished.filter(isQr);
  const codes = coded.map(({ sketch, pictures }) => {
    const { grade, warnings } = gradeOf(pictures);
    return toNewCode({ ...sketch.row, ...sketch, grade, warnings, position: sketch.row.row - 1 });
  });
  try {
    await sql.begin(async (tx) => {
      if (!(await hasFolder(tx, accountId, folderId))) throw new RolledBack('gone');
      if (needsUniqueIds(piece)) await claimIds(tx, piece, finished);
      const ids =
        codes.length === 0
          ? new Map()
          : await insertCodes(tx, { accountId, folderId, keyId, domainId, at, codes });
      const unsaved = coded.filter(({ sketch }) => !ids.has(sketch.row.row - 1));
      if (unsaved.length > 0) throw new RolledBack(await takenOf(tx, unsaved, domainId));
      if (!(await saveMade(tx, piece, made, accountMaxBytes))) throw new RolledBack('lost');
      // Caches may hold a negative entry from a visit before the slug existed.
      const chosen = codes.flatMap(({ link }) => link?.own?.slug ?? []);
      if (chosen.length > 0)
        await changes.announce(
          tx,
          ...chosen.map((slug) => ({ kind: 'link' as const, id: targetKey(slug, domainId) })),
        );
    });
    return 'saved';
  } catch (error) {
    if (error instanceof RolledBack) return error.why;
    throw error;
  }
};

/** Redraws the `renewed` rows with new slugs, and fails the `failed` ones. */
const drawAgain = async (
  parts: WorkParts,
  piece: Piece,
  entries: readonly Entry[],
  { renewed, failed }: Taken,
): Promise<readonly Entry[]> => {
  const again = entries
    .filter(({ row }) => renewed.has(row.row))
    .map(({ row, attempt }) => ({ row, attempt: attempt + 1 }));
  const drawn = new Map((await drawEntries(parts, piece, again)).map((entry) => [entry.row.row, entry]));
  return entries.map((entry) => {
    const failure = failed.get(entry.row.row);
    return failure === undefined
      ? (drawn.get(entry.row.row) ?? entry)
      : { ...entry, drawn: refused(failure) };
  });
};

/**
 * Makes a piece and returns the number of its codes; `null` when it was lost, or when its batch ends because the folder
 * was deleted.
 *
 * @throws When it cannot be made at the moment.
 */
export const makePiece = async (parts: WorkParts, piece: Piece): Promise<number | null> => {
  const rows = (await readRows(parts, piece)).map((row) => ({ row, attempt: 0 }));
  let entries: readonly Entry[] = await drawEntries(parts, piece, rows);
  for (let tries = 0; tries < SLUG_ATTEMPTS; tries += 1) {
    const made = await storeFiles(parts, piece, entries);
    const finished = finishedOf(entries);
    const saved = await save(parts, piece, finished, made);
    if (saved === 'saved') return finished.length;
    if (saved === 'lost') return null;
    if (saved === 'gone') {
      await endBatch(parts.sql, piece.batchId, 'failed', 'Its folder was deleted.');
      return null;
    }
    entries = await drawAgain(parts, piece, entries, saved);
  }
  throw new Error('no free slug was found');
};
