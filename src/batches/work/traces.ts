/** Spans for batch work, in the trace of the call that sent the batch. */
import type { Piece } from '../../db/tables/batches/pieces.ts';
import type { Step } from '../../db/tables/batches/steps.ts';
import { restoreTraceContext } from '../../tracing/context.ts';
import { continueTrace, type Tracer } from '../../tracing/trace.ts';

/** The rows of a piece in human-readable form: `501 to 1000`. */
export const rangeOf = ({ firstRow, rows }: Piece): string => `${firstRow} to ${firstRow + rows - 1}`;

/**
 * The pieces of a batch's first rows, up to this many, belong to the trace of its call. Later ones start their own
 * traces, linked to it.
 */
const TRACED_ROWS = 10_000;

/** Begins the span of a piece. `tracer` is `null` when traces are not recorded. */
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
