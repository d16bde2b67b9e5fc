/** Lists and counts of codes by what they are: dynamic or not, their grade, age, size, folder and tag. */
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Database } from '../../src/db/database.ts';
import { createAccount } from '../../src/db/tables/accounts/accounts.ts';
import { deleteCodes, retagCodes } from '../../src/db/tables/codes/chosen.ts';
import { insertCodes, type NewCode } from '../../src/db/tables/codes/codes.ts';
import { countCodes } from '../../src/db/tables/codes/count.ts';
import { findCodes } from '../../src/db/tables/codes/search.ts';
import { CODE_SORTS, type CodeFilter, decodePlace, type Place } from '../../src/db/tables/codes/walks.ts';
import { ensureFolder } from '../../src/db/tables/folders.ts';
import { createSlug } from '../../src/links/slug.ts';
import type { Grade } from '../../workers/protocol.ts';
import { DATABASES } from '../support/database/kinds.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { DEFAULT_DESIGN } from '../support/pictures/designs.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);
const HOURS = 6;
const WIDTHS = [200, 300, 1000];
const hourAt = (hour: number): Date => new Date(START_MS + hour * HOUR_MS);

/** A saved code, and what the filters see of it. */
interface Made {
  readonly id: string;
  readonly folderId: string;
  readonly isDynamic: boolean;
  readonly grade: number;
  readonly at: Date;
  readonly widthPx: number;
  readonly tags: readonly string[];
}

/** Saves codes of every grade and kind: in each of six hours forty, in two folders. */
const makeCodes = async ({ sql }: Database) => {
  const { id: accountId } = await createAccount(sql, { name: 'x', plan: 'pro', monthlyQuota: null });
  const made: Made[] = [];
  for (let hour = 0; hour < HOURS; hour += 1) {
    const { id: folderId } = await ensureFolder(sql, accountId, hour % 2 === 0 ? 'even' : 'odd');
    const codes = Array.from({ length: 40 }, (_, position): NewCode => {
      const isDynamic = position % 3 === 0;
      return {
        ...{ position, content: `code ${hour} ${position}`, logo: null, warnings: '' },
        ...(position % 4 === 0 && { name: `Name ${40 - position}` }),
        ...(position % 7 === 0 && { tags: ['seventh'] }),
        link: isDynamic ? { slug: createSlug(), destination: 'https://example.com/' } : null,
        design: { ...DEFAULT_DESIGN, widthPx: WIDTHS[position % 3]! },
        grade: (position % 9 < 5 ? 4 : (hour + position) % 5) as Grade,
      };
    });
    const at = hourAt(hour);
    const ids = await insertCodes(sql, { accountId, folderId, keyId: null, at, codes });
    for (const { position, link, grade, design, tags = [] } of codes)
      made.push({
        ...{ id: ids.get(position)!, folderId, isDynamic: link !== null, grade, at, tags },
        widthPx: design.widthPx,
      });
  }
  // The bin's are in no list.
  await sql.begin((tx) => deleteCodes(tx as never, accountId, [made.pop()!.id]));
  return { accountId, made, folderIds: [...new Set(fieldsOf(made, 'folderId'))] };
};

const isWanted = (code: Made, filter: Omit<CodeFilter, 'accountId' | 'search'>): boolean => {
  const { folderId, tag, isDynamic, grades, createdFrom, createdTo, minWidthPx, maxWidthPx } = filter;
  return (
    (folderId === undefined || code.folderId === folderId) &&
    (tag === undefined || code.tags.includes(tag)) &&
    (isDynamic === undefined || code.isDynamic === isDynamic) &&
    (grades === undefined || grades.includes(code.grade)) &&
    (createdFrom === undefined || code.at >= createdFrom) &&
    (createdTo === undefined || code.at < createdTo) &&
    (minWidthPx === undefined || code.widthPx >= minWidthPx) &&
    (maxWidthPx === undefined || code.widthPx <= maxWidthPx)
  );
};

const suite = async (t: Test, database: Database) => {
  const { sql } = database;
  const { accountId, made, folderIds } = await makeCodes(database);
  const hour = fc.integer({ min: 0, max: HOURS }).map(hourAt);
  const filters = fc.record(
    {
      folderId: fc.constantFrom(...folderIds),
      tag: fc.constantFrom('seventh', 'none'),
      isDynamic: fc.boolean(),
      grades: fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }),
      createdFrom: hour,
      createdTo: hour,
      minWidthPx: fc.constantFrom(200, 250, 1000),
      maxWidthPx: fc.constantFrom(199, 300, 5000),
      sort: fc.constantFrom(...CODE_SORTS),
    },
    { requiredKeys: [] },
  );

  t.test('any filters list exactly the codes that have all of it, in any order, page by page', async (t) => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 60 }), async (some, limit) => {
        const { sort = 'newest', ...filter } = some;
        const found: string[] = [];
        for (let after: Place | null | undefined = null; after !== undefined; ) {
          const request = { after, limit };
          const page = await findCodes(sql, { accountId, search: '', sort, ...filter }, request);
          found.push(...fieldsOf(page.rows, 'id'));
          after = page.next === null ? undefined : decodePlace(sort, page.next)!;
        }
        const wanted = fieldsOf(
          made.filter((code) => isWanted(code, filter)),
          'id',
        ).sort();
        t.strictSame([...found].sort(), wanted);
        if (sort === 'newest') t.strictSame(found, [...wanted].reverse());
        if (sort === 'oldest') t.strictSame(found, wanted);
        const counts = await countCodes(sql, { accountId, search: '', ...filter });
        t.strictSame(counts, { count: wanted.length, isExact: true });
      }),
      { numRuns: 300 },
    );
  });

  t.test('more than 10,000 matches are counted as that many, and not exactly', async (t) => {
    const { id: large } = await createAccount(sql, { name: 'large', plan: 'pro', monthlyQuota: null });
    const { id: folderId } = await ensureFolder(sql, large, 'large');
    const save = (count: number, from = 0) =>
      insertCodes(sql, {
        ...{ accountId: large, folderId, keyId: null },
        codes: Array.from({ length: count }, (_, index) => ({
          ...{ position: from + index, content: `${from + index}`, link: null, logo: null },
          ...{ design: DEFAULT_DESIGN, grade: 3 as const, warnings: '' },
        })),
      });
    for (let first = 0; first < 10_000; first += 2500) await save(2500, first);
    const count = (filter: Partial<CodeFilter>) =>
      countCodes(sql, { accountId: large, search: '', ...filter });
    t.strictSame(await count({ grades: [3] }), { count: 10_000, isExact: true });
    await save(1);
    t.strictSame(await count({ grades: [3] }), { count: 10_000, isExact: false });
    t.strictSame(
      await count({ isDynamic: false }),
      { count: 10_001, isExact: true },
      'kept counts have no bound',
    );
  });

  t.test(
    'tags are added behind those that a code has, and removed, unless one would have too many',
    async (t) => {
      const { id: owner } = await createAccount(sql, { name: 'tags', plan: 'pro', monthlyQuota: null });
      const { id: folderId } = await ensureFolder(sql, owner, 'tags');
      const tag = fc.integer({ min: 0, max: 25 }).map(String);
      const tags = fc.uniqueArray(tag, { maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(
          fc.array(tags, { minLength: 1, maxLength: 3 }),
          tags,
          tags,
          async (had, some, remove) => {
            const add = some.filter((each) => !remove.includes(each));
            const codes = had.map(
              (before, position): NewCode => ({
                ...{
                  position,
                  content: 'x',
                  link: null,
                  logo: null,
                  design: DEFAULT_DESIGN,
                  grade: 4,
                  warnings: '',
                },
                tags: before,
              }),
            );
            const saved = await insertCodes(sql, { accountId: owner, folderId, keyId: null, codes });
            const ids = had.map((_, position) => saved.get(position)!);
            const wanted = had.map((before) =>
              [...new Set([...before, ...add])].filter((each) => !remove.includes(each)),
            );
            const done = await sql.begin((tx) => retagCodes(tx as never, owner, ids, { add, remove }));
            const rows = await sql<{ tags: string[] }[]>`
          select coalesce(tags, '{}') as tags from codes where id = any(${ids}::uuid[]) order by id`;
            const full = wanted.findIndex((each) => each.length > 20);
            if (full < 0) {
              t.strictSame(fieldsOf(rows, 'tags'), wanted);
              t.equal(done, wanted.filter((each, i) => `${each}` !== `${had[i]}`).length);
            } else {
              t.match(done, { full: ids[full] });
              t.strictSame(fieldsOf(rows, 'tags'), had, 'none is changed');
            }
          },
        ),
        { numRuns: 100 },
      );
    },
  );
};

for (const [kind, open] of Object.entries(DATABASES))
  t.test(`on ${kind}`, async (t) => suite(t, await open(t)));
