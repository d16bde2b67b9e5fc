/** What the tables share: cursors of lists, names of folders, and the meaning of database errors. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type postgres from 'postgres';
import t from 'tap';
import { findAsked } from '../../src/db/client.ts';
import {
  decodeCursor,
  decodeNumberCursor,
  encodeCursor,
  encodeNumberCursor,
  toPage,
} from '../../src/db/cursor.ts';
import * as faults from '../../src/db/faults.ts';
import { createPool } from '../../src/db/pool.ts';
import { defaultFolderName, listRestoredNames, toFolderName } from '../../src/db/tables/names.ts';

const time = fc.integer({ min: 0, max: 99_999_999_999_999 }).map((ms) => new Date(ms));
const position = fc.integer({ min: 0, max: 9999 });

t.test('a cursor decodes to what was encoded, and other texts are refused', async (t) => {
  fc.assert(
    fc.property(time, position, fc.uuid(), (createdAt, at, id) => {
      const read = decodeCursor(encodeCursor({ createdAt, position: at, id }));
      return fc.stringify(read) === fc.stringify({ createdAt, position: at, id });
    }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999_999_999_999 }),
      (id) => decodeNumberCursor(encodeNumberCursor(id)) === id,
    ),
  );
  const id = randomUUID();
  t.equal(decodeCursor(encodeCursor({ createdAt: new Date(5), id }))?.position, 0);
  const written = (text: string) => Buffer.from(text).toString('base64url');
  for (const text of [
    `1.2.${id}x`,
    `x1.2.${id}`,
    `${'1'.repeat(15)}.0.${id}`,
    `1.${'1'.repeat(5)}.${id}`,
    `-1.0.${id}`,
    '1.0.x',
    '',
    'n5',
  ])
    t.equal(decodeCursor(written(text)), undefined, text);
  for (const text of ['5', 'n', 'n-5', 'n5x', `n${'1'.repeat(16)}`, `1.0.${id}`])
    t.equal(decodeNumberCursor(written(text)), undefined, text);
});

t.test('a page has the requested number of rows, and a cursor if there are more', async () => {
  const row = fc.record({ createdAt: time, position, id: fc.uuid() });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), fc.integer({ min: 1, max: 7 }), (rows, limit) => {
      const page = toPage(rows.slice(0, limit + 1), limit);
      const hasMore = rows.length > limit;
      return (
        fc.stringify(page.rows) === fc.stringify(rows.slice(0, limit)) &&
        page.next === (hasMore ? encodeCursor(rows[limit - 1]!) : null)
      );
    }),
  );
});

t.test("a folder's name has 1 to 200 characters, without surrounding white space", async (t) => {
  const nameOf = (text: string) => {
    const name = toFolderName(text);
    return name.ok ? name.value : null;
  };
  t.equal(nameOf(`  ${'😀'.repeat(200)}\u3000`), '😀'.repeat(200));
  t.equal(nameOf('u\u0308'), 'ü');
  for (const wrong of ['', '  ', '😀'.repeat(201), 'a\nb', 'a\u0085', '\ud800'])
    t.equal(nameOf(wrong), null, JSON.stringify(wrong));
});

t.test('a restored folder gets one of 101 names, which are all different and not too long', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 210 }), (text) => {
      const name = toFolderName(text);
      if (!name.ok) return true;
      const names = listRestoredNames(name.value);
      return (
        new Set(names).size === 101 &&
        names.every((one) => [...one].length <= 200 && !/\s \(restored/.test(one))
      );
    }),
  );
  t.strictSame(listRestoredNames('a').slice(0, 4), ['a', 'a (restored)', 'a (restored 2)', 'a (restored 3)']);
  t.equal(listRestoredNames('a').at(-1), 'a (restored 100)');
  const long = 'x'.repeat(200);
  t.equal(listRestoredNames(long)[1], `${'x'.repeat(189)} (restored)`, 'as much of the name as fits');
  t.equal(defaultFolderName(new Date('2026-11-24T23:59:59Z')), 'Bulk Import 2026-11-24');
});

t.test('errors of the database are distinguished by their codes', async (t) => {
  const of = (code: string, more = {}) => Object.assign(new Error('why'), { code, ...more });
  const codeOf = (error: unknown) => (error as { code?: string }).code;
  for (const code of [
    'ECONNREFUSED',
    'ENOENT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'CONNECT_TIMEOUT',
  ])
    t.equal(codeOf(faults.toDatabaseFault(of(code))), 'DATABASE_UNAVAILABLE', code);
  for (const code of [
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ETIMEDOUT',
    'ERR_STREAM_DESTROYED',
    'CONNECTION_CLOSED',
    'CONNECTION_DESTROYED',
    'CONNECTION_ENDED',
  ]) {
    const fault = faults.toDatabaseFault(of(code)) as Error;
    t.match(fault, { code: 'DATABASE_LOST', message: 'why', cause: { code } });
    t.ok(faults.isUnavailable(fault) && faults.isIndeterminate(fault));
  }
  const other = of('23505');
  t.equal(faults.toDatabaseFault(other), other);
  t.equal(faults.toDatabaseFault(null), null);

  const states = (is: (error: unknown) => boolean) =>
    [
      '08006',
      '28000',
      '3D000',
      '40001',
      '40P01',
      '53300',
      '57014',
      '57P03',
      '55P03',
      '25P03',
      '25P04',
      '25006',
      '23505',
      '23503',
      '22001',
      '55P02',
      '25P02',
      '3D001',
      'DATABASE_BUSY',
      'DATABASE_SILENT',
      'DATABASE_UNAVAILABLE',
      'DATABASE_TIME_LIMIT',
      '',
    ]
      .filter((code) => is(of(code)))
      .join(' ');
  t.equal(
    states(faults.isUnavailable),
    '08006 28000 3D000 40001 40P01 53300 57014 57P03 55P03 25P03 25P04 25006 DATABASE_BUSY DATABASE_SILENT DATABASE_UNAVAILABLE DATABASE_TIME_LIMIT',
  );
  t.equal(states(faults.isIndeterminate), 'DATABASE_SILENT');
  t.equal(states(faults.isTimeout), 'DATABASE_TIME_LIMIT');
  t.match(faults.toDatabaseFault(of('57014')), { code: 'DATABASE_TIME_LIMIT', message: 'why', cause: {} });
  t.equal(states(faults.isBusy), 'DATABASE_BUSY');
  t.equal(states(faults.isLockFault), '40P01 55P03');
  t.equal(states(faults.isTaken), '23505');
  t.equal(states(faults.isOrphan), '23503');
  t.ok(faults.isRefusal(of('x', { severity: 'ERROR' })));
  for (const error of [of('x', { severity: 'FATAL' }), of('x'), null, undefined, 'text'])
    t.notOk(faults.isRefusal(error));
});

t.test('a look-up takes no row that is about something else', async (t) => {
  const answer = async (...rows: readonly { asked: string; found: number }[]) =>
    findAsked('mine', Promise.resolve(rows));
  t.strictSame(await answer({ asked: 'mine', found: 1 }), { found: 1 });
  t.equal(await answer(), null);
  await t.rejects(answer({ asked: 'yours', found: 2 }), { code: 'DATABASE_LOST' });
});

t.test('an answer without its first row is no answer, and its connection is not used again', async (t) => {
  const answers = [Object.assign(new Array(2), { 1: { one: 1 } }), []];
  let opened = 0;
  const connect = () => {
    opened += 1;
    const ask = async () => Object.assign(answers.shift() ?? [], { command: 'SELECT' });
    return Object.assign(ask, { end: async () => {} }) as unknown as postgres.Sql;
  };
  const bounds = { maxConnections: 1, maxQueued: 1, queueTimeoutMs: 1000, answerTimeoutMs: 1000 };
  const { sql } = createPool(connect, { ...bounds, transactionTimeoutMs: 1000 });
  await t.rejects(Promise.resolve(sql`select 1 as one`), { code: 'DATABASE_LOST' });
  t.strictSame([...(await sql`select 1 as one where false`)], []);
  t.equal(opened, 2);
});

t.test('the error for an unusable server names its addresses and says what to do', async (t) => {
  const server = { host: ['a', 'b'], port: [1], database: 'd', user: 'u' };
  const said = (code: string, address = server) =>
    faults.explainServerFault(Object.assign(new Error('x \n y'), { code }), address);
  t.match(said('DATABASE_UNAVAILABLE'), /^no Postgres answers at a:1, b:1 \(x y\): start it/);
  t.equal(said('DATABASE_TIME_LIMIT'), "the database d at a:1, b:1 can't be used: x y");
  t.match(said('28P01', { ...server, port: [1, 2] }), /^Postgres at a:1, b:2 refuses the user u:/);
  t.match(said('3D000'), /has no database d: create it/);
  t.equal(said('42P01'), "the database d at a:1, b:1 can't be used: x y");
  t.match(faults.explainServerFault('text', server), /: text$/);
});
