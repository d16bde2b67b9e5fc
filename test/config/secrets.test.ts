/** Secrets that are read from files. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ConfigError, readConfig } from '../../src/config/config.ts';

const TOKEN = 'a token of 24 characters'.replaceAll(' ', '-');

const fileOf = async (t: Test, content: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-secret-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'secret'), content);
  return join(folder, 'secret');
};

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

t.test('LISTEN_DATABASE_URL is for a pooler, so it needs DATABASE_URL', async (t) => {
  const [LISTEN_DATABASE_URL, DATABASE_URL] = [
    'postgres://db:5432/tessera',
    'postgres://pooler:6432/tessera',
  ];
  t.strictSame(faultsOf({ LISTEN_DATABASE_URL }), [
    'LISTEN_DATABASE_URL: is for a pooler at DATABASE_URL: set that too',
  ]);
  t.match(readConfig({ LISTEN_DATABASE_URL, DATABASE_URL }), { listenDatabaseUrl: LISTEN_DATABASE_URL });
  t.equal(readConfig({ DATABASE_URL }).listenDatabaseUrl, null);
});

t.test('DATABASE_READ_URL is one replica of DATABASE_URL', async (t) => {
  const [DATABASE_READ_URL, DATABASE_URL] = ['postgres://db2:5432/tessera', 'postgres://db:5432/tessera'];
  t.strictSame(faultsOf({ DATABASE_READ_URL }), [
    'DATABASE_READ_URL: is for a replica of DATABASE_URL: set that too',
  ]);
  t.strictSame(faultsOf({ DATABASE_URL, DATABASE_READ_URL: 'postgres://db2:5432,db3:5432/tessera' }), [
    'DATABASE_READ_URL: must name one server',
  ]);
  t.match(readConfig({ DATABASE_READ_URL, DATABASE_URL }), { readDatabaseUrl: DATABASE_READ_URL });
});

t.test('a secret is read from a file, without the newline at its end', async (t) => {
  for (const end of ['', '\n', '\r\n']) {
    t.equal(readConfig({ ADMIN_TOKEN_FILE: await fileOf(t, TOKEN + end) }).adminToken, TOKEN);
  }
  const DATABASE_URL_FILE = await fileOf(t, 'postgres://user:secret@db:5432/tessera\n');
  const REDIS_URL_FILE = await fileOf(t, 'redis://:secret@redis:6379\n');
  t.match(readConfig({ DATABASE_URL_FILE, REDIS_URL_FILE }), {
    databaseUrl: 'postgres://user:secret@db:5432/tessera',
    redisUrl: 'redis://:secret@redis:6379',
  });
});

t.test('an empty file name counts as unset', async (t) => {
  t.equal(readConfig({ ADMIN_TOKEN_FILE: '', ADMIN_TOKEN: TOKEN }).adminToken, TOKEN);
});

t.test('an unusable secret file stops the start with one line that reveals no content', async (t) => {
  const path = await fileOf(t, `${TOKEN}\n`);
  const faults = {
    twice: faultsOf({ ADMIN_TOKEN: TOKEN, ADMIN_TOKEN_FILE: path }),
    missing: faultsOf({ ADMIN_TOKEN_FILE: `${path}.none` }),
    empty: faultsOf({ ADMIN_TOKEN_FILE: await fileOf(t, '\n') }),
    long: faultsOf({ ADMIN_TOKEN_FILE: await fileOf(t, 'x'.repeat(5000)) }),
    endless: faultsOf({ ADMIN_TOKEN_FILE: '/dev/zero' }),
    wrong: faultsOf({ ADMIN_TOKEN_FILE: await fileOf(t, 'secret but short\t') }),
  };
  t.match(faults.twice, [/^ADMIN_TOKEN_FILE: must not be given together with ADMIN_TOKEN, for example /]);
  t.match(faults.missing, [/^ADMIN_TOKEN_FILE: cannot be read \(ENOENT\)/]);
  t.match(faults.empty, [/^ADMIN_TOKEN_FILE: must name a file that is not empty/]);
  t.match(faults.long[0], /^ADMIN_TOKEN_FILE: must name a file of at most 4096 bytes/);
  t.match(faults.endless[0], /^ADMIN_TOKEN_FILE: must name a file of at most 4096 bytes/);
  t.match(faults.wrong, [/^ADMIN_TOKEN: must be /]);
  for (const lines of Object.values(faults)) t.notMatch(lines.join(), /secret but|a-token|xxx/);
});
