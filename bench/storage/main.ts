/** `npm run bench:storage` measures what saved codes take in Postgres, and what it costs to save and to purge them. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/db/database.ts';
import { type BenchPostgres, startPostgres } from '../../test/servers/postgres/bench-postgres.ts';
import { inScope } from '../../test/servers/scope.ts';
import { commandLine } from '../command/main.ts';
import { whole } from '../command/whole.ts';
import { figure, say, table } from '../say.ts';
import { beside, type Noticed } from './beside.ts';
import { isKind, KINDS, type Kind, saveKind } from './codes.ts';
import { type Cost, costOf } from './cost.ts';
import { expireAll, purgeAll } from './purge.ts';
import { bytesByColumn, sizesOf } from './sizes.ts';

const { values: options } = commandLine({
  name: 'npm run bench:storage',
  about:
    'Measures what saved codes take in Postgres, and what it costs to save and to purge them. Their contents have 40 to 60 characters. It needs a Postgres of the machine (initdb, postgres), which it starts and removes.',
  options: {
    codes: whole('codes of each kind, in pieces of 500 as a batch saves them, all of one design', 400_000),
    kinds: { type: 'string', default: KINDS.join(), value: 'names', text: 'which kinds' },
    limit: {
      type: 'string',
      default: '350',
      value: 'bytes',
      least: 0,
      text: 'it ends with 1 when a plain code takes more',
    },
    beside: {
      type: 'boolean',
      default: false,
      text: 'also what saves and lists take while codes expire and are purged',
    },
  },
  examples: [
    ['--codes 20000 --kinds plain', 'a rough answer for one kind'],
    ['--beside', 'everything'],
  ],
});
const codes = Number(options.codes);
const tell = (_: object, message: string): void => say(message);
const log = { debug: () => {}, info: () => {}, warn: tell, error: tell };

const sayCost = (what: string, { seconds, processorS, walBytes }: Cost): void =>
  say(
    `${what}: ${figure(seconds)} s, ${figure(processorS)} s of Postgres' processor time, ${figure(walBytes / codes)} bytes of WAL a code`,
  );

const QUIET_MS = 5000;

const sayNoticed = (when: string, { saves, pages }: Noticed): void =>
  say(
    `p50 and p99 ${when}: a save of 20 codes ${saves.map(figure).join(' and ')} ms, a page of a list ${pages.map(figure).join(' and ')} ms`,
  );

/** Returns the bytes that a code of the kind takes. */
const measure = async (postgres: BenchPostgres, kind: Kind): Promise<number> => {
  const url = await postgres.createDatabase(`storage_${kind}`);
  const database = await openDatabase({ url, dataDir: '' }, log);
  const { sql } = database;
  try {
    const before = await sizesOf(sql);
    const saved = await costOf(sql, postgres.pid, () => saveKind(sql, kind, codes));
    await sql`vacuum analyze`;
    const grown = (await sizesOf(sql))
      .map(({ name, of, bytes }) => ({
        name,
        of,
        bytes: bytes - (before.find((was) => was.name === name)?.bytes ?? 0),
      }))
      .filter(({ bytes }) => bytes > codes);
    const total = grown.reduce((sum, { bytes }) => sum + bytes, 0) / codes;
    say(`\n${codes} codes, ${kind}: ${figure(total)} bytes a code`);
    say(
      table(
        ['table or index', 'of', 'bytes a code'],
        grown.map(({ name, of, bytes }) => [name, of, figure(bytes / codes)]),
      ),
    );
    say(
      `columns: ${(await bytesByColumn(sql)).map(({ name, bytes }) => `${name} ${figure(bytes)}`).join(', ')}`,
    );
    sayCost('saved', saved);
    sayCost('moved to the bin by retention', await costOf(sql, postgres.pid, () => expireAll(database)));
    sayCost('purged', await costOf(sql, postgres.pid, () => purgeAll(database)));
    if (!options.beside) return total;
    sayNoticed('with nothing beside them', await beside(database, sleep(QUIET_MS)));
    await saveKind(sql, kind, codes);
    sayNoticed('beside retention', await beside(database, expireAll(database)));
    sayNoticed('beside a purge', await beside(database, purgeAll(database)));
    return total;
  } finally {
    await database.close();
  }
};

await inScope(async (scope) => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-storage-'));
  // Postgres runs as another user.
  await chmod(folder, 0o755);
  scope.teardown(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres(scope, folder);
  for (const kind of options.kinds.split(',').filter(isKind)) {
    const bytes = await measure(postgres, kind);
    if (kind === 'plain' && bytes > Number(options.limit)) process.exitCode = 1;
  }
});
