/**
 * Finds the rows of a validated batch that repeat an earlier one, before any unit is held. What tells rows apart is
 * kept as hashes: zero bytes stand for none.
 */

import {
  DUPLICATES_MAX,
  eachKeyedPiece,
  type KeyedPiece,
  type ListedDuplicate,
  saveDuplicates,
} from '../../db/tables/batches/duplicates.ts';
import type { Step } from '../../db/tables/batches/steps.ts';
import { createFirstSeen, HASH_BYTES, hashText } from '../../duplicates/first-seen.ts';
import {
  DUPLICATE_KINDS,
  type Duplicate,
  type DuplicateKind,
  isRefused,
  type RowKeys,
  tellDuplicate,
} from '../../duplicates/rules.ts';
import { keysOfContent } from '../../gs1/check.ts';
import { keysOfBarcode } from '../rows/barcodes.ts';
import { idOfStored, type Row } from '../rows/row.ts';
import { fileRowOf, inputKey, readStored } from '../rows/stored.ts';
import type { WorkParts } from './parts.ts';

/** The hashes of the rows of a piece by kind, in row order; absent: no row has any. */
type KeyHashes = Readonly<Partial<Record<DuplicateKind, Buffer>>>;

/** Returns what tells a row from others. */
export const keysOfRow = ({ content, destination, barcode, design, uniqueValue }: Row): RowKeys => ({
  ...(barcode !== null && keysOfBarcode(content, barcode)),
  // Each dynamic row encodes a short link of its own.
  ...(barcode === null && destination === null
    ? keysOfContent(content, design.symbol.gs1 !== undefined)
    : {}),
  ...(uniqueValue === null ? {} : { value: uniqueValue }),
});

/** Returns the field that is at fault in a duplicate. */
export const duplicateField = (kind: DuplicateKind, uniqueColumn: string | null): string =>
  kind === 'value' ? (uniqueColumn ?? 'row') : 'data';

/** Collects the hashes of a piece. */
export const createKeyHashes = (rows: number) => {
  const hashes: Partial<Record<DuplicateKind, Buffer>> = {};
  return {
    /** @param place Of the row in the piece, from 0. */
    add(place: number, row: Row): void {
      const keys = keysOfRow(row);
      for (const kind of DUPLICATE_KINDS) {
        const key = keys[kind];
        if (key === undefined) continue;
        hashes[kind] ??= Buffer.alloc(rows * HASH_BYTES);
        hashText(key).copy(hashes[kind], place * HASH_BYTES);
      }
    },
    hashes: hashes as KeyHashes,
  };
};

const NONE = Buffer.alloc(HASH_BYTES);

/** Returns the hash of a row; `null`: it has none. @param place Of the row in the piece, from 0. */
export const hashAt = (hashes: KeyHashes, kind: DuplicateKind, place: number): Buffer | null => {
  const hash = hashes[kind]?.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES);
  return hash === undefined || hash.equals(NONE) ? null : hash;
};

/** The hashes of rows that were read. */
export type Seen = Readonly<Record<DuplicateKind, ReturnType<typeof createFirstSeen>>>;

export const createSeen = (): Seen =>
  Object.fromEntries(DUPLICATE_KINDS.map((kind) => [kind, createFirstSeen()])) as Seen;

/** Returns the rows of a piece that repeat a row of it or of an earlier piece. */
export const findIn = ({ firstRow, rows, hashes }: KeyedPiece, seen: Seen): readonly Duplicate[] => {
  const found: Duplicate[] = [];
  for (let place = 0; place < rows; place += 1) {
    const row = firstRow + place;
    let duplicate: Duplicate | null = null;
    for (const kind of DUPLICATE_KINDS) {
      const hash = hashAt(hashes, kind, place);
      const first = hash === null ? null : seen[kind].look(hash, row);
      if (first !== null) duplicate ??= { row, firstRow: first, kind };
    }
    if (duplicate !== null) found.push(duplicate);
  }
  return found;
};

/** Returns the callers' own ids of rows of a piece, which the store must still have. */
export const readIds = async (
  { store }: Pick<WorkParts, 'store'>,
  batchId: string,
  { input, startByte, endByte, firstRow }: KeyedPiece,
  rows: readonly number[],
): Promise<readonly (string | null)[]> => {
  const range = { start: startByte, end: endByte };
  const stored = await readStored(store, inputKey(batchId, input), range);
  return rows.map((row) => idOfStored(stored[row - firstRow]!.text));
};

/** Adds the callers' own ids of rows, and the rows of the file. @param pieces This piece and all before it. */
const withIds = async (
  { store }: Pick<WorkParts, 'store'>,
  batchId: string,
  pieces: readonly KeyedPiece[],
  duplicates: readonly Duplicate[],
): Promise<readonly ListedDuplicate[]> => {
  if (duplicates.length === 0) return [];
  const piece = pieces.at(-1)!;
  const ids = await readIds(
    { store },
    batchId,
    piece,
    duplicates.map(({ row }) => row),
  );
  return duplicates.map((duplicate, place) => {
    const { row, firstRow } = duplicate;
    const firstPiece = pieces.findLast((each) => each.firstRow <= firstRow)!;
    return {
      ...duplicate,
      fileRow: fileRowOf(piece, row),
      firstFileRow: fileRowOf(firstPiece, firstRow),
      externalId: ids[place]!,
      firstBatchId: null,
    };
  });
};

/**
 * Finds and saves the duplicates of a batch, and returns how many of them are errors. Takes some 50 MB for a million rows.
 *
 * @throws When the store fails.
 */
export const checkDuplicates = async (
  { sql, store }: Pick<WorkParts, 'sql' | 'store'>,
  step: Step,
): Promise<number> => {
  const { id, duplicateRule, uniqueColumn } = step;
  const seen = createSeen();
  const listed: ListedDuplicate[] = [];
  const pieces: KeyedPiece[] = [];
  let [count, refused] = [0, 0];
  for await (const piece of eachKeyedPiece(sql, id, false)) {
    pieces.push({ ...piece, hashes: {} });
    const found = findIn(piece, seen);
    count += found.length;
    refused += found.filter(({ kind }) => isRefused(duplicateRule, kind)).length;
    const left = DUPLICATES_MAX - listed.length;
    listed.push(...(await withIds({ store }, id, pieces, found.slice(0, left))));
  }
  if (pieces.length === 0) return 0;
  const errors = listed
    .filter(({ kind }) => isRefused(duplicateRule, kind))
    .map(({ row, fileRow, externalId, firstFileRow, kind }) => ({
      row,
      fileRow,
      externalId,
      message: tellDuplicate({ firstFileRow, kind }),
      field: duplicateField(kind, uniqueColumn),
    }));
  await saveDuplicates(sql, step, { count, refused, listed, errors });
  return refused;
};
