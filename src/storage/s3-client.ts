/** The client of S3: its connection, its errors, and a command that other makers' servers take too. */
import { createHash } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { DeleteObjectsCommand, S3Client } from '@aws-sdk/client-s3';
import { StoreFault } from './store.ts';

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

/**
 * Requests under way at a time; the others wait in the order of their calls. Each holds an object or a chunk in memory.
 */
export const REQUESTS_MAX = 16;
/** Times in which a request is sent, each after a growing pause. */
export const ATTEMPTS = 3;
const CONNECT_MS = 3000;

/** How long a silent server is waited for. */
export interface Patience {
  /** A connection on which nothing moves for this long is given up, and its request is sent again. */
  readonly idleMs: number;
  /** The end of a request with all its attempts. */
  readonly requestMs: number;
}

/** What custom servers take when no region is set. */
const ANY_REGION = 'us-east-1';

/** Keys and messages of S3 only: its error objects repeat parts of the signed request. */
export const toFault = (error: unknown): StoreFault => {
  if (error instanceof StoreFault) return error;
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  return new StoreFault(`S3: ${name}: ${message}${status === undefined ? '' : ` (HTTP ${status})`}`);
};

/** Makes the client. It connects with its first request. */
export const connect = ({ endpoint, region }: Bucket, { idleMs }: Patience): S3Client => {
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
