import { askRaw } from '../../api/client.ts';

/** What is wrong with a row of a batch. */
export interface RowError {
  /** From 1. */
  readonly row: number;
  /** The caller's own name of the row. */
  readonly id: string | null;
  readonly field: string;
  readonly message: string;
}

/** Returns the first errors of a batch, at most `max`. The rest of the answer is not read. @throws {Fault} */
export const readErrors = async (
  batchId: string,
  max: number,
  signal: AbortSignal,
): Promise<readonly RowError[]> => {
  const { body } = await askRaw(`api/v1/batches/${batchId}/errors`, { signal });
  if (body === null) return [];
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const errors: RowError[] = [];
  let text = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    const lines = (text + value).split('\n');
    text = lines.pop() ?? '';
    errors.push(...lines.map((line) => JSON.parse(line) as RowError));
    if (done || errors.length >= max) break;
  }
  await reader.cancel();
  return errors.slice(0, max);
};
