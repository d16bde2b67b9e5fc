/** The rows of a piece, from stored lines to drawn files. */
import type { Grade } from '../../../workers/protocol.ts';
import type { RowError } from '../../db/tables/batches/batches.ts';
import type { Piece } from '../../db/tables/batches/pieces.ts';
import { SLUG_TAKEN } from '../../links/own-slug.ts';
import { isOk, ok, type Result, refused } from '../../result.ts';
import { eachInSlices } from '../../time-slices.ts';
import { fileRowOf } from '../rows/file-rows.ts';
import { createRowSteps, type Row } from '../rows/row.ts';
import { inputKey, readStored } from '../rows/stored.ts';
import { type Drawn, drawRows, type RowFailure, type Sketch } from './draw.ts';
import type { Finished } from './files.ts';
import { createLogoFinder } from './logos.ts';
import { numbersOfPiece } from './numbers.ts';
import type { WorkParts } from './parts.ts';
import { slugOfRow } from './slugs.ts';

/** A row that is drawn or has failed. */
export interface Entry {
  readonly row: Row;
  /** How many slugs of this row turned out to be taken. */
  readonly attempt: number;
  readonly sketch: Sketch | null;
  readonly drawn: Drawn;
}

/** Returns the rows of a validated piece. @throws When they have changed since validation. */
export const readRows = async ({ store, rows, links }: WorkParts, piece: Piece): Promise<readonly Row[]> => {
  const { batchId, input, firstRow, startByte, endByte } = piece;
  const stored = await readStored(store, inputKey(batchId, input), { start: startByte, end: endByte });
  const { parseChecked, toRow } = createRowSteps({ ...rows, links }, piece);
  const numberOf = numbersOfPiece(piece);
  const found: Row[] = [];
  await eachInSlices(stored, ({ text }) => {
    const parsed = parseChecked(text);
    const row = parsed.ok ? toRow(parsed.value, firstRow + found.length, numberOf) : parsed;
    if (row.ok) found.push(row.value);
  });
  if (stored.length !== piece.rows || found.length !== stored.length)
    throw new Error('stored rows are not those that were validated');
  return found;
};

const slugFault = (message: string): RowFailure => ({ field: 'slug', message, cause: 'row' });

/** Marks a row as failed, because its chosen slug is taken. */
export const withTakenSlug = (entry: Entry): Entry => ({ ...entry, drawn: refused(slugFault(SLUG_TAKEN)) });

/**
 * Draws rows, each with the slug of its attempt, or with its chosen slug.
 *
 * @throws When nothing can be drawn at the moment.
 */
export const drawEntries = async (
  parts: WorkParts,
  piece: Piece,
  rows: readonly Pick<Entry, 'row' | 'attempt'>[],
): Promise<Entry[]> => {
  const { accountId, formats, estimatedMs, secret, minGrade, repair } = piece;
  const terms = { minGrade: minGrade as Grade, repair };
  const findLogo = createLogoFinder(parts, accountId);
  const sketched = await Promise.all(
    rows.map(async ({ row, attempt }): Promise<Result<Sketch, RowFailure>> => {
      const logo = await findLogo(row.image);
      if (!logo.ok) return logo;
      const chosen = row.ownSlug ?? ok(null);
      if (!chosen.ok) return refused(slugFault(chosen.fault));
      const ownSlug = chosen.value;
      const slug = row.destination === null ? null : slugOfRow(secret, row.row, attempt);
      const text = slug === null ? row.content : parts.links.shortUrl(ownSlug?.slug ?? slug);
      return ok({ row, slug, ownSlug, text, found: logo.value });
    }),
  );
  const options = { accountId, formats, terms, rowMs: estimatedMs / piece.rows };
  const sketches = sketched.filter(isOk).map(({ value }) => value);
  const drawn = (await drawRows(parts, sketches, options)).values();
  return rows.map(({ row, attempt }, place): Entry => {
    const sketch = sketched[place]!;
    return { row, attempt, ...(sketch.ok ? drawn.next().value! : { sketch: null, drawn: sketch }) };
  });
};

/** Returns the rows that have files. */
export const finishedOf = (entries: readonly Entry[]): Finished[] =>
  entries.flatMap(({ sketch, drawn }) =>
    sketch !== null && drawn.ok ? [{ sketch, pictures: drawn.value }] : [],
  );

/** Returns the rows that have failed, and why. */
export const failuresOf = (
  piece: Piece,
  entries: readonly Entry[],
): readonly { readonly error: RowError; readonly cause: RowFailure['cause'] }[] =>
  entries.flatMap(({ row, drawn }) => {
    if (drawn.ok) return [];
    const { field, message, cause } = drawn.fault;
    const place = { row: row.row, fileRow: fileRowOf(piece, row.row) };
    return [{ error: { ...place, externalId: row.externalId, field, message }, cause }];
  });
