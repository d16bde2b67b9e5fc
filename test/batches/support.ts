import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import t from 'tap';
import type { TestScope } from '../servers/server-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until } from '../servers/until.ts';
import { type Answer, startApp, type TestApp } from '../support/app/app.ts';
import { clientOf } from '../support/app/client.ts';
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
export const createSender = (app: Pick<TestApp, 'call'>, key: string) => {
  const client = clientOf(app, key);
  const { get, post } = client;
  const send = (
    body: string | Buffer,
    { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> =>
    post(`/batches${query}`, body, { 'content-type': 'application/x-ndjson', ...headers });
  const show = async (id: string): Promise<Answer['json']> => (await get(`/batches/${id}`)).json;
  const ended = async (id: string): Promise<Answer['json']> => {
    await until(async () => (await show(id)).finished_at !== null, { pauseMs: 20 });
    return show(id);
  };
  /** Sends a batch that must be accepted, and returns its id. */
  const begin = async (rows: readonly object[] | string | Buffer, options?: Parameters<typeof send>[1]) => {
    const isBody = typeof rows === 'string' || Buffer.isBuffer(rows);
    const sent = await send(isBody ? rows : ndjson(rows), options);
    if (sent.status !== 202) throw new Error(`${sent.status} ${sent.text}`);
    return sent.json.id;
  };
  const part = (id: string, n = 1, headers: Record<string, string> = {}) =>
    get(`/batches/${id}/parts/${n}`, headers);
  const entriesOf = async (id: string, n = 1) => readZip((await part(id, n)).bytes);
  return {
    ...client,
    send,
    begin,
    show,
    ended,
    part,
    entriesOf,
    /** Sends a batch, and waits until it has ended. */
    make: async (...sent: Parameters<typeof begin>) => ended(await begin(...sent)),
    /** Sends slow rows, and returns the id of their batch when some of them are made. */
    async beginSlow(count: number, query = '') {
      const id = await begin(slowRows(count), { query: `?${SLOW_FORMATS}${query}` });
      await until(async () => (await show(id)).made > 0, { pauseMs: 20 });
      return id;
    },
    cancel: (id: string) => post(`/batches/${id}/cancel`),
    preview: (body: string | Buffer, type = 'text/csv', query = '', headers: Record<string, string> = {}) =>
      post(`/batches/preview${query}`, body, { 'content-type': type, ...headers }),
    async errorsOf(
      id: string,
    ): Promise<{ row: number; external_id: string | null; field: string; message: string }[]> {
      const { text } = await get(`/batches/${id}/errors`);
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    async parts(id: string): Promise<{ n: number; codes: number; bytes: number; sha256: string }[]> {
      return (await get(`/batches/${id}/parts`)).json.data as never;
    },
    /** The manifest of a part. */
    manifestOf: async (id: string, n = 1) =>
      parse((await entriesOf(id, n)).at(-1)!.bytes, { columns: true }) as Record<string, string>[],
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
