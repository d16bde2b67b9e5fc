/** Bulk calls: which rows go into each, and how it is made. */
import type { Ok } from '../../result.ts';
import { withOptionNames } from '../api.ts';
import { hashOf } from '../hash.ts';
import type { FileMaker } from './files/file-maker.ts';
import type { Row } from './input/input.ts';
import type { RowResult } from './journal.ts';
import type { ItemResult, Sender } from './sender.ts';
import type { Store } from './store.ts';

/** Rows that one bulk call makes. Calls are numbered from 0 in the order of the input. */
export interface Call {
  readonly index: number;
  readonly rows: readonly Row[];
}

/** The most that a bulk call takes. */
const MAX_ROWS = 100;
/** Rows with large logos go in smaller calls, which bounds the memory. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** How often rows that failed through a fault of the service are sent again. */
const RETRIES = 3;

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

/** What makes a call: where it is sent, what makes its files, where they go, and which run it belongs to. */
export interface MakerParts {
  readonly sender: Sender;
  readonly files: FileMaker;
  readonly store: Pick<Store, 'flush'>;
  readonly runId: string;
  readonly folderName: string;
}

type Sendable = Row & { readonly item: Ok<string> };

const isSendable = (row: Row): row is Sendable => row.item.ok;

/** Whether the service says that a retry may succeed. Such items are refunded. */
const isPassing = ({ error = '' }: ItemResult): boolean => /\btry again\b/.test(error);

const NO_ANSWER: ItemResult = { grade: null, warnings: '' };

const saveFiles = async (files: FileMaker, row: Sendable, answer: ItemResult): Promise<RowResult> => {
  const { row: number, fileRow, content } = row;
  const { data, slug, error = 'the answer has no picture' } = answer;
  if (data === undefined) return { row: number, fileRow, content, error: withOptionNames(error) };
  const made = await files.make(row, row.item.value, { ...answer, data });
  return {
    ...{ row: number, fileRow, content },
    ...(made.ok ? made.value : { error: made.fault }),
    ...(slug === undefined ? {} : { slug }),
  };
};

/**
 * Creates a function that makes one call. For the same rows it sends the same requests under the same Idempotency-Keys,
 * even after the process was killed, so nothing is paid for twice. It returns the result of each row, in order, and the
 * units that are left.
 */
export const createMaker =
  ({ sender, files, store, runId, folderName }: MakerParts) =>
  async ({ index, rows }: Call) => {
    const results = new Map<number, RowResult>();
    const fail = ({ row, fileRow, content }: Row, error: string) =>
      results.set(row, { row, fileRow, content, error });
    for (const row of rows) {
      const fault = row.item.ok ? files.faultOf(row.item.value) : row.item.fault;
      if (fault !== null) fail(row, fault);
    }

    let waiting = rows.filter(isSendable).filter(({ row }) => !results.has(row));
    let attempt = 0;
    /** Units left after the call; `null` when nothing was sent. */
    let remaining: number | null = null;
    while (waiting.length > 0) {
      const items = waiting.map(({ item }) => item.value).join(',');
      const body = `{"folderName":${JSON.stringify(folderName)},"items":[${items}]}`;
      const key = `tessera-bulk-${runId}-${index}-${attempt}-${hashOf(body).slice(0, 32)}`;
      const sent = await sender.send(body, key);
      if (sent.kind === 'refused') {
        // The answer names one faulty item and nothing was charged: leave that item out and send the others.
        const [refused] = waiting.splice(sent.index, 1);
        if (refused === undefined) throw new Error(`the gateway refused an item that was not sent`);
        fail(refused, sent.error);
        continue;
      }
      remaining = sent.remaining;
      const answers = waiting.map((_, at) => sent.results[at] ?? NO_ANSWER);
      const saving = waiting.map((row, at) => saveFiles(files, row, answers[at]!));
      for (const result of await Promise.all(saving)) results.set(result.row, result);
      attempt += 1;
      waiting = attempt <= RETRIES ? waiting.filter((_, at) => isPassing(answers[at]!)) : [];
    }
    await store.flush();
    return { rows: rows.map(({ row }) => results.get(row)!), remaining };
  };
