/**
 * The rows of a piece, from stored lines to drawn files. For a minimum grade, designs are repaired before they are
 * drawn, and files below the grade are refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Grade } from '../../../workers/protocol.ts';
import type { RowError } from '../../db/tables/batches/batches.ts';
import type { Piece } from '../../db/tables/batches/pieces.ts';
import { eachInSlices } from '../../execution/time-limits.ts';
import { gradeFault, type Terms } from '../../generate/quality/graded.ts';
import { toMended, toRepairTask } from '../../generate/repair/repair.ts';
import { planTask } from '../../generate/task.ts';
import { SLUG_TAKEN } from '../../links/slug.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import { isOk, ok, type Result, refused } from '../../result.ts';
import { numbersOfPiece } from '../rows/numbers.ts';
import { createRowReader, type Row } from '../rows/row.ts';
import { fileRowOf, inputKey, readStored } from '../rows/stored.ts';
import {
  type Drawn,
  type DrawOptions,
  drawRows,
  drawTasks,
  encodedSlug,
  type RowFailure,
  type Sketch,
  slugOfRow,
  toFailure,
} from './draw.ts';
import { type Finished, gradeOf } from './files.ts';
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

/**
 * Repairs the designs of rows if their batch asks for it. Sizes in millimetres stay as requested.
 *
 * @throws When nothing can be drawn at the moment.
 */
const repairRows = async (
  parts: WorkParts,
  sketches: readonly Sketch[],
  { repair, minGrade }: Terms,
  { accountId, shortUrl }: Pick<DrawOptions, 'accountId' | 'shortUrl'>,
): Promise<readonly Result<Sketch, RowFailure>[]> => {
  if (!repair) return sketches.map(ok);
  const planned = await Promise.all(
    sketches.map((sketch) => {
      const { row, found } = sketch;
      const { content, design } = row;
      const slug = encodedSlug(sketch);
      const text = slug === null ? content : shortUrl(slug);
      return planTask(parts.fitLogo, { text, design, found, format: 'png' });
    }),
  );
  const tasks = planned.filter(isOk).map(({ value }) => toRepairTask(value.task, minGrade));
  const outcomes = (await drawTasks(parts, accountId, tasks)).values();
  return sketches.map((sketch, place): Result<Sketch, RowFailure> => {
    const task = planned[place]!;
    if (!task.ok) return refused({ ...task.fault, cause: 'row' });
    const outcome = outcomes.next().value!;
    if (!outcome.ok) return refused(toFailure(outcome));
    const { design } = toMended(outcome.value);
    return ok({ ...sketch, row: { ...sketch.row, design } });
  });
};

/** Fails a row that has a file below the grade. */
const refuseBelow = (drawn: Drawn, terms: Terms): Drawn => {
  const fault = drawn.ok ? gradeFault(gradeOf(drawn.value), terms) : null;
  return fault === null ? drawn : refused({ ...fault, cause: 'grade' });
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
  const read = createRowReader({ ...rows, links }, piece, numbersOfPiece(piece));
  const found: Row[] = [];
  await eachInSlices(stored, ({ text }) => {
    const row = read(text, firstRow + found.length);
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
  const options = { accountId, formats, rowMs: estimatedMs / piece.rows, shortUrl: parts.links.shortUrl };
  const findLogo = createLogoFinder(parts, accountId);
  const found = await Promise.all(rows.map(({ row }) => findLogo(row.image)));
  const asked = rows.flatMap(({ row, attempt }, place): Sketch[] => {
    const logo = found[place]!;
    if (!logo.ok) return [];
    const ownSlug = row.ownSlug ?? ok(null);
    if (!ownSlug.ok) return [];
    const slug = row.destination === null ? null : slugOfRow(secret, row.row, attempt);
    return [{ row, slug, ownSlug: ownSlug.value, found: logo.value }];
  });
  const repaired = await repairRows(parts, asked, terms, options);
  const sketches = repaired.filter(isOk).map(({ value }) => value);
  const ready = repaired.values();
  const drawn = (await drawRows(parts, sketches, options)).values();
  return rows.map(({ row, attempt }, place): Entry => {
    const logo = found[place]!;
    if (!logo.ok) return { row, attempt, sketch: null, drawn: logo };
    if (row.ownSlug?.ok === false)
      return { row, attempt, sketch: null, drawn: refused(slugFault(row.ownSlug.fault)) };
    const sketch = ready.next().value!;
    if (!sketch.ok) return { row, attempt, sketch: null, drawn: sketch };
    return { row, attempt, sketch: sketch.value, drawn: refuseBelow(drawn.next().value!, terms) };
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
