/** Objects in a bucket: the connection, its errors, a delete command that other vendors' servers accept too. */
import { createHash } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { within } from '../execution/time-limits.ts';
import {
  type ByteRange,
  checkKey,
  MARK_KEY,
  MARK_MAX_CHARACTERS,
  type ObjectStore,
  StoreFault,
} from './store.ts';

/** Where objects are stored. */
export interface Bucket {
  readonly bucket: string;
  /** Segments before every key, without a slash at either end; '': none. */
  readonly prefix: string;
  /** Address of the server; `null`: AWS in the region. Other servers are addressed path-style. */
  readonly endpoint: string | null;
  /** `null`: what the AWS SDK finds in its own configuration. */
  readonly region: string | null;
}

/** Maximum concurrent requests; the rest wait in FIFO order. Each holds an object or a chunk in memory. */
export const REQUESTS_MAX = 16;
/** Attempts per request, with increasing backoff. */
export const ATTEMPTS = 3;
const CONNECT_MS = 3000;

/** How long to wait for a silent server. */
export interface Patience {
  /** A connection idle for this long is dropped, and its request is retried. */
  readonly idleMs: number;
  /** Time limit of a request including all its attempts. */
  readonly requestMs: number;
}

/** Accepted by custom servers when no region is set. */
const ANY_REGION = 'us-east-1';

/** Copies only codes and messages of S3 errors, because the error objects contain parts of the signed request. */
export const toFault = (error: unknown): StoreFault => {
  if (error instanceof StoreFault) return error;
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  return new StoreFault(`S3: ${name}: ${message}${status === undefined ? '' : ` (HTTP ${status})`}`);
};

/** Creates the client, which connects on its first request. */
export const connect = ({ endpoint, region }: Bucket, { idleMs }: Patience): S3Client => {
  const agent = { keepAlive: true, maxSockets: REQUESTS_MAX };
  const wantedRegion = region ?? (endpoint === null ? null : ANY_REGION);
  return new S3Client({
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(wantedRegion === null ? {} : { region: wantedRegion }),
    maxAttempts: ATTEMPTS,
    // Other vendors' servers refuse unsolicited checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: idleMs,
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent(agent),
    },
  });
};

/** Deletes up to 1,000 objects. Other vendors' servers require an MD5 of the list, which the SDK no longer sends. */
export const createDeletion = (Bucket: string, keys: readonly string[]): DeleteObjectsCommand => {
  const command = new DeleteObjectsCommand({
    Bucket,
    Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
  });
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers, body } = args.request as { headers: Record<string, string>; body: string };
      headers['content-md5'] = createHash('md5').update(body).digest('base64');
      return next(args);
    },
    { step: 'build', name: 'contentMd5' },
  );
  return command;
};

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
