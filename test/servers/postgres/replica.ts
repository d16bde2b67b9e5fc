/** A streaming replica of a Postgres of the test. */
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestScope } from '../server-process.ts';
import { findPostgres, postgresUser, runPostgres, type TestPostgres } from './postgres.ts';

/** Copies a running server, and starts the copy as its standby. Returns when it has all that the primary had then. */
export const startReplica = async (t: TestScope, primary: TestPostgres): Promise<TestPostgres> => {
  const found = findPostgres();
  if (!found) throw new Error('no Postgres: install it');
  // `initdb` may be a link from a folder that lacks the other programs.
  const binaries = dirname(realpathSync(join(found, 'initdb')));
  const user = postgresUser();
  const home = await mkdtemp(join(tmpdir(), 'tessera-test-replica-'));
  if (user) await chown(home, user.uid, user.gid);
  const folder = join(home, 'data');
  const args = ['-d', primary.url, '-D', folder, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  execFileSync(join(binaries, 'pg_basebackup'), args, { stdio: 'pipe', cwd: '/', ...user });
  const replica = await runPostgres(binaries, folder, user, ['wal_retrieve_retry_interval=200ms']);
  t.teardown(async () => {
    await replica.stop();
    await rm(home, { recursive: true, force: true });
  });
  return replica;
};

/** Returns the URL of the same database on another server. */
export const sameDatabaseOn = (server: TestPostgres, url: string): string => {
  const { pathname } = new URL(url);
  return Object.assign(new URL(server.url), { pathname }).href;
};
