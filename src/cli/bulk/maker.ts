import { createHash } from 'node:crypto';
import type { Ok } from '../../result.ts';
import type { Batch } from './batches.ts';
import type { Row } from './input/input.ts';
import type { RowResult } from './journal.ts';
import type { Pictures } from './pictures.ts';
import type { ItemResult, Sender } from './sender.ts';

/** What makes a batch: where it is sent, where its pictures go, and which run it belongs to. */
export interface MakerParts {
  readonly sender: Sender;
  readonly pictures: Pictures;
  readonly runId: string;
  readonly folderName: string;
}

/** What became of a batch. */
export interface Made {
  /** One for each row, in the order of the rows. */
  readonly rows: readonly RowResult[];
  /** Units left after the batch; `null` when nothing was sent. */
  readonly remaining: number | null;
}

/** How often rows that failed through a fault of the service are sent again. */
const RETRIES = 3;

/** Whether the service says that a retry may succeed. Such items give their unit back. */
const isPassing = (error: string): boolean => /\btry again\b/.test(error);

const isSendable = (row: Row): row is Row & { readonly item: Ok<string> } => row.item.ok;

/**
 * Makes a function that makes one batch. For the same rows it sends the same requests under the same Idempotency-Keys,
 * even after a kill at any point, so what was made before is not paid for again.
 */
export const createMaker = ({ sender, pictures, runId, folderName }: MakerParts) => {
  const bodyOf = (rows: readonly { readonly item: Ok<string> }[]): string =>
    `{"folderName":${JSON.stringify(folderName)},"items":[${rows.map(({ item }) => item.value).join(',')}]}`;

  const keyOf = (batch: Batch, body: string, attempt: number): string => {
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 32);
    return `tessera-bulk-${runId}-${batch.index}-${attempt}-${digest}`;
  };

  const toResult = async (
    { row, content, file }: Row,
    result: ItemResult,
    grade: number | null,
    warnings: string | undefined,
  ): Promise<RowResult> => {
    if (result.data === undefined)
      return { row, content, error: result.error ?? 'the answer has no picture' };
    const sha256 = await pictures.save(file, result.data);
    return {
      ...{ row, content, file, sha256 },
      ...(grade === null ? {} : { grade }),
      ...(warnings === undefined ? {} : { warnings }),
      ...(result.slug === undefined ? {} : { slug: result.slug }),
    };
  };

  return async (batch: Batch): Promise<Made> => {
    const results = new Map<number, RowResult>();
    const fail = ({ row, content }: Row, error: string) => results.set(row, { row, content, error });
    for (const row of batch.rows) if (!row.item.ok) fail(row, row.item.fault);

    let waiting = batch.rows.filter(isSendable);
    let attempt = 0;
    let remaining: number | null = null;
    while (waiting.length > 0) {
      const body = bodyOf(waiting);
      const sent = await sender.send(body, keyOf(batch, body, attempt));
      if (sent.kind === 'refused') {
        // The answer names one faulty item and nothing was charged: leave that item out and send the others.
        const refused = waiting[sent.index];
        if (refused === undefined) throw new Error(`the gateway refused an item that was not sent`);
        fail(refused, sent.error);
        waiting = waiting.filter((row) => row !== refused);
        continue;
      }
      remaining = sent.remaining;
      const made = await Promise.all(
        waiting.map((row, index) =>
          toResult(
            row,
            sent.results[index] ?? { success: false },
            sent.grades[index] ?? null,
            sent.warnings.get(index),
          ),
        ),
      );
      for (const result of made) results.set(result.row, result);
      attempt += 1;
      waiting = waiting.filter((_, index) => attempt <= RETRIES && isPassing(made[index]!.error ?? ''));
    }
    await pictures.flush();
    return { rows: batch.rows.map(({ row }) => results.get(row)!), remaining };
  };
};
