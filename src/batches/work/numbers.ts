/** The numbers of batches, from what is stored in the tables. */
import type { Piece } from '../../db/tables/batches/pieces.ts';
import type { Numbers, Step } from '../../db/tables/batches/steps.ts';
import { areLonger, findOverflow, longestNumber, numberOfRow, siblingOf } from '../rows/numbers.ts';
import { readOptions } from '../rows/options.ts';
import type { NumberOf } from '../rows/row.ts';

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
