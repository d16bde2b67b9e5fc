/** A client of batches: it sends, watches, cancels and downloads them. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';

/** The fields of a batch that benchmarks read. */
export interface ShownBatch {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly rows: number;
  readonly made: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** A part in the list of a batch's parts. */
interface ListedPart {
  readonly n: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Sends and watches the batches of one account. */
export type BatchClient = ReturnType<typeof createBatchClient>;

const LOOK_EVERY_MS = 500;

/** Creates the client of the account that has the key. */
export const createBatchClient = (url: string, key: string) => {
  const call = (
    path: string,
    { method = 'GET', ...options }: Partial<Pick<Dispatcher.RequestOptions, 'method' | 'body'>> = {},
  ) =>
    request(`${url}/api/v1/batches${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(options.body === undefined ? {} : { 'content-type': 'application/x-ndjson' }),
      },
      headersTimeout: 0,
      bodyTimeout: 0,
      ...options,
    });

  const read = async <T>(answering: ReturnType<typeof call>): Promise<T> => {
    const { statusCode, body } = await answering;
    const text = await body.text();
    if (statusCode >= 300) throw new Error(`a call of batches is answered with ${statusCode}: ${text}`);
    return JSON.parse(text) as T;
  };

  const show = (id: string): Promise<ShownBatch> => read(call(`/${id}`));

  const parts = async (id: string): Promise<readonly ListedPart[]> =>
    (await read<{ data: ListedPart[] }>(call(`/${id}/parts`))).data;

  return {
    show,
    parts,

    /** Sends rows and returns their batch once it is received. */
    send: (rows: AsyncIterable<Buffer>): Promise<ShownBatch> =>
      read(call('?folder=bench', { method: 'POST', body: Readable.from(rows, { objectMode: false }) })),

    cancel: (id: string): Promise<ShownBatch> => read(call(`/${id}/cancel`, { method: 'POST' })),

    /** Waits until a batch has ended. @throws When it has ended otherwise than as `done`. */
    async done(id: string, onLook: (batch: ShownBatch) => void = () => {}): Promise<ShownBatch> {
      for (;;) {
        const batch = await show(id);
        onLook(batch);
        if (batch.state === 'done') return batch;
        if (batch.finished_at !== null) throw new Error(`a batch ended as ${batch.state}: ${batch.reason}`);
        await sleep(LOOK_EVERY_MS);
      }
    },

    /** Waits until some rows of a batch are made. */
    async begun(id: string): Promise<ShownBatch> {
      for (;;) {
        const batch = await show(id);
        if (batch.made > 0 || batch.finished_at !== null) return batch;
        await sleep(LOOK_EVERY_MS / 5);
      }
    },

    /** Downloads all parts that are made. Returns their bytes. @throws When one is not what the list says. */
    async download(id: string): Promise<number> {
      let bytes = 0;
      for (const { n, sha256 } of await parts(id)) {
        const hash = createHash('sha256');
        const { body } = await call(`/${id}/parts/${n}`);
        for await (const chunk of body) {
          hash.update(chunk);
          bytes += chunk.length;
        }
        if (hash.digest('hex') !== sha256) throw new Error(`part ${n} of a batch is not what its list says`);
      }
      return bytes;
    },
  };
};
