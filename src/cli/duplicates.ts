/** Finds rows of a file that repeat an earlier one, before anything is made of them. */
import { Option } from 'commander';
import { createFirstSeen, hashText } from '../duplicates/first-seen.ts';
import {
  DUPLICATE_KINDS,
  DUPLICATE_RULES,
  type Duplicate,
  type DuplicateKind,
  type DuplicateRule,
  isRefused,
  type RowKeys,
  tellDuplicate,
} from '../duplicates/rules.ts';
import { keysOfContent } from '../gs1/check.ts';
import { pluralise } from '../pluralise.ts';
import { commandError } from './fault.ts';
import { formatCount } from './terminal.ts';

/** How many rows repeat an earlier one, and the first of them, for people to read. */
export interface FoundDuplicates {
  readonly count: number;
  readonly first: readonly Duplicate[];
}

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
    ...first.map((duplicate) => `  row ${duplicate.row} ${tellDuplicate(duplicate)}`),
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

/** Makes a check of the rows of a file. It takes some 25 MB of memory for a million rows. */
export const createDuplicateCheck = (rule: DuplicateRule) => {
  const seen = Object.fromEntries(DUPLICATE_KINDS.map((kind) => [kind, createFirstSeen()])) as Readonly<
    Record<DuplicateKind, ReturnType<typeof createFirstSeen>>
  >;
  const first: Duplicate[] = [];
  const refused: Duplicate[] = [];
  let [count, refusedCount] = [0, 0];
  return {
    /** Takes the next row. */
    add(row: number, keys: RowKeys): void {
      let found: Duplicate | null = null;
      for (const kind of DUPLICATE_KINDS) {
        const key = keys[kind];
        const firstRow = key === undefined ? null : seen[kind].look(hashText(key), row);
        if (firstRow !== null) found ??= { row, firstRow, kind };
      }
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
