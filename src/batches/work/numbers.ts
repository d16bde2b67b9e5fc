/** The numbers of batches as they stand in the tables. */
import type { Piece } from '../../db/tables/batches/pieces.ts';
import type { Step } from '../../db/tables/batches/steps.ts';
import { planContent } from '../rows/content.ts';
import { findOverflow, longestNumber, numberOfRow } from '../rows/numbers.ts';
import type { BatchOptions } from '../rows/schema.ts';

const planOf = (design: object) => {
  const plan = planContent(design as BatchOptions);
  if (!plan.ok) throw new Error('the stored design of a batch is damaged');
  return plan.value;
};

/** Returns what numbers the rows of a piece: their own numbers, or before the batch is queued the longest that it may have. */
export const numbersOfPiece =
  (piece: Piece) =>
  (counter: string, row: number): number =>
    piece.state === 'unchecked' ? longestNumber(piece, counter) : numberOfRow(piece, counter, row);

/** Says which number of a piece that is to be validated would not fit its place; `null`: all fit. */
export const findPieceOverflow = (piece: Piece): string | null => findOverflow(planOf(piece.design), piece);

/** Says which number of a batch would not fit its place if it got these; `null`: all fit. */
export const findStepOverflow = (step: Step, firstNumbers: Step['firstNumbers']): string | null =>
  findOverflow(planOf(step.design), { ...step, batchRows: step.rows }, firstNumbers);
