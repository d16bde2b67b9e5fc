/** The numbers of rows: a batch's first row gets the first number of a block, and each further row the next one. */
import { WIDTH_MAX } from '../../csv/template.ts';
import type { ContentPlan, Counters } from './content.ts';

/** The counters of a batch. */
export interface Numbering {
  readonly counters: Counters;
  /** By counter; until the batch is queued, provisional: they assume that nobody else takes any. */
  readonly firstNumbers: Readonly<Record<string, number>>;
  /** Rows of the batch. */
  readonly batchRows: number;
}

const lastOf = (first: number, rows: number): number => first + rows - 1;

/** Returns the number of a row of a queued batch. */
export const numberOfRow = ({ firstNumbers }: Numbering, counter: string, row: number): number =>
  lastOf(firstNumbers[counter]!, row);

/** Returns the longest number of a batch. Rows are validated with it, because their own numbers are not known yet. */
export const longestNumber = ({ firstNumbers, batchRows }: Numbering, counter: string): number =>
  lastOf(firstNumbers[counter]!, batchRows);

/** Says which number would not fit its placeholder; `null`: all fit. */
export const findOverflow = ({ template, columns }: ContentPlan, numbering: Numbering): string | null => {
  for (const { parts } of [...(template === null ? [] : [template]), ...columns.values()]) {
    for (const part of parts) {
      if (typeof part === 'string' || !Object.hasOwn(numbering.counters, part.name)) continue;
      const counter = numbering.counters[part.name]!;
      const last = String(longestNumber(numbering, counter));
      if (last.length > (part.width ?? WIDTH_MAX))
        return `The counter "${counter}" would reach ${last}, which {${part.name}${part.width === null ? '' : `:0${part.width}`}} has no room for.`;
    }
  }
  return null;
};

/** Whether numbers without a fixed width are longer than those that the rows were validated with. */
export const areLonger = (
  { template, columns }: ContentPlan,
  validated: Numbering,
  given: Numbering,
): boolean =>
  [...(template === null ? [] : [template]), ...columns.values()].some(({ parts }) =>
    parts.some((part) => {
      if (typeof part === 'string' || part.width !== null || !Object.hasOwn(given.counters, part.name))
        return false;
      const counter = given.counters[part.name]!;
      const [now, before] = [given, validated].map((each) => String(longestNumber(each, counter)).length);
      return now! > before!;
    }),
  );

/** Returns a number of the same length with a different last digit, for which GS1 data must be valid too. */
export const siblingOf = (number: number): number => number - (number % 10) + ((number + 1) % 10);
