/** Makes a piece: draws its rows, stores their files, and saves their codes in one transaction. */
import { createHash } from 'node:crypto';
import type { RowError } from '../../db/tables/batches/batches.ts';
import { endBatch } from '../../db/tables/batches/batches.ts';
import { type MadePiece, type Piece, saveMade } from '../../db/tables/batches/pieces.ts';
import { insertCodes, type NewCode } from '../../db/tables/codes.ts';
import { hasFolder } from '../../db/tables/folders.ts';
import type { PictureOptions } from '../../generate/request/picture-options.ts';
import { isOk } from '../../result.ts';
import { createFragment } from '../../zip/fragment.ts';
import { createRowReader, type Row } from '../rows/row.ts';
import { inputKey, readStored } from '../rows/stored.ts';
import { type Drawn, drawRows, type RowFailure, type Sketch } from './draw.ts';
import { type Finished, filesOf } from './files.ts';
import { createLogoFinder } from './logos.ts';
import type { WorkParts } from './parts.ts';
import { slugOfRow } from './slugs.ts';

/** There are 62^8 slugs: five clashes in a row mean that something else is wrong. */
const SLUG_ATTEMPTS = 5;

/** A row that is drawn or has failed. */
interface Entry {
  readonly row: Row;
  readonly attempt: number;
  readonly sketch: Sketch | null;
  readonly drawn: Drawn;
}

/** Returns the key of a stored fragment. Its name has a hash of its bytes, so two gateways never write different ones. */
export const fragmentKey = (batchId: string, fragment: string): string => `${batchId}/fragments/${fragment}`;

const readRows = async ({ store, rows, links }: WorkParts, piece: Piece): Promise<readonly Row[]> => {
  const { batchId, input, firstRow, startByte, endByte, format, design } = piece;
  const stored = await readStored(store, inputKey(batchId, input), { start: startByte, end: endByte });
  const read = createRowReader({ ...rows, links }, { format, design: design as PictureOptions });
  const found = stored.map(({ text }, index) => read(text, firstRow + index));
  if (found.length !== piece.rows || !found.every(isOk))
    throw new Error('stored rows are not those that were validated');
  return found.map(({ value }) => value);
};

/** Draws rows: each under the slug of its attempt. */
const drawEntries = async (
  parts: WorkParts,
  piece: Piece,
  rows: readonly { readonly row: Row; readonly attempt: number }[],
): Promise<Entry[]> => {
  const { accountId, formats, estimatedMs, secret } = piece;
  const findLogo = createLogoFinder(parts, accountId);
  const found = await Promise.all(rows.map(({ row }) => findLogo(row.image)));
  const sketches: Sketch[] = [];
  const sketched = rows.map(({ row, attempt }, place) => {
    const logo = found[place]!;
    if (!logo.ok) return null;
    const slug = row.destination === null ? null : slugOfRow(secret, row.row, attempt);
    const sketch = { row, slug, found: logo.value };
    sketches.push(sketch);
    return sketch;
  });
  const options = {
    accountId,
    formats,
    estimatedMs: estimatedMs / piece.rows / formats.length,
    shortUrl: parts.links.shortUrl,
  };
  const drawn = (await drawRows(parts, sketches, options)).values();
  return rows.map(({ row, attempt }, place): Entry => {
    const sketch = sketched[place]!;
    const logo = found[place]!;
    if (!logo.ok) return { row, attempt, sketch: null, drawn: logo };
    return { row, attempt, sketch, drawn: drawn.next().value! };
  });
};

const toNewCode = ({ sketch, pictures }: Finished, position: number): NewCode => {
  const { row, slug, found } = sketch;
  const { content, destination, design } = row;
  const [{ grade, warnings }] = pictures as readonly [Finished['pictures'][number]];
  return {
    position,
    content,
    link: slug === null || destination === null ? null : { slug, destination },
    design,
    logo: found === null ? null : { ...found.logo, sha256: Buffer.from(found.sha256, 'hex') },
    grade,
    warnings,
  };
};

const finishedOf = (entries: readonly Entry[]): Finished[] =>
  entries.flatMap(({ sketch, drawn }) =>
    sketch !== null && drawn.ok ? [{ sketch, pictures: drawn.value }] : [],
  );

const errorsOf = (entries: readonly Entry[]): { errors: RowError[]; failures: RowFailure[] } => {
  const failed = entries.flatMap(({ row, drawn }) => (drawn.ok ? [] : [{ row, fault: drawn.fault }]));
  return {
    errors: failed.map(({ row, fault }) => ({
      row: row.row,
      rowId: row.id,
      field: fault.field,
      message: fault.message,
    })),
    failures: failed.map(({ fault }) => fault),
  };
};

const gradesOf = (finished: readonly Finished[]): readonly number[] => {
  const grades = [0, 0, 0, 0, 0];
  for (const { pictures } of finished) grades[pictures[0]!.grade]! += 1;
  return grades;
};

/** Stores the files of a piece, and returns what is saved of it. */
const storeFiles = async (parts: WorkParts, piece: Piece, entries: readonly Entry[]): Promise<MadePiece> => {
  const { store, links, refund } = parts;
  const finished = finishedOf(entries);
  const { files, manifest } = filesOf(finished, piece.formats, links.shortUrl);
  const { bytes, ...shape } = createFragment(files, manifest, piece.createdAt);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const fragment = `${piece.firstRow}-${hash}`;
  await store.put(fragmentKey(piece.batchId, fragment), bytes);
  const { errors, failures } = errorsOf(entries);
  const refundable = failures.filter(
    ({ cause }) => refund === 'failed' || (refund === 'server' && cause === 'service'),
  ).length;
  return { grades: gradesOf(finished), errors, refundable, fragment, shape };
};

/** What `save` did. `gone`: the folder is in the bin or deleted. `lost`: another gateway has the piece, or the batch has ended. */
type Saved = 'saved' | 'lost' | 'gone' | { readonly taken: ReadonlySet<number> };

/** Thrown to roll a piece back. */
class RolledBack extends Error {
  readonly why: Exclude<Saved, 'saved'>;

  constructor(why: Exclude<Saved, 'saved'>) {
    super('a piece was rolled back');
    this.why = why;
  }
}

const save = async (
  { sql }: WorkParts,
  piece: Piece,
  finished: readonly Finished[],
  made: MadePiece,
): Promise<Saved> => {
  const { accountId, folderId, keyId } = piece;
  if (folderId === null) throw new Error('a batch is running without a folder');
  try {
    await sql.begin(async (tx) => {
      if (!(await hasFolder(tx, accountId, folderId))) throw new RolledBack('gone');
      const codes = finished.map(toNewCode);
      const ids =
        codes.length === 0 ? new Map() : await insertCodes(tx, { accountId, folderId, keyId, codes });
      const taken = codes.filter(({ position }) => !ids.has(position));
      if (taken.length > 0)
        throw new RolledBack({
          taken: new Set(taken.map(({ position }) => finished[position]!.sketch.row.row)),
        });
      if (!(await saveMade(tx, piece, made))) throw new RolledBack('lost');
    });
    return 'saved';
  } catch (error) {
    if (error instanceof RolledBack) return error.why;
    throw error;
  }
};

/**
 * Makes a piece and returns the number of its codes; `null` when it was lost, or when its batch ends because its folder was
 * deleted.
 *
 * @throws When it cannot be made at the moment.
 */
export const makePiece = async (parts: WorkParts, piece: Piece): Promise<number | null> => {
  const rows = await readRows(parts, piece);
  let entries = await drawEntries(
    parts,
    piece,
    rows.map((row) => ({ row, attempt: 0 })),
  );
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
    const taken = entries.filter(({ row }) => saved.taken.has(row.row));
    const again = await drawEntries(
      parts,
      piece,
      taken.map(({ row, attempt }) => ({ row, attempt: attempt + 1 })),
    );
    const renewed = new Map(again.map((entry) => [entry.row.row, entry]));
    entries = entries.map((entry) => renewed.get(entry.row.row) ?? entry);
  }
  throw new Error('no free slug was found');
};
