/** The spans of the work on batches, in the trace of the call that sent the batch. */
import type { Piece } from '../../db/tables/batches/pieces.ts';
import type { Step } from '../../db/tables/batches/steps.ts';
import { restoreTraceContext } from '../../tracing/context.ts';
import { continueTrace, type Tracer } from '../../tracing/trace.ts';

/** The rows of a piece, for people: `501 to 1000`. */
export const rangeOf = ({ firstRow, rows }: Piece): string => `${firstRow} to ${firstRow + rows - 1}`;

/**
 * Rows of a batch whose pieces belong to the trace of its call. The others begin traces of their own, which name it.
 */
const TRACED_ROWS = 10_000;

/** Begins the span of a piece. `tracer` is `null` when none is recorded. */
export const traceOfPiece = (tracer: Tracer | null, piece: Piece) =>
  continueTrace(tracer, restoreTraceContext(piece.trace), {
    name: 'batch piece',
    kind: 'consumer',
    attributes: {
      'tessera.batch': piece.batchId,
      'tessera.rows': rangeOf(piece),
      'tessera.step': piece.state === 'unchecked' ? 'validate' : 'make',
    },
    isApart: piece.firstRow > TRACED_ROWS,
  });

/** Begins the span of a step. */
export const traceOfStep = (tracer: Tracer | null, step: Step) =>
  continueTrace(tracer, restoreTraceContext(step.trace), {
    name: 'batch step',
    kind: 'consumer',
    attributes: {
      'tessera.batch': step.id,
      'tessera.step': step.state === 'finishing' ? 'finish' : 'admit',
    },
  });
