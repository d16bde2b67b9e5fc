/** An object store in a bucket of S3, or of an S3-compatible server. */
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { within } from '../execution/time-limits.ts';
import {
  ATTEMPTS,
  type Bucket,
  connect,
  createDeletion,
  type Patience,
  REQUESTS_MAX,
  toFault,
} from './s3-client.ts';
import {
  type ByteRange,
  checkKey,
  MARK_KEY,
  MARK_MAX_CHARACTERS,
  type ObjectStore,
  StoreFault,
} from './store.ts';

/** A store with a health check. */
export interface S3Store extends ObjectStore {
  /** @throws {StoreFault} When the bucket cannot be listed. */
  check(): Promise<void>;
}

/** Bytes read per request, so that a slow reader holds no connection. */
const CHUNK_BYTES = 1024 * 1024;
/** A request may take `requestMs`, plus the time for its bytes at 64 kB/s. */
const BYTES_PER_MS = 64;
const PATIENCE: Patience = { idleMs: 10_000, requestMs: 30_000 };

/** Treats a missing object as `null`. */
const orNoKey = (error: Error): null => {
  if (error.name === 'NoSuchKey') return null;
  throw error;
};

/** Treats an already existing object as stored. */
const orMarked = (error: Error): 'no conditions' | null => {
  if (error.name === 'NotImplemented') return 'no conditions';
  if (['PreconditionFailed', 'ConditionalRequestConflict'].includes(error.name)) return null;
  throw error;
};

/** Creates a store in an existing bucket. The AWS SDK finds the credentials in its usual places. */
export const createS3Store = (place: Bucket, patience = PATIENCE): S3Store => {
  const { bucket: Bucket, prefix } = place;
  const client = connect(place, patience);
  const limit = pLimit(REQUESTS_MAX);
  const pathOf = (key: string): string => {
    checkKey(key);
    return prefix === '' ? key : `${prefix}/${key}`;
  };

  /** Queues and runs a request, and aborts it on timeout. */
  const request = <T>(bytes: number, send: (abortSignal: AbortSignal) => Promise<T>): Promise<T> =>
    limit(async () => {
      const timeoutMs = patience.requestMs + bytes / BYTES_PER_MS;
      const ending = new AbortController();
      try {
        const isLate = () => new StoreFault(`S3 has not answered within ${Math.round(timeoutMs)} ms`);
        return await within(send(ending.signal), timeoutMs, isLate);
      } catch (error) {
        throw toFault(error);
      } finally {
        ending.abort();
      }
    });

  const getOnce = async (Key: string, { start, end }: ByteRange, abortSignal: AbortSignal) => {
    const command = new GetObjectCommand({ Bucket, Key, Range: `bytes=${start}-${end - 1}` });
    const { Body } = await client.send(command, { abortSignal });
    if (Body === undefined) throw new StoreFault('S3 has sent an object without a body');
    return Body;
  };

  /** The SDK retries requests, but not those whose response is cut off. */
  const get = async (Key: string, range: ByteRange, abortSignal: AbortSignal): Promise<Buffer> => {
    for (let tries = 1; ; tries += 1) {
      const body = await getOnce(Key, range, abortSignal);
      try {
        const { buffer, byteOffset, byteLength } = await body.transformToByteArray();
        return Buffer.from(buffer, byteOffset, byteLength);
      } catch (error) {
        if (tries === ATTEMPTS || abortSignal.aborted) throw error;
      }
    }
  };

  async function* read(Key: string, { start, end }: ByteRange): AsyncGenerator<Buffer, void> {
    for (let at = start; at < end; ) {
      const range = { start: at, end: Math.min(end, at + CHUNK_BYTES) };
      const bytes = range.end - range.start;
      const chunk = await request(bytes, (signal) => get(Key, range, signal));
      if (chunk.length !== bytes) throw new StoreFault('a stored object is shorter than it was');
      yield chunk;
      at = range.end;
    }
  }

  const list = (Prefix: string, MaxKeys: number, ContinuationToken?: string) =>
    request(0, (abortSignal) =>
      client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys, ContinuationToken }), { abortSignal }),
    );

  const remove = async (keys: readonly string[]): Promise<void> => {
    const { Errors: [fault] = [] } = await request(0, (abortSignal) =>
      client.send(createDeletion(Bucket, keys), { abortSignal }),
    );
    if (fault !== undefined) throw new StoreFault(`S3 has not removed ${fault.Key}: ${fault.Message}`);
  };

  return {
    async put(key, bytes) {
      const command = new PutObjectCommand({ Bucket, Key: pathOf(key), Body: bytes });
      await request(bytes.byteLength, (abortSignal) => client.send(command, { abortSignal }));
    },
    read: (key, range) => read(pathOf(key), range),
    async removeAll(folder) {
      const below = `${pathOf(folder)}/`;
      let next: string | undefined;
      do {
        const { Contents = [], NextContinuationToken } = await list(below, 1000, next);
        const keys = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
        if (keys.length > 0) await remove(keys);
        next = NextContinuationToken;
      } while (next !== undefined);
    },
    async readMark() {
      const command = new GetObjectCommand({ Bucket, Key: pathOf(MARK_KEY) });
      const text = await request(MARK_MAX_CHARACTERS, async (abortSignal) => {
        const found = await client.send(command, { abortSignal }).catch(orNoKey);
        return found?.Body?.transformToString();
      });
      return text?.slice(0, MARK_MAX_CHARACTERS).trim() || null;
    },
    async writeMark(mark) {
      const object = { Bucket, Key: pathOf(MARK_KEY), Body: `${mark}\n` };
      const send = (more: { readonly IfNoneMatch?: string }) =>
        request(0, (abortSignal) =>
          client.send(new PutObjectCommand({ ...object, ...more }), { abortSignal }).catch(orMarked),
        );
      // Some vendors' servers do not support conditional requests.
      if ((await send({ IfNoneMatch: '*' })) === 'no conditions') await send({});
    },
    async check() {
      await list(prefix === '' ? '' : `${prefix}/`, 1);
    },
  };
};
