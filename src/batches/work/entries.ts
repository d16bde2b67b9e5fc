/** The rows of a piece, from stored lines to drawn files. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Grade } from '../../../workers/protocol.ts';
import type { RowError } from '../../db/tables/batches/batches.ts';
import type { Piece } from '../../db/tables/batches/pieces.ts';
import { eachInSlices } from '../../execution/time-limits.ts';
import { linksOn } from '../../generate/slugs.ts';
import { SLUG_TAKEN } from '../../links/slug.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import { isOk, ok, type Result, refused } from '../../result.ts';
import { numbersOfPiece } from '../rows/numbers.ts';
import { createRowSteps, type Row } from '../rows/row.ts';
import { cellsOf, fileRowOf, inputKey, readStored } from '../rows/stored.ts';
import { type Drawn, drawRows, type RowFailure, type Sketch, slugOfRow } from './draw.ts';
import type { Finished } from './files.ts';
import type { WorkParts } from './parts.ts';

const PAUSE_MS = 1000;
const TRIES = 30;

/** @throws When logos of this account cannot be prepared for half a minute. */
const resolve = async (
  { logos }: Pick<WorkParts, 'logos'>,
  accountId: string,
  image: string,
): Promise<Result<FoundLogo, RowFailure>> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const found = await logos.resolve(image, { accountId });
    if (found.ok) return ok(found.value);
    const { stage, field, message } = found.fault;
    if (stage !== 'busy' && stage !== 'spent') return refused({ field, message, cause: 'row' });
    await sleep(PAUSE_MS);
  }
  throw new Error('logos cannot be prepared at the moment');
};

/** Creates a function that finds logos, looking each one up only once. */
export const createLogoFinder = (parts: Pick<WorkParts, 'logos'>, accountId: string) => {
  const known = new Map<string, Promise<Result<FoundLogo, RowFailure>>>();
  return (image: string | undefined): Promise<Result<FoundLogo | null, RowFailure>> => {
    if (image === undefined) return Promise.resolve(ok(null));
    const found = known.get(image) ?? resolve(parts, accountId, image);
    known.set(image, found);
    return found;
  };
};

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
  const hasCells = piece.inputColumns.length > 0;
  const found: Row[] = [];
  await eachInSlices(stored, ({ text }) => {
    const parsed = parseChecked(text);
    const row = parsed.ok ? toRow(parsed.value, firstRow + found.length, numberOf) : parsed;
    if (row.ok) found.push(hasCells ? { ...row.value, cells: cellsOf(text) } : row.value);
  });
  if (stored.length !== piece.rows || found.length !== stored.length)
    throw new Error('stored rows are not those that were validated');
  return found;
};

const slugFault = (message: string): RowFailure => ({ field: 'slug', message, cause: 'row' });

/** Why a row fails whose chosen slug is taken. */
export const TAKEN_SLUG = slugFault(SLUG_TAKEN);

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
  const { shortUrl } = linksOn(parts.links, piece.domain);
  const sketched = await Promise.all(
    rows.map(async ({ row, attempt }): Promise<Result<Sketch, RowFailure>> => {
      const logo = await findLogo(row.image);
      if (!logo.ok) return logo;
      const chosen = row.ownSlug ?? ok(null);
      if (!chosen.ok) return refused(slugFault(chosen.fault));
      const ownSlug = chosen.value;
      const slug = row.destination === null ? null : slugOfRow(secret, row.row, attempt);
      const text = slug === null ? row.content : shortUrl(ownSlug?.slug ?? slug);
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
