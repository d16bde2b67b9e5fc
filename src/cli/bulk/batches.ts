import type { Row } from './input/input.ts';

/** Rows that one bulk call makes. Batches are numbered from 0 in the order of the input. */
export interface Batch {
  readonly index: number;
  readonly rows: readonly Row[];
}

/** The most that a bulk call takes. */
const MAX_ROWS = 100;
/** Rows with large logos go in smaller batches, which bounds the memory. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

const sizeOf = ({ item }: Row): number => (item.ok ? item.value.length : 0);

/** Groups rows into batches. The same rows always give the same batches. */
export async function* toBatches(rows: AsyncIterable<Row>): AsyncGenerator<Batch> {
  let index = 0;
  let batch: Row[] = [];
  let characters = 0;
  for await (const row of rows) {
    const isFull = batch.length === MAX_ROWS || characters + sizeOf(row) > MAX_CHARACTERS;
    if (isFull && batch.length > 0) {
      yield { index, rows: batch };
      index += 1;
      batch = [];
      characters = 0;
    }
    batch.push(row);
    characters += sizeOf(row);
  }
  if (batch.length > 0) yield { index, rows: batch };
}
