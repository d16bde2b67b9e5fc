/** The numbers of rows: a batch's first row gets the first number of a block, and each further row the next one. */
import { type Template, WIDTH_MAX } from '../../csv/template.ts';
import type { Piece } from '../../db/tables/batches/pieces.ts';
import type { Numbers, Step } from '../../db/tables/batches/steps.ts';
import type { ContentPlan } from './content.ts';
import { readOptions } from './options.ts';
import type { NumberOf } from './row.ts';
import type { Counters } from './texts.ts';

/** The counters of a batch. */
interface Numbering {
  readonly counters: Counters;
  /** By counter; until the batch is queued, provisional: they assume that nobody else takes any. */
  readonly firstNumbers: Readonly<Record<string, number>>;
  /** Rows of the batch. */
  readonly batchRows: number;
}

/** Returns the parts of all templates and of the caption. */
const partsOf = ({ template, columns, caption }: ContentPlan): Template['parts'] =>
  [template, caption, ...columns.values()].flatMap((each) => each?.parts ?? []);

const lastOf = (first: number, rows: number): number => first + rows - 1;

/** Returns the number of a row of a queued batch. */
const numberOfRow = ({ firstNumbers }: Numbering, counter: string, row: number): number =>
  lastOf(firstNumbers[counter]!, row);

/** Returns the longest number of a batch. Rows are validated with it, because their own numbers are not known yet. */
const longestNumber = ({ firstNumbers, batchRows }: Numbering, counter: string): number =>
  lastOf(firstNumbers[counter]!, batchRows);

/** Says which number would not fit its placeholder; `null`: all fit. */
const findOverflow = (plan: ContentPlan, numbering: Numbering): string | null => {
  for (const part of partsOf(plan)) {
    if (typeof part === 'string' || !Object.hasOwn(numbering.counters, part.name)) continue;
    const counter = numbering.counters[part.name]!;
    const last = String(longestNumber(numbering, counter));
    if (last.length > (part.width ?? WIDTH_MAX))
      return `The counter "${counter}" would reach ${last}, which does not fit into {${part.name}${part.width === null ? '' : `:0${part.width}`}}.`;
  }
  return null;
};

/** Whether numbers without a fixed width are longer than those that the rows were validated with. */
const areLonger = (plan: ContentPlan, validated: Numbering, given: Numbering): boolean =>
  partsOf(plan).some((part) => {
    if (typeof part === 'string' || part.width !== null || !Object.hasOwn(given.counters, part.name))
      return false;
    const counter = given.counters[part.name]!;
    const [now, before] = [given, validated].map((each) => String(longestNumber(each, counter)).length);
    return now! > before!;
  });

/** Returns a number of the same length with a different last digit, for which GS1 data must be valid too. */
const siblingOf = (number: number): number => number - (number % 10) + ((number + 1) % 10);

/** Returns the numbering for making a piece. */
export const numbersOfPiece =
  (piece: Piece): NumberOf =>
  (counter, row) =>
    numberOfRow(piece, counter, row);

/**
 * Returns two numberings for validating a piece: the longest number that the batch may have, and a different one of
 * the same length.
 */
export const trialNumbersOf = (piece: Piece): readonly [NumberOf, NumberOf] => [
  (counter) => longestNumber(piece, counter),
  (counter) => siblingOf(longestNumber(piece, counter)),
];

/** Says which number of a piece to be validated would not fit its placeholder; `null`: all fit. */
export const findPieceOverflow = (piece: Piece): string | null =>
  findOverflow(readOptions(piece.design).plan, piece);

/** Decides whether a batch accepts the numbers that its counters offer now. */
export const judgeNumbers = (step: Step, firstNumbers: Step['firstNumbers']): Numbers => {
  const { plan } = readOptions(step.design);
  const validated = { ...step, batchRows: step.rows };
  const given = { ...validated, firstNumbers };
  const why = findOverflow(plan, given);
  if (why !== null) return { outcome: 'refused', why };
  return { outcome: areLonger(plan, validated, given) ? 'longer' : 'taken' };
};
