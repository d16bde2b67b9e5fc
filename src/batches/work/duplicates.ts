/** Finds the rows of a validated batch that repeat an earlier one, before any unit is held. */
import {
  DUPLICATES_MAX,
  eachKeyedPiece,
  type KeyedPiece,
  type ListedDuplicate,
  saveDuplicates,
} from '../../db/tables/batches/duplicates.ts';
import type { Step } from '../../db/tables/batches/steps.ts';
import { createFirstSeen } from '../../duplicates/first-seen.ts';
import {
  DUPLICATE_KINDS,
  type Duplicate,
  type DuplicateKind,
  isRefused,
  tellDuplicate,
} from '../../duplicates/rules.ts';
import { idOfStored } from '../rows/row.ts';
import { inputKey, readStored } from '../rows/stored.ts';
import { hashAt } from './keys.ts';
import type { WorkParts } from './parts.ts';

type Seen = Readonly<Record<DuplicateKind, ReturnType<typeof createFirstSeen>>>;

/** Returns the rows of a piece that repeat a row of it or of an earlier piece. */
const findIn = ({ firstRow, rows, hashes }: KeyedPiece, seen: Seen): readonly Duplicate[] => {
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

/** Adds the callers' own ids of rows. */
const withIds = async (
  { store }: Pick<WorkParts, 'store'>,
  batchId: string,
  { firstRow, input, startByte, endByte }: KeyedPiece,
  duplicates: readonly Duplicate[],
): Promise<readonly ListedDuplicate[]> => {
  if (duplicates.length === 0) return [];
  const stored = await readStored(store, inputKey(batchId, input), { start: startByte, end: endByte });
  return duplicates.map((duplicate) => ({
    ...duplicate,
    externalId: idOfStored(stored[duplicate.row - firstRow]!.text),
  }));
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
  const seen = Object.fromEntries(DUPLICATE_KINDS.map((kind) => [kind, createFirstSeen()])) as Seen;
  const listed: ListedDuplicate[] = [];
  let [pieces, count, refused] = [0, 0, 0];
  for await (const piece of eachKeyedPiece(sql, id)) {
    pieces += 1;
    const found = findIn(piece, seen);
    count += found.length;
    refused += found.filter(({ kind }) => isRefused(duplicateRule, kind)).length;
    const left = DUPLICATES_MAX - listed.length;
    listed.push(...(await withIds({ store }, id, piece, found.slice(0, left))));
  }
  if (pieces === 0) return 0;
  const errors = listed
    .filter(({ kind }) => isRefused(duplicateRule, kind))
    .map(({ row, externalId, firstRow, kind }) => ({
      ...{ row, externalId, message: tellDuplicate({ firstRow, kind }) },
      field: kind === 'value' ? (uniqueColumn ?? 'row') : 'data',
    }));
  await saveDuplicates(sql, step, { count, refused, listed, errors });
  return refused;
};
