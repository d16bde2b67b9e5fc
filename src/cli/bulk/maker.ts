import { createHash } from 'node:crypto';
import type { Ok } from '../../result.ts';
import { withOptionNames } from '../wording.ts';
import type { Call } from './calls.ts';
import type { FileMaker, RowAnswer } from './files/file-maker.ts';
import type { Row } from './input/input.ts';
import type { RowResult } from './journal.ts';
import type { ItemResult, Sender } from './sender.ts';
import type { Store } from './store.ts';

/** What makes a call: where it is sent, what makes its files, where they go, and which run it belongs to. */
export interface MakerParts {
  readonly sender: Sender;
  readonly files: FileMaker;
  readonly store: Pick<Store, 'flush'>;
  readonly runId: string;
  readonly folderName: string;
}

/** What became of a call. */
export interface Made {
  /** One for each row, in the order of the rows. */
  readonly rows: readonly RowResult[];
  /** Units left after the call; `null` when nothing was sent. */
  readonly remaining: number | null;
}

/** How often rows that failed through a fault of the service are sent again. */
const RETRIES = 3;

/** Whether the service says that a retry may succeed. Such items give their unit back. */
const isPassing = (error: string): boolean => /\btry again\b/.test(error);

type Sendable = Row & { readonly item: Ok<string> };

const isSendable = (row: Row): row is Sendable => row.item.ok;

/**
 * Makes a function that makes one call. For the same rows it sends the same requests under the same Idempotency-Keys,
 * even after a kill at any point, so what was made before is not paid for again.
 */
export const createMaker = ({ sender, files, store, runId, folderName }: MakerParts) => {
  const bodyOf = (rows: readonly Sendable[]): string =>
    `{"folderName":${JSON.stringify(folderName)},"items":[${rows.map(({ item }) => item.value).join(',')}]}`;

  const keyOf = (call: Call, body: string, attempt: number): string => {
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 32);
    return `tessera-bulk-${runId}-${call.index}-${attempt}-${digest}`;
  };

  const toResult = async (
    row: Sendable,
    answer: ItemResult,
    graded: Pick<RowAnswer, 'grade' | 'warnings'>,
  ): Promise<RowResult> => {
    const { row: number, content } = row;
    const { data, slug, error = 'the answer has no picture' } = answer;
    if (data === undefined) return { row: number, content, error: withOptionNames(error) };
    const made = await files.make({ ...row, item: row.item.value }, { ...answer, data, ...graded });
    return {
      ...{ row: number, content },
      ...(made.ok ? made.value : { error: made.fault }),
      ...(slug === undefined ? {} : { slug }),
    };
  };

  return async (call: Call): Promise<Made> => {
    const results = new Map<number, RowResult>();
    const fail = ({ row, content }: Row, error: string) => results.set(row, { row, content, error });
    for (const row of call.rows) {
      const fault = row.item.ok ? files.faultOf(row.item.value) : row.item.fault;
      if (fault !== null) fail(row, fault);
    }

    let waiting = call.rows.filter(isSendable).filter(({ row }) => !results.has(row));
    let attempt = 0;
    let remaining: number | null = null;
    while (waiting.length > 0) {
      const body = bodyOf(waiting);
      const sent = await sender.send(body, keyOf(call, body, attempt));
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
          toResult(row, sent.results[index] ?? { success: false }, {
            grade: sent.grades[index] ?? null,
            warnings: sent.warnings.get(index) ?? '',
          }),
        ),
      );
      for (const result of made) results.set(result.row, result);
      attempt += 1;
      waiting = waiting.filter(
        (_, index) => attempt <= RETRIES && isPassing(sent.results[index]?.error ?? ''),
      );
    }
    await store.flush();
    return { rows: call.rows.map(({ row }) => results.get(row)!), remaining };
  };
};
