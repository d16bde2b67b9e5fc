/** What happens to batches while their store is unavailable or full. */
import { createHash } from 'node:crypto';
import fs, { readdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { openDatabase } from '../../src/db/database.ts';
import { findStoreMark } from '../../src/db/tables/batches/parts.ts';
import { createFolderStore } from '../../src/storage/folder.ts';
import { startS3 } from '../servers/s3.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until } from '../servers/until.ts';
import { startApp, type TestApp } from '../support/app/app.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { silent } from '../support/silent-log.ts';
import { ndjson, newSender, plainRows } from './support.ts';

const ROWS = 1000;
/** Each takes some milliseconds, so that the store can be made unavailable in the middle. */
const rows = plainRows(ROWS, { width: 900, height: 900 });

const url = await realDatabaseUrl();
const { sql, close } = await openDatabase({ url, dataDir: '' }, silent);
t.teardown(close);

/** A store that can be made unavailable and available again. */
interface Outage {
  begin(): Promise<void>;
  end(): Promise<void>;
  /** Whether stored results can be read during the outage. */
  readonly readable: boolean;
}

/** Makes the store unavailable in the middle of a batch, makes it available again, and examines the results. */
const survives = async (t: Test, app: TestApp, { begin, end, readable }: Outage): Promise<void> => {
  const sender = await newSender(app, { monthlyQuota: 10_000 });
  const { begin: beginBatch, send, make, show, ended, part, parts, entriesOf, manifestOf, used } = sender;
  const earlier = await make(plainRows(20));
  const id = await beginBatch(rows, { query: '?folder_name=Large' });
  await until(async () => (await show(id)).made > 0);
  await begin();

  const refused = await send(ndjson(plainRows(5)));
  t.equal(refused.status, 503, refused.text);
  t.equal(refused.headers['retry-after'], '5');
  const download = await part(earlier.id);
  t.equal(download.status, readable ? 200 : 503);
  if (!readable) {
    t.equal(download.headers['retry-after'], '5');
    t.match(download.json, { error: 'Service unavailable', details: /store of batches/ });
    t.equal(download.headers.etag, undefined, 'an error has no ETag of a part');
  }
  await sleep(1500);
  t.match(await show(id), { state: /^(running|finishing)$/, finished_at: null, errors: 0, failed: 0 });
  await end();

  const batch = await ended(id);
  t.match(batch, { state: 'done', rows: ROWS, made: ROWS, failed: 0, errors: 0, refunded: 0 });
  t.equal(await used(), ROWS + 20, 'only the rows made are charged');
  t.match(await make(plainRows(5)), { state: 'done', made: 5 }, 'a refused batch can be sent again');

  const [codes] = await sql<{ slugs: number; codes: number }[]>`
    select count(distinct slug)::int as slugs, count(*)::int as codes from codes where folder_id = ${batch.folder_id}`;
  t.strictSame({ ...codes }, { slugs: ROWS, codes: ROWS }, 'nothing was made twice');
  const [listed] = await parts(id);
  const { bytes } = await part(id);
  t.equal(createHash('sha256').update(bytes).digest('hex'), listed!.sha256);
  const hashes = new Map(
    (await entriesOf(id)).map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest('hex')]),
  );
  const manifest = await manifestOf(id);
  t.strictSame(
    manifest.map(({ row }) => Number(row)),
    rows.map((_, i) => i + 1),
  );
  t.ok(manifest.every(({ file, sha256 }) => hashes.get(file!) === sha256));
};

t.test('a batch survives a stop of S3 in the middle', async (t) => {
  const s3 = await startS3(t);
  const app = await startApp(t, { ...s3.env, DATABASE_URL: url });
  await survives(t, app, { begin: s3.stop, end: s3.start, readable: false });

  const { make, part, show } = await newSender(app);
  const { id } = await make(plainRows(30));
  const whole = (await part(id)).bytes;
  const range = await part(id, 1, { range: `bytes=1000-${whole.length - 100}` });
  t.equal(range.status, 206);
  t.ok(range.bytes.equals(whole.subarray(1000, whole.length - 99)));
  await sql`update batches set expires_at = now() where id = ${id}`;
  await until(async () => (await show(id)).state === 'expired', { pauseMs: 200 });
});

t.test('a batch survives a full disk in the middle', async (t) => {
  const folder = await temporaryFolder(t);
  await createFolderStore(folder).writeMark((await findStoreMark(sql))!);
  const app = await startApp(t, { BATCH_STORE: folder, DATABASE_URL: url });
  const { open } = fs;
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    errno: -28,
    syscall: 'write',
  });
  const end = async () => {
    fs.open = open;
    syncBuiltinESMExports();
  };
  t.teardown(end);
  const begin = async () => {
    // On a full disk files can still be created, and writing bytes fails.
    fs.open = async (path, ...options) => {
      const file = await open(path, ...options);
      if (String(path).startsWith(folder)) file.writeFile = () => Promise.reject(full);
      return file;
    };
    syncBuiltinESMExports();
  };
  await survives(t, app, { begin, end, readable: true });
  const files = await readdir(folder, { recursive: true });
  t.strictSame(
    files.filter((file) => file.endsWith('.tmp')),
    [],
    'no partial file remains',
  );
});
