import type { Row } from './input/input.ts';

/** Rows that one bulk call makes. Calls are numbered from 0 in the order of the input. */
export interface Call {
  readonly index: number;
  readonly rows: readonly Row[];
}

/** The most that a bulk call takes. */
const MAX_ROWS = 100;
/** Rows with large logos go in smaller calls, which bounds the memory. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

const sizeOf = ({ item }: Row): number => (item.ok ? item.value.length : 0);

/** Groups rows into calls. The same rows always give the same calls. */
export async function* toCalls(rows: AsyncIterable<Row>): AsyncGenerator<Call> {
  let index = 0;
  let call: Row[] = [];
  let characters = 0;
  for await (const row of rows) {
    const isFull = call.length === MAX_ROWS || characters + sizeOf(row) > MAX_CHARACTERS;
    if (isFull && call.length > 0) {
      yield { index, rows: call };
      index += 1;
      call = [];
      characters = 0;
    }
    call.push(row);
    characters += sizeOf(row);
  }
  if (call.length > 0) yield { index, rows: call };
}
