/** A server that speaks the protocol of S3, with one bucket in a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, type ServerProcess, startServerProcess, type TestScope } from './server-process.ts';

const SERVER = fileURLToPath(new URL('./s3-server.cjs', import.meta.url));

/** The only credentials that s3rver accepts. */
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
/** The bucket that the server has from the start. */
export const BUCKET = 'tessera';

/** An S3 server that tests can disturb. */
export interface TestS3 {
  readonly endpoint: string;
  /** The environment of a gateway that stores its batches there. */
  readonly env: Readonly<Record<string, string>>;
  /** Process id of the running server, for SIGSTOP and SIGCONT. */
  readonly pid: number;
  /** Stops the server. `start` starts it again on the same port, with its data. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts the server, stopped with the test. The SDK in the test's own process takes its credentials from here on. */
export const startS3 = async (scope: TestScope): Promise<TestS3> => {
  Object.assign(process.env, CREDENTIALS);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'tessera-test-s3-'));
  const endpoint = `http://127.0.0.1:${port}`;
  const args = ['--directory', join(folder, 'data'), '--address', '127.0.0.1', '--port', String(port)];
  const logFile = join(folder, 'test.log');
  let server: ServerProcess;
  const start = async () => {
    server = await startServerProcess(
      process.execPath,
      // s3rver encrypts its continuation tokens with DES.
      ['--openssl-legacy-provider', SERVER, ...args, '--silent', '--configure-bucket', BUCKET],
      { logFile, user: null, probe: () => fetch(endpoint, { signal: AbortSignal.timeout(1000) }) },
    );
  };
  await start();
  scope.teardown(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    endpoint,
    env: { BATCH_STORE: `s3://${BUCKET}/batches`, AWS_ENDPOINT_URL: endpoint, ...CREDENTIALS },
    get pid() {
      return server.pid;
    },
    stop: () => server.stop(),
    start,
  };
};
