import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { TestScope } from '../servers/server-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until } from '../servers/until.ts';
import { type Answer, startApp, type TestApp } from '../support/app/app.ts';
import { openFor, realDatabaseUrl } from '../support/database/database.ts';
import { readZip } from '../support/files/zip.ts';

/** Starts an app with a store of batches in a folder, and a connection of its own to the app's database. */
export const startBatchApp = async (scope: TestScope, env: Readonly<Record<string, string>> = {}) => {
  const store = await temporaryFolder(scope);
  const url = await realDatabaseUrl();
  const app = await startApp(scope, { BATCH_STORE: store, DATABASE_URL: url, ...env });
  const database = await openFor(scope, { url, dataDir: '' });
  return { app, store, sql: database.sql };
};

let shared: ReturnType<typeof startBatchApp> | undefined;

/** Returns the app with a store that is shared by the test files which look only at batches of their own accounts. */
export const sharedBatchApp = (): ReturnType<typeof startBatchApp> => {
  shared ??= startBatchApp(t);
  return shared;
};

/** A gateway needs a known address, set as `PUBLIC_URL`, to process batches before it listens. */
export const createSender = ({ call }: Pick<TestApp, 'call'>, key: string) => {
  const send = (
    body: string | Buffer,
    { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> =>
    call({
      method: 'POST',
      url: `/api/v1/batches${query}`,
      key,
      headers: { 'content-type': 'application/x-ndjson', ...headers },
      body,
    });
  const show = async (id: string): Promise<Answer['json']> =>
    (await call({ url: `/api/v1/batches/${id}`, key })).json;
  const ended = async (id: string): Promise<Answer['json']> => {
    await until(async () => (await show(id)).finished_at !== null, { pauseMs: 20 });
    return show(id);
  };
  return {
    send,
    show,
    ended,
    /** Sends rows and waits until their batch has ended. */
    async make(rows: readonly object[], options?: Parameters<typeof send>[1]) {
      const sent = await send(ndjson(rows), options);
      if (sent.status !== 202) throw new Error(`${sent.status} ${sent.text}`);
      return ended(sent.json.id);
    },
    async errorsOf(
      id: string,
    ): Promise<{ row: number; external_id: string | null; field: string; message: string }[]> {
      const { text } = await call({ url: `/api/v1/batches/${id}/errors`, key });
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    part: (id: string, n = 1, headers: Record<string, string> = {}) =>
      call({ url: `/api/v1/batches/${id}/parts/${n}`, key, headers }),
    async parts(id: string): Promise<{ n: number; codes: number; bytes: number; sha256: string }[]> {
      return (await call({ url: `/api/v1/batches/${id}/parts`, key })).json.data as never;
    },
    async entriesOf(id: string, n = 1) {
      return readZip((await call({ url: `/api/v1/batches/${id}/parts/${n}`, key })).bytes);
    },
  };
};

export const ndjson = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

export const gzipped = (text: string): Buffer => gzipSync(text);

export const plainRows = (count: number, more: object = {}): object[] =>
  Array.from({ length: count }, (_, i) => ({ data: `https://example.com/${i}`, dynamic: true, ...more }));

const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mM4w8AAAAJoAM0bH0/CAAAAAElFTkSuQmCC';

/** Rows for `SLOW_FORMATS`: each takes a few ms, but a tenth of a second by the estimate, so that a piece has ten. */
export const slowRows = (count: number): object[] => plainRows(count, { image: DOT });

/** A bitmap in a PDF is estimated as a large one. */
export const SLOW_FORMATS = 'formats=pdf';

/** Creates an account, and returns it with functions that send its batches. */
export const newSender = async (
  app: TestApp,
  wanted: Parameters<TestApp['account']>[0] = { monthlyQuota: 1000 },
) => {
  const made = await app.account(wanted);
  return Object.assign(made, createSender(app, made.key));
};
