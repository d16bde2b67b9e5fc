/** An object store in a bucket of S3, or of a server that speaks its protocol. */
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
import { within } from '../time-limit.ts';
import { type ByteRange, checkKey, type ObjectStore, StoreFault } from './store.ts';

/** Where objects are kept. */
export interface Bucket {
  readonly bucket: string;
  /** Segments before every key, without a slash at either end; '': none. */
  readonly prefix: string;
  /** Address of the server; `null`: that of AWS in the region. Buckets of another server stand in the path. */
  readonly endpoint: string | null;
  /** `null`: what the AWS SDK finds in its own files. */
  readonly region: string | null;
}

/** A store that can be asked whether it works. */
export interface S3Store extends ObjectStore {
  /** @throws {StoreFault} When the bucket cannot be listed. */
  check(): Promise<void>;
}

/**
 * Requests under way at a time; the others wait in the order of their calls. Each holds an object or a chunk in memory.
 */
const REQUESTS_MAX = 16;
/** What one request reads. A reader that is slow holds no connection. */
const CHUNK_BYTES = 1024 * 1024;
/** Times in which a request is sent, each after a growing pause. */
const ATTEMPTS = 3;
const CONNECT_MS = 3000;
/** A request may take so long for its bytes, at 64 kB/s, in addition to `requestMs`. */
const BYTES_PER_MS = 64;

/** How long a silent server is waited for. */
export interface Patience {
  /** A connection on which nothing moves for so long is given up, and its request is sent again. */
  readonly idleMs: number;
  /** The end of a request with all its attempts. */
  readonly requestMs: number;
}

const PATIENCE: Patience = { idleMs: 10_000, requestMs: 30_000 };

/** What custom servers take when no region is set. */
const ANY_REGION = 'us-east-1';

/** Keys and messages of S3 only: its error objects repeat parts of the signed request. */
const toFault = (error: unknown): StoreFault => {
  if (error instanceof StoreFault) return error;
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  return new StoreFault(`S3: ${name}: ${message}${status === undefined ? '' : ` (HTTP ${status})`}`);
};

const connect = ({ endpoint, region }: Bucket, { idleMs }: Patience): S3Client => {
  const agent = { keepAlive: true, maxSockets: REQUESTS_MAX };
  const wantedRegion = region ?? (endpoint === null ? null : ANY_REGION);
  return new S3Client({
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(wantedRegion === null ? {} : { region: wantedRegion }),
    maxAttempts: ATTEMPTS,
    // Checksums that are sent unasked are refused by servers of other makers.
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

/** Deletes up to 1,000 objects. Other makers' servers ask for the MD5 of the list, which the SDK no longer sends. */
const deletion = (Bucket: string, keys: readonly string[]): DeleteObjectsCommand => {
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

/** Creates a store in a bucket, which must exist. Credentials are those that the AWS SDK finds in its usual places. */
export const createS3Store = (place: Bucket, patience = PATIENCE): S3Store => {
  const { bucket: Bucket, prefix } = place;
  const client = connect(place, patience);
  const limit = pLimit(REQUESTS_MAX);
  const pathOf = (key: string): string => {
    checkKey(key);
    return prefix === '' ? key : `${prefix}/${key}`;
  };

  /** Runs a request in its turn, and gives it up after its time. */
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

  /** The SDK repeats requests, but not those whose answer breaks off. */
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
      client.send(deletion(Bucket, keys), { abortSignal }),
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
    async check() {
      await list(prefix === '' ? '' : `${prefix}/`, 1);
    },
  };
};
