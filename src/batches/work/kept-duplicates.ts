/**
 * Finds the rows of a validated batch that repeat a row of another kept batch of its account, before any unit is held. The
 * hashes of the batch are in memory, and those of the others are read past them, some thousands at a time.
 */

import {
  DUPLICATES_MAX,
  eachKeyedPiece,
  type KeyedPiece,
  type ListedDuplicate,
} from '../../db/tables/batches/duplicates.ts';
import {
  chargeTurn,
  type KeptBatch,
  listKeptBatches,
  listUnmadeRows,
  saveKeptDuplicates,
} from '../../db/tables/batches/kept-rows.ts';
import type { Step } from '../../db/tables/batches/steps.ts';
import { DUPLICATE_KINDS, type DuplicateKind, isRefused, tellDuplicate } from '../../duplicates/rules.ts';
import { fileRowOf } from '../rows/stored.ts';
import { createSeen, duplicateField, findIn, hashAt, readIds, type Seen } from './duplicates.ts';
import type { WorkParts } from './parts.ts';

/** Rows of other batches that a batch is compared with: some ten seconds of work. */
export const KEPT_ROWS_MAX = 20_000_000;

/** A row of the batch, and the row of another batch that it repeats. */
interface Repeat {
  readonly row: number;
  readonly kind: DuplicateKind;
  readonly firstRow: number;
  readonly firstFileRow: number;
  readonly firstBatchId: string;
}

const UNMARKED = 0;
const COUNTED = 1;
const REFUSED = 2;

/** Counts rows once each, whatever they repeat, and lists the first of them; an error has precedence. */
const createRepeats = ({ rows, duplicateRule }: Pick<Step, 'rows' | 'duplicateRule'>) => {
  const marks = new Uint8Array(rows + 1);
  const listed = new Map<number, Repeat>();
  const total = { count: 0, refused: 0 };
  return {
    total: total as Readonly<typeof total>,
    listed: listed as ReadonlyMap<number, Repeat>,
    /** Notes a row that is counted among the duplicates already. */
    skip(row: number): void {
      marks[row] = COUNTED;
    },
    add(repeat: Repeat): void {
      const mark = marks[repeat.row]!;
      const isError = isRefused(duplicateRule, repeat.kind);
      if (mark === REFUSED || (mark === COUNTED && !isError)) return;
      if (mark === UNMARKED) total.count += 1;
      if (isError) total.refused += 1;
      marks[repeat.row] = isError ? REFUSED : COUNTED;
      if (listed.size < DUPLICATES_MAX || listed.has(repeat.row)) listed.set(repeat.row, repeat);
    },
  };
};

type Repeats = ReturnType<typeof createRepeats>;

/** Returns whether a row of a kept batch is made, or may still be. Rows are asked for in ascending order. */
const madeRowsOf = async (sql: WorkParts['sql'], batch: KeptBatch): Promise<(row: number) => boolean> => {
  if (batch.isWhole) return () => true;
  const unmade = await listUnmadeRows(sql, batch);
  let next = 0;
  return (row) => {
    while (next < unmade.length && unmade[next]![1] < row) next += 1;
    return next === unmade.length || row < unmade[next]![0];
  };
};

/** Compares a kept batch with the rows of the batch. @param kinds Those that the batch has. */
const compareWith = async (
  sql: WorkParts['sql'],
  batch: KeptBatch,
  seen: Seen,
  kinds: readonly DuplicateKind[],
  repeats: Repeats,
): Promise<void> => {
  const isMade = await madeRowsOf(sql, batch);
  for await (const piece of eachKeyedPiece(sql, batch.id, true))
    for (let place = 0; place < piece.rows; place += 1) {
      const firstRow = piece.firstRow + place;
      if (!isMade(firstRow)) continue;
      for (const kind of kinds) {
        const hash = hashAt(piece.hashes, kind, place);
        const row = hash === null ? null : seen[kind].find(hash);
        if (row === null) continue;
        const firstFileRow = fileRowOf(piece, firstRow);
        repeats.add({ row, kind, firstRow, firstFileRow, firstBatchId: batch.id });
      }
    }
};

/** Returns the listed repeats in row order, with the callers' own ids of their rows. */
const withIds = async (
  parts: Pick<WorkParts, 'store'>,
  batchId: string,
  pieces: readonly KeyedPiece[],
  repeats: Repeats,
): Promise<readonly ListedDuplicate[]> => {
  const listed = [...repeats.listed.values()].sort((a, b) => a.row - b.row);
  const all: ListedDuplicate[] = [];
  let at = 0;
  for (const piece of pieces) {
    const from = at;
    while (at < listed.length && listed[at]!.row < piece.firstRow + piece.rows) at += 1;
    const some = listed.slice(from, at);
    if (some.length === 0) continue;
    const ids = await readIds(
      parts,
      batchId,
      piece,
      some.map(({ row }) => row),
    );
    all.push(
      ...some.map((repeat, place) => ({
        ...repeat,
        fileRow: fileRowOf(piece, repeat.row),
        externalId: ids[place]!,
      })),
    );
  }
  return all;
};

/** Reads the hashes of the batch itself. */
const readOwn = async (sql: WorkParts['sql'], { id }: Step, repeats: Repeats) => {
  const seen = createSeen();
  const pieces: KeyedPiece[] = [];
  const kinds = new Set<DuplicateKind>();
  for await (const piece of eachKeyedPiece(sql, id, true)) {
    for (const { row } of findIn(piece, seen)) repeats.skip(row);
    for (const kind of DUPLICATE_KINDS) if (piece.hashes[kind] !== undefined) kinds.add(kind);
    pieces.push({ ...piece, hashes: {} });
  }
  return { seen, pieces, kinds };
};

/** What a comparison found. */
export interface ComparedWithKept {
  /** How many rows are errors. */
  readonly refused: number;
  /** Why the batch cannot be compared with the others; `null`: it was. */
  readonly why: string | null;
  /** The batches that it was compared with; `null`: it asks for no comparison. */
  readonly with: readonly string[] | null;
}

const tooMany = (rows: number): string =>
  `Your other batches keep ${rows} rows, and duplicates_in=kept-batches compares with at most ${KEPT_ROWS_MAX}; let batches expire earlier (expires_in), or compare within the batch.`;

/**
 * Finds and saves the rows that repeat one of another kept batch, if the batch asks for that. The work counts for the
 * account's turn. Takes some 50 MB for a million rows.
 *
 * @throws When the store fails.
 */
export const compareWithKept = async (
  { sql, store }: Pick<WorkParts, 'sql' | 'store'>,
  step: Step,
): Promise<ComparedWithKept> => {
  if (step.duplicateScope === 'batch') return { refused: 0, why: null, with: null };
  const beganMs = performance.now();
  const kept = await listKeptBatches(sql, step);
  const keptRows = kept.reduce((sum, { rows }) => sum + rows, 0);
  if (keptRows > KEPT_ROWS_MAX) return { refused: 0, why: tooMany(keptRows), with: [] };
  const repeats = createRepeats(step);
  const { seen, pieces, kinds } = await readOwn(sql, step, repeats);
  for (const batch of kept) {
    const isOfColumn = batch.uniqueColumn === step.uniqueColumn;
    const compared = [...kinds].filter((kind) => kind !== 'value' || isOfColumn);
    if (compared.length > 0) await compareWith(sql, batch, seen, compared, repeats);
  }
  const listed = await withIds({ store }, step.id, pieces, repeats);
  const errors = listed
    .filter(({ kind }) => isRefused(step.duplicateRule, kind))
    .map(({ row, fileRow, externalId, firstFileRow, firstBatchId, kind }) => ({
      row,
      fileRow,
      externalId,
      message: tellDuplicate({ firstFileRow, kind }, firstBatchId),
      field: duplicateField(kind, step.uniqueColumn),
    }));
  await saveKeptDuplicates(sql, step, { ...repeats.total, listed, errors });
  await chargeTurn(sql, step.accountId, performance.now() - beganMs);
  return { refused: repeats.total.refused, why: null, with: kept.map(({ id }) => id) };
};
