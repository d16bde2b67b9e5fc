/** The rows of batches as NDJSON, in chunks. */
import { contentOf } from '../load/aim.ts';

const ROWS_A_CHUNK = 500;

/** What the rows of a body are. */
export interface RowsOptions {
  /** Makes contents unique to this body. */
  readonly run: string;
  readonly rows: number;
  /** Length of each destination; absent: 60 characters, as the other benchmarks have. */
  readonly characters?: number;
}

/** Yields rows of plain dynamic codes. */
export async function* ndjsonRows({ run, rows, characters = 0 }: RowsOptions): AsyncGenerator<Buffer> {
  for (let first = 0; first < rows; first += ROWS_A_CHUNK) {
    let text = '';
    for (let row = first; row < Math.min(rows, first + ROWS_A_CHUNK); row += 1)
      text += `{"data":"${contentOf(run, row).padEnd(characters, '-')}","dynamic":true}\n`;
    yield Buffer.from(text);
  }
}
