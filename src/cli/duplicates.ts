/** Finds rows of a file that repeat an earlier one, before anything is made of them. */
import { Option } from 'commander';
import { createDuplicateFinder } from '../duplicates/first-seen.ts';
import {
  DUPLICATE_RULES,
  type DuplicateRule,
  isRefused,
  type PlacedDuplicate,
  type RowKeys,
  tellDuplicate,
} from '../duplicates/rules.ts';
import { keysOfContent } from '../gs1/check.ts';
import { toUniqueValue, UNIQUE_MISSING } from '../gs1/columns.ts';
import { pluralise } from '../texts.ts';
import { commandError, formatCount } from './terminal.ts';

/** How many rows repeat an earlier one, and the first of them, for people to read. */
export interface FoundDuplicates {
  readonly count: number;
  readonly first: readonly TellableDuplicate[];
}

/** A duplicate, and the batch of the earlier row if it is not of the same file. */
export type TellableDuplicate = PlacedDuplicate & { readonly firstBatchId?: string };

/** Without any. */
export const NO_DUPLICATES: FoundDuplicates = { count: 0, first: [] };

/** Rows that are named. */
export const SHOWN_MAX = 20;

/** The option about rows that repeat an earlier one. */
export const duplicatesOption = (): Option =>
  new Option(
    '--duplicates <rule>',
    'rows that repeat an earlier one: refuse-keys refuses the same GS1 key of a single thing (and --unique) and reports the same content',
  )
    .choices(DUPLICATE_RULES)
    .default('refuse-keys' satisfies DuplicateRule);

/** Writes the rows for people: nothing without any. */
export const duplicatesToText = ({ count, first }: FoundDuplicates): readonly string[] => {
  if (count === 0) return [];
  const more = count - first.length;
  return [
    `${pluralise(count, 'row repeats', 'rows repeat')} an earlier row:`,
    ...first.map(
      (duplicate) => `  row ${duplicate.fileRow} ${tellDuplicate(duplicate, duplicate.firstBatchId)}`,
    ),
    ...(more > 0 ? [`  … and ${formatCount(more)} more`] : []),
  ];
};

/** Returns what tells the code of an item from others. A dynamic one encodes a short link of its own. */
export const keysOfItem = (item: {
  readonly data?: unknown;
  readonly dynamic?: unknown;
  readonly qrOptions?: { readonly gs1?: unknown };
}): RowKeys =>
  typeof item.data !== 'string' || item.dynamic === true
    ? {}
    : keysOfContent(item.data, item.qrOptions?.gs1 !== undefined);

/**
 * Returns the key of a row with a column whose values must be unique.
 *
 * @param unique The column; `null`: there is none.
 * @param written The row's text in it.
 * @throws {CliFault} when the row has no value in it.
 */
export const keyOfUnique = (unique: string | null, written: unknown, fileRow: number): RowKeys => {
  if (unique === null) return {};
  const value = toUniqueValue(unique, written);
  if (value === null) throw commandError(`row ${fileRow} of the file: ${unique} ${UNIQUE_MISSING}`);
  return { value };
};

/** Makes a check of the rows of a file. */
export const createDuplicateCheck = (rule: DuplicateRule) => {
  const find = createDuplicateFinder();
  const first: PlacedDuplicate[] = [];
  const refused: PlacedDuplicate[] = [];
  let [count, refusedCount] = [0, 0];
  return {
    /** Takes the next row. */
    add({ fileRow }: { readonly fileRow: number }, keys: RowKeys): void {
      const found = find(fileRow, keys);
      if (found === null) return;
      count += 1;
      if (first.length < SHOWN_MAX) first.push(found);
      if (!isRefused(rule, found.kind)) return;
      refusedCount += 1;
      if (refused.length < SHOWN_MAX) refused.push(found);
    },
    /** Returns what is reported. @throws {CliFault} when rows are refused. */
    end(): FoundDuplicates {
      if (refusedCount > 0) {
        const lines = duplicatesToText({ count: refusedCount, first: refused });
        throw commandError(`${lines.join('\n')}\nnothing was made; --duplicates report allows them`);
      }
      return { count, first };
    },
  };
};
