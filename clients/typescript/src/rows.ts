/** Writes rows as NDJSON. */
import type { RawBody } from './request.ts';

/** Rows in memory, or as they come. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** Up to this number, rows are sent as one text. */
const TEXT_ROWS_MAX = 1000;

const lineOf = (row: object): string => `${JSON.stringify(row)}\n`;

const streamOf = (rows: Rows<object>): ReadableStream<Uint8Array> => {
  const source = (async function* () {
    yield* rows;
  })();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const next = await source.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(lineOf(next.value)));
    },
    cancel: () => void source.return(undefined),
  });
};

/**
 * Returns rows as NDJSON. Those of an array or a set can be sent again; those of a generator cannot, so a call with them
 * is not retried.
 */
export const ndjsonOf = (rows: Rows<object>): RawBody => {
  if (Array.isArray(rows) && rows.length <= TEXT_ROWS_MAX) return rows.map(lineOf).join('');
  const isOnce = !(Symbol.iterator in rows) || rows[Symbol.iterator]() === (rows as unknown);
  return isOnce ? streamOf(rows) : () => streamOf(rows);
};
