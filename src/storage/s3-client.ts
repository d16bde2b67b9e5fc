/** The S3 client: its connection, its errors, and a delete command that other vendors' servers accept too. */
import { createHash } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { DeleteObjectsCommand, S3Client } from '@aws-sdk/client-s3';
import { StoreFault } from './store.ts';

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
