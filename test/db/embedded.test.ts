import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import t, { type Test } from 'tap';
import type { Sql } from '../../src/db/client.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { lockFolder } from '../../src/db/embedded/folder.ts';
import { isUnavailable } from '../../src/db/faults.ts';
import { countAccounts, createAccount } from '../../src/db/tables/accounts/accounts.ts';
import { isOk } from '../../src/result.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until } from '../servers/until.ts';
import { embeddedFolder, openFor } from '../support/database/database.ts';
import { silent } from '../support/silent-log.ts';

const WRITER = fileURLToPath(new URL('../support/database/database-process.ts', import.meta.url));

/** Another process that has opened the folder and committed at least `rows` accounts. */
const startWriter = async (t: Test, dataDir: string, rows: number) => {
  const child = spawn(process.execPath, [...process.execArgv, WRITER, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout);
  const written = await new Promise<number>((resolve, reject) => {
    lines.on('line', (line) => Number(line) >= rows && resolve(Number(line)));
    child.once('exit', () => reject(new Error('the writing process ended')));
  });
  return { child, written };
};

const countWhenBack = async (sql: Sql): Promise<number> => {
  let count: number | null = null;
  await until(async () => {
    count = await countAccounts(sql).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      return null;
    });
    return count !== null;
  });
  return count!;
};

/** Checks a database with low limits for its queue and its transactions. */
const keepsItsBounds = async (t: Test, sql: Database['sql']) => {
  await t.test('queries beyond the queue limit are refused, and the others answered', async (t) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, i) => sql`select ${i}::int as i`),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    t.equal(outcomes.length - refused.length, 21, 'one running and twenty waiting');
    t.ok(refused.every(({ reason }) => isUnavailable(reason)));
    t.equal((await sql`select 1 as one`)[0]?.one, 1);
  });

  await t.test('a transaction that times out is rolled back, and the next one runs', async (t) => {
    const before = await countAccounts(sql);
    let isGivenUp = false;
    const slow = sql.begin(async (tx) => {
      await createAccount(tx, { name: 'given up', plan: 'free', monthlyQuota: null });
      await until(() => isGivenUp);
      await createAccount(tx, { name: 'too late', plan: 'free', monthlyQuota: null });
    });
    await t.rejects(slow, { code: 'DATABASE_SILENT' });
    isGivenUp = true;
    t.equal(await countAccounts(sql), before);
    await sql.begin((tx) => createAccount(tx, { name: 'next', plan: 'free', monthlyQuota: null }));
    t.equal(await countAccounts(sql), before + 1);
  });

  await t.test('what is asked after a statement that failed in mid-stream gets its own answer', async (t) => {
    await t.rejects(Promise.resolve(sql`select 1 / (3 - n) from generate_series(1, 3) n`), { code: '22012' });
    t.strictSame([...(await sql`select 7 as seven`)], [{ seven: 7 }]);
  });
};

t.test('a folder that another process uses is refused, and the message names that process', async (t) => {
  const dataDir = await embeddedFolder(t);
  const { child, written } = await startWriter(t, dataDir, 50);
  const refusal = await openDatabase({ url: null, dataDir }, silent).catch((error: Error) => error.message);
  t.match(
    refusal,
    new RegExp(
      `^the embedded database in DATA_DIR ${dataDir} cannot be opened: it is in use by process ${child.pid} on `,
    ),
  );
  t.notMatch(refusal, /\n/);

  await t.test('while that process is stopped the folder is refused, too', async (t) => {
    child.kill('SIGSTOP');
    await t.rejects(openDatabase({ url: null, dataDir }, silent), { message: /does not answer/ });
    child.kill('SIGCONT');
  });

  await t.test('when that process is killed its commits survive, and the folder is free', async (t) => {
    child.kill('SIGKILL');
    await once(child, 'exit');
    const bounds = { transactionTimeoutMs: 200, maxQueued: 20 };
    const { sql } = await openFor(t, { url: null, dataDir, bounds });
    t.ok((await countAccounts(sql)) >= written);
    await createAccount(sql, { name: 'after', plan: 'free', monthlyQuota: null });
    await keepsItsBounds(t, sql);
  });
});

t.test('of many parallel starts only one gets the folder', async (t) => {
  const folder = await temporaryFolder(t);
  for (let round = 0; round < 5; round += 1) {
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => lockFolder(folder)));
    const locks = outcomes.filter(isOk);
    t.equal(locks.length, 1);
    await locks[0]?.value.release();
    t.same(await readdir(folder), []);
  }
});

t.test('a first start creates a private folder, and later starts find its data', async (t) => {
  // The path is too long for a socket, and the folder has what an interrupted first start leaves behind.
  const dataDir = join(await temporaryFolder(t), 'long'.repeat(30));
  await mkdir(join(dataDir, 'postgres.new'), { recursive: true });
  await writeFile(join(dataDir, 'postgres.new', 'PG_VERSION'), '18\n');

  const first = await openDatabase({ url: null, dataDir }, silent);
  t.equal(first.embedded, true);
  t.equal((await stat(join(dataDir, 'run'))).mode & 0o777, 0o700);
  await createAccount(first.sql, { name: 'kept', plan: 'free', monthlyQuota: null });
  await t.rejects(openDatabase({ url: null, dataDir }, silent), { message: /in use by process/ });
  await first.ping();
  await first.close();
  await t.rejects(first.ping(), { code: 'DATABASE_UNAVAILABLE' });
  t.same((await readdir(dataDir)).sort(), ['postgres', 'run']);
  t.same(await readdir(join(dataDir, 'run')), [], 'no socket remains');

  const workers: Worker[] = [];
  process.on('worker', (worker: Worker) => workers.push(worker));
  const { sql } = await openFor(t, {
    url: null,
    dataDir,
    bounds: { answerTimeoutMs: 1000, embeddedStuckMs: 0 },
  });
  t.equal(await countAccounts(sql), 1);

  await t.test('its thread finds the data again when it is restarted, dead or stuck', async (t) => {
    await workers[0]?.terminate();
    t.equal(await countWhenBack(sql), 1);
    t.equal(workers.length, 2);

    await t.rejects(sql.unsafe('do $$ begin loop end loop; end $$'), { code: 'DATABASE_SILENT' });
    t.equal(await countWhenBack(sql), 1);
    t.equal(workers.length, 3);
  });
});

t.test('a folder that cannot be created is reported in one line', async (t) => {
  const file = join(await temporaryFolder(t), 'file');
  await writeFile(file, '');
  const dataDir = join(file, 'data');
  await t.rejects(openDatabase({ url: null, dataDir }, silent), {
    message: new RegExp(`^the embedded database in DATA_DIR ${dataDir} cannot be opened: ENOTDIR[^\n]*$`),
  });
});
