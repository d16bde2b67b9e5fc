/** The index of a search: what it finds, when it is used, and how slow searches end. */
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Page } from '../../src/db/cursor.ts';
import type { Database } from '../../src/db/database.ts';
import { isTimeout } from '../../src/db/faults.ts';
import { replaceNul, toLikePattern } from '../../src/db/statements.ts';
import { createAccount } from '../../src/db/tables/accounts/accounts.ts';
import { changeCodes } from '../../src/db/tables/codes/chosen.ts';
import { insertCodes, type NewCode, type StoredCode } from '../../src/db/tables/codes/codes.ts';
import { findCodes } from '../../src/db/tables/codes/search.ts';
import {
  CODE_SORTS,
  type CodeSort,
  decodePlace,
  encodePlace,
  type Place,
} from '../../src/db/tables/codes/walks.ts';
import { ensureFolder } from '../../src/db/tables/folders.ts';
import { saveLinks } from '../../src/db/tables/links.ts';
import { nameKey } from '../../src/db/tables/names.ts';
import { rankScans } from '../../src/db/tables/scans/upkeep.ts';
import { createSlug } from '../../src/links/slug.ts';
import type { Grade } from '../../workers/protocol.ts';
import { fewestOf } from '../support/cases.ts';
import { realDatabase } from '../support/database/database.ts';
import { DATABASES } from '../support/database/kinds.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { DEFAULT_DESIGN } from '../support/pictures/designs.ts';

const FIXED = { link: null, design: DEFAULT_DESIGN, logo: null, grade: 4 as const, warnings: '' };

/** An account with a folder. */
const newOwner = async ({ sql }: Database) => {
  const { id: accountId } = await createAccount(sql, { name: 'x', plan: 'pro', monthlyQuota: null });
  const { id: folderId } = await ensureFolder(sql, accountId, 'x');
  const save = (codes: readonly NewCode[]) => insertCodes(sql, { accountId, folderId, keyId: null, codes });
  return { accountId, save };
};

const newAccount = async (database: Database, contents: readonly string[]) => {
  const { accountId, save } = await newOwner(database);
  for (let first = 0; first < contents.length; first += 100)
    await save(
      contents.slice(first, first + 100).map((content, position) => ({ ...FIXED, position, content })),
    );
  return accountId;
};

/** Follows the cursors to the end. */
const searchAll = async (
  { sql }: Database,
  filter: Parameters<typeof findCodes>[1],
  limit: number,
  bounds?: Parameters<typeof findCodes>[3],
) => {
  const rows: StoredCode[] = [];
  let pages = 0;
  for (let after: Place | null | undefined = null; after !== undefined; pages += 1) {
    const page: Page<StoredCode> = await findCodes(sql, filter, { after, limit }, bounds);
    if (page.rows.length > limit) throw new Error('a page is too long');
    rows.push(...page.rows);
    after = page.next === null ? undefined : decodePlace(filter.sort ?? 'newest', page.next)!;
  }
  return { rows, pages };
};

const suite = async (t: Test, database: Database) => {
  const { sql } = database;

  t.test('a text of three bytes or more is found in one page, however many codes there are', async (t) => {
    const contents = Array.from({ length: 400 }, (_, i) => `hay ${i}${i === 3 ? ' a n\u00e9edle' : ''}`);
    const accountId = await newAccount(database, contents);
    await newAccount(database, ['a n\u00e9edle of another account']);
    // The first statement reads the four newest, the second uses the index.
    const bounds = { firstRows: 4, stepRows: 16, maxSteps: 2, timeoutMs: 60_000 };
    const find = (search: string) => findCodes(sql, { accountId, search }, { after: null, limit: 5 }, bounds);
    for (const text of ['n\u00e9edle', 'N\u00e9E', 'hay 3 a n\u00e9edle']) {
      t.match(await find(text), { rows: [{ content: contents[3] }], next: null }, text);
    }
    t.strictSame(await find('needle'), { rows: [], next: null }, 'one page, even without matches');
    const short = await find('zz');
    t.equal(short.rows.length, 0);
    t.not(short.next, null, 'the index does not cover two letters');
  });

  t.test('codes with low grades are found among many good ones, in order and page by page', async (t) => {
    const { accountId, save } = await newOwner(database);
    const all: { content: string; grade: Grade }[] = [];
    for (let batch = 0; batch < 20; batch += 1) {
      const codes = Array.from({ length: 100 }, (_, position) => {
        const grade = (position % 25 === 0 ? batch % 4 : 4) as Grade;
        return { ...FIXED, position, content: `code ${batch} ${position}`, grade };
      });
      await save(codes);
      all.push(...codes);
    }
    const find = async (maxGrade: number, search: string) => {
      const grades = [0, 1, 2, 3, 4].filter((grade) => grade <= maxGrade);
      return fieldsOf((await searchAll(database, { accountId, search, grades }, 7)).rows, 'content');
    };
    for (const maxGrade of [0, 1, 2, 3, 4]) {
      const expected = all
        .filter(({ grade }) => grade <= maxGrade)
        .map(({ content }) => content)
        .reverse();
      t.strictSame(await find(maxGrade, ''), expected, `grade ${maxGrade} and lower`);
      const matching = expected.filter((content) => content.includes('7 5'));
      t.strictSame(await find(maxGrade, '7 5'), matching, 'with a search');
    }
  });

  t.test('a code is found by its name, its content and the present destination of its link', async (t) => {
    const { accountId, save } = await newOwner(database);
    const slug = createSlug();
    const destination = 'https://example.com/spring';
    const link = { link: { slug, destination }, name: 'Caf\u00e9 (harbour)' };
    const ids = await save([
      { ...FIXED, position: 0, content: destination, ...link },
      { ...FIXED, position: 1, content: 'plain' },
    ]);
    // The first statement reads only the newest code, so the other one is found by the index.
    const bounds = { firstRows: 1, maxSteps: 2, timeoutMs: 60_000 };
    const find = async (search: string) =>
      fieldsOf((await findCodes(sql, { accountId, search }, { after: null, limit: 5 }, bounds)).rows, 'id');
    const first = [ids.get(0)!];
    t.strictSame(await find('HARBOUR'), first);
    t.strictSame(await find('cafe\u0301'), first, 'in any Unicode normalisation');
    t.strictSame(await find('example.com/spring'), first);
    t.strictSame(await find('spring Caf'), [], 'not across the end of a field');

    const route = {
      ...{ activeFrom: null, activeUntil: null, beforeDestination: null, afterDestination: null },
      forward: null,
    };
    const guard = { rules: null, ruleSetId: null, visitLimit: null, passwordHash: null };
    const lead = (to: string) =>
      saveLinks(sql, [{ ...route, ...guard, slug, firstSlug: slug, destination: to }], {
        keyId: null,
        changeId: null,
      });
    await lead('https://example.org/autumn');
    t.strictSame(await find('org/Autumn'), first);
    t.strictSame(await find('example.com/spring'), first, 'the content still matches');
    await lead('https://example.org/winter');
    t.strictSame(await find('org/autumn'), [], 'not by an earlier destination');
    await sql.begin((tx) => changeCodes(tx, accountId, first, { name: null }));
    t.strictSame(await find('harbour'), [], 'not by an earlier name');
  });

  t.test('every order lists each code once, whatever the pages, the search and the folder', async (t) => {
    const { id: accountId } = await createAccount(sql, { name: 'x', plan: 'pro', monthlyQuota: null });
    const folders = await Promise.all(['a', 'b'].map((name) => ensureFolder(sql, accountId, name)));
    const names = ['Table 10', 'table 2', '\u00c9clair', 'eclair', 'Table 2', null, null, null];
    const all = new Map<string, { folderId: string; people: number }>();
    for (let batch = 0; batch < 3; batch += 1) {
      const { id: folderId } = folders[batch % 2]!;
      const codes = names.map((name, position) => {
        const isDynamic = position % 2 === 0;
        const link = isDynamic ? { slug: createSlug(), destination: 'https://example.com/' } : null;
        const content = link?.destination ?? `text ${position % 3}`;
        return { ...FIXED, position, content, name, link };
      });
      const ids = await insertCodes(sql, { accountId, folderId, keyId: null, codes });
      for (const { position, link } of codes) {
        const people = link === null ? 0 : (position + batch) % 4;
        all.set(ids.get(position)!, { folderId, people });
        if (link === null) continue;
        await sql`
          insert into scan_totals (slug, people, bots, previews, last_at) values (${link.slug}, ${people}, 9, 9, now())`;
      }
    }
    await rankScans(sql);

    const listAll = async (sort: CodeSort, filter: object, limit: number, rows: number) => {
      const bounds = { firstRows: rows, stepRows: rows, maxSteps: 3, timeoutMs: 60_000 };
      return (await searchAll(database, { accountId, search: '', ...filter, sort }, limit, bounds)).rows;
    };
    const newest = ({ createdAt, position }: StoredCode) => [-createdAt.getTime(), -position];
    const KEYS: Readonly<Record<CodeSort, (code: StoredCode) => readonly (number | string)[]>> = {
      newest,
      oldest: (code) => newest(code).map((part) => -part),
      name: (code) => (code.name === null ? [1, ...newest(code)] : [0, nameKey(code.name)]),
      scans: (code) => {
        const { people } = all.get(code.id)!;
        return [-people, ...(people === 0 ? newest(code) : [])];
      },
    };
    const isBefore = (a: readonly (number | string)[], b: readonly (number | string)[]): boolean => {
      const place = a.findIndex((part, i) => part !== b[i]);
      return place === -1 || a[place]! < b[place]!;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...CODE_SORTS),
        fc.constantFrom('', 'text', 'example', 'table', 'xt'),
        fc.option(fc.constantFrom(...folders.map(({ id }) => id))),
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(5, 40),
        async (sort, search, folderId, limit, rows) => {
          const found = await listAll(sort, { search, ...(folderId && { folderId }) }, limit, rows);
          const isWanted = ({
            content,
            name,
            folderId: own,
          }: Pick<StoredCode, 'content' | 'name' | 'folderId'>) =>
            `${content}\n${name}`.toLowerCase().includes(search) && (folderId ?? own) === own;
          const everything = await listAll('oldest', {}, 100, 100);
          t.strictSame(
            new Set(found.map(({ id }) => id)),
            new Set(everything.filter(isWanted).map(({ id }) => id)),
            `${sort}, ${search}`,
          );
          const keys = found.map(KEYS[sort]);
          return (
            new Set(found.map(({ id }) => id)).size === found.length &&
            keys.every((key, i) => i === 0 || isBefore(keys[i - 1]!, key))
          );
        },
      ),
      { numRuns: 16 },
    );
    const byKey = ['Table 10', 'table 2', '\u00c9clair'].sort((a, b) => (nameKey(a) < nameKey(b) ? -1 : 1));
    t.strictSame(byKey, ['\u00c9clair', 'table 2', 'Table 10'], 'in alphabetical order for people');
  });

  t.test('finds the same codes as a full scan, in order, in pages of any size', async (t) => {
    const piece = fc.constantFrom(..."aAb%_\\\0'\u00e9\u{1f600}", '000', '\\000');
    const text = (maxLength: number) =>
      fc.array(piece, { minLength: 1, maxLength }).map((pieces) => pieces.join(''));
    const sizes = fc.record({
      stepRows: fc.integer({ min: 1, max: 9 }),
      maxSteps: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(text(6), { minLength: 1, maxLength: 40 }),
        text(2),
        fc.integer({ min: 1, max: 9 }),
        sizes,
        async (contents, search, limit, bounds) => {
          const accountId = await newAccount(database, contents);
          const plain = (content: string) => content.replaceAll('\0', ' ').toLowerCase();
          const expected = contents.filter((content) => plain(content).includes(plain(search))).reverse();
          const { rows } = await searchAll(database, { accountId, search }, limit, bounds);
          return t.strictSame(fieldsOf(rows, 'content'), expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  t.test('examines a limited number of rows for a page, and continues there', async (t) => {
    const accountId = await newAccount(database, ['no', ...Array.from({ length: 99 }, () => 'hay')]);
    const pagesOf = async (bounds: object) => {
      const all = { ...bounds, timeoutMs: 60_000 };
      const { rows, pages } = await searchAll(database, { accountId, search: 'no' }, 5, all);
      t.strictSame(fieldsOf(rows, 'content'), ['no']);
      return pages;
    };
    t.equal(await pagesOf({ stepRows: 10, maxSteps: 3 }), 4);
    t.equal(await pagesOf({}), 1);
  });

  t.test('the index finds every code that contains the text, in any case and script', async (t) => {
    const letters = [...'abAB%_\\\0\u00e9\u00c9\u0416\u0436\u03a3\u03c3\u4e2d\u6587\u212a\u0130\u{1f600}'];
    const piece = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 6 });
    const text = piece.map((letters) => letters.join(''));
    const account = '5f0c2a52-6f6c-4d6e-9a52-0d5c1f3f9b11';
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(text, text, text, fc.boolean(), async (before, search, after, isUpper) => {
        const content = before + (isUpper ? search.toUpperCase() : search.toLowerCase()) + after;
        const [row] = await sql<[{ isHit: boolean; isNamed: boolean }]>`
          select content ilike ${toLikePattern(search)} as is_hit,
            search_grams(${account}, content) @> search_grams(${account}, ${replaceNul(search)}) as is_named
          from searchable(${Buffer.from(content)}) as content`;
        if (row.isHit) hits += 1;
        return t.ok(!row.isHit || row.isNamed, JSON.stringify({ content, search }));
      }),
      { numRuns: 150 },
    );
    t.ok(hits > fewestOf(50), `${hits} hits`);
  });
};

const embedded = DATABASES['the embedded database'];
if (embedded) t.test('on the embedded database', async (t) => suite(t, await embedded(t)));

t.test('on a real Postgres', async (t) => {
  await suite(t, await realDatabase(t));

  t.test('the index is used for any size of account, and reads only entries of that account', async (t) => {
    // One connection, so that it sees its own statistics.
    const database = await realDatabase(t, { maxConnections: 1 });
    const { sql } = database;
    const contents = Array.from({ length: 2000 }, (_, i) => `https://example.com/${i}`);
    const sizes = [2000, 200];
    const accounts = await Promise.all(sizes.map((size) => newAccount(database, contents.slice(0, size))));
    await sql`analyze codes`;
    const readIndex = async () => {
      await sql`select pg_stat_force_next_flush()`;
      const [row] = await sql<[{ scans: number; codes: number }]>`
        select idx_scan as scans, idx_tup_read as codes from pg_stat_user_indexes
        where indexrelname = 'codes_by_grams'`;
      return row;
    };
    for (const [i, accountId] of accounts.entries()) {
      const before = await readIndex();
      const filter = { accountId, search: 'example.com/17' };
      const bounds = { firstRows: 1, maxSteps: 2, timeoutMs: 60_000 };
      await findCodes(sql, filter, { after: null, limit: 100 }, bounds);
      const after = await readIndex();
      const matches = contents.slice(0, sizes[i]).filter((content) => content.includes(filter.search)).length;
      t.strictSame([after.scans - before.scans, after.codes - before.codes], [1, matches]);
    }
  });

  t.test('a search that times out returns the page so far', async (t) => {
    const database = await realDatabase(t);
    const { sql } = database;
    const contents = Array.from({ length: 30 }, (_, i) => (i % 10 === 0 ? 'needle' : `pin ${i}`));
    const accountId = await newAccount(database, contents);
    await sql.unsafe(`
      create or replace function search_grams(account_id uuid, content text) returns bigint[]
      language plpgsql immutable strict parallel safe as $$ begin perform pg_sleep(5); return '{}'; end $$`);
    const find = (search: string, timeoutMs: number) =>
      findCodes(sql, { accountId, search }, { after: null, limit: 20 }, { firstRows: 10, timeoutMs });
    const page = await find('needle', 500);
    t.equal(page.rows.length, 1, 'the result of the first statement');
    t.not(page.next, null);
    t.equal((await find('pin', 60_000)).rows.length, 20, 'a frequent text needs no index');
    await sql.begin(async (tx) => {
      await tx`lock table codes in access exclusive mode`;
      t.equal(isTimeout(await find('needle', 100).catch((error: unknown) => error)), true);
    });
  });

  t.test('a search whose signal is aborted returns the page so far', async (t) => {
    const database = await realDatabase(t);
    const accountId = await newAccount(
      database,
      Array.from({ length: 30 }, () => 'hay'),
    );
    const bounds = { firstRows: 10, signal: AbortSignal.abort() };
    const page = await findCodes(
      database.sql,
      { accountId, search: 'needle' },
      { after: null, limit: 20 },
      bounds,
    );
    t.not(page.next, null);
  });
});

t.test('a position is accepted only for its own order, and only with values of the right types', async () => {
  const end = { createdAt: new Date(5), position: 3, id: '5f0c2a52-6f6c-4d6e-9a52-0d5c1f3f9b11' };
  const isText = (value: unknown) => value === null || value === 'text';
  const value = fc.constantFrom<unknown>(null, null, 'text', 'text', 'a\0b', 7, 7, 1.5, {});
  fc.assert(
    fc.property(
      fc.constantFrom(...CODE_SORTS),
      fc.constantFrom(...CODE_SORTS),
      fc.record({ nameKey: value, people: value, slug: value }),
      (writtenFor, sort, values) => {
        const read = decodePlace(sort, encodePlace(writtenFor, { ...end, ...values } as Place));
        const isByAge = (one: CodeSort) => one === 'newest' || one === 'oldest';
        if (isByAge(writtenFor) || isByAge(sort))
          return (
            JSON.stringify(read) === (isByAge(writtenFor) && isByAge(sort) ? JSON.stringify(end) : undefined)
          );
        const { nameKey: key, people, slug } = values;
        const isRight = isText(key) && isText(slug) && (people === null || people === 7);
        if (writtenFor !== sort || !isRight) return read === undefined;
        return JSON.stringify(read) === JSON.stringify({ ...end, ...values });
      },
    ),
    { numRuns: 1000 },
  );
});
