/**
 * `npm run bench:search` measures how fast codes of one large account are saved and searched. The contents are invented
 * words from a fixed seed; one in a thousand contains a rare word.
 */
import { createAccount } from '../src/db/tables/accounts.ts';
import { findCodes } from '../src/db/tables/code-search.ts';
import { insertCodes } from '../src/db/tables/codes.ts';
import { ensureFolder } from '../src/db/tables/folders.ts';
import { toDesign } from '../src/generate/request/design.ts';
import { commandLine } from './command/main.ts';
import { whole } from './command/whole.ts';
import { withDatabase } from './database.ts';
import { createRandom } from './random.ts';
import { say } from './say.ts';
import { sum } from './stats.ts';
import { percentiles, time } from './timing.ts';

const BATCH = 100;
const SAMPLES = 40;
const TARGET_P95_MS = 50;
const SYLLABLES =
  'ba be bi bo ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so ta te ti to'.split(
    ' ',
  );
const RARE = 'zyxwquartz';

/** The texts to search for, and whether the target applies: a text of two letters cannot use the index. */
const SEARCHES = [
  { name: 'no match', text: 'xylophone-of-glass', isIndexed: true },
  { name: 'no match, its parts are frequent', text: 'tatetitokakekikobabebibo', isIndexed: true },
  { name: 'one code of ten', text: '5?q=', isIndexed: true },
  { name: 'rare', text: RARE, isIndexed: true },
  { name: 'one code', text: 'items/7?', isIndexed: true },
  { name: 'every code', text: 'https://', isIndexed: true },
  { name: 'no match, two letters', text: 'ZX', isIndexed: false },
] as const;

const DESIGN = toDesign({});

const random = createRandom(20_261_122);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() ** 2 * items.length)]!;
const words = Array.from({ length: 5000 }, () =>
  Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(SYLLABLES)).join(''),
);

const contentOf = (number: number, length: number): string => {
  const parts = [`https://example.com/items/${number}?q=`, ...(number % 1000 === 500 ? [RARE] : [])];
  for (let size = parts.join(' ').length; size < length; size += parts.at(-1)!.length + 1)
    parts.push(pick(words));
  return parts.join(' ').slice(0, length);
};

const { values: options } = commandLine({
  name: 'npm run bench:search',
  about:
    'Measures how fast codes of one large account are saved and searched. Ends with 1 when the 95th percentile of a search for a text of three letters or more is above 50 ms.',
  options: {
    url: {
      type: 'string',
      value: 'postgres://…',
      text: 'an empty database, which is not cleaned up; without it an embedded one',
    },
    codes: whole('codes to save', 100_000),
    length: whole('characters of each', 2048),
  },
  examples: [
    ['--codes 10000 --length 100', 'a rough answer, on an embedded database'],
    ['--url postgres://localhost/bench', 'on a server'],
  ],
});
const [codes, length] = [Number(options.codes), Number(options.length)];

await withDatabase(options.url, async ({ sql }) => {
  const { id: accountId } = await createAccount(sql, { name: 'bench', plan: 'pro', monthlyQuota: null });
  const { id: folderId } = await ensureFolder(sql, accountId, 'bench');
  const insertsMs: number[] = [];
  for (let first = 0; first < codes; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, codes - first) }, (_, position) => ({
      position,
      content: contentOf(first + position, length),
      link: null,
      design: DESIGN,
      logo: null,
      grade: 4 as const,
      warnings: '',
    }));
    insertsMs.push(
      await time(() =>
        sql.begin((tx) => insertCodes(tx, { accountId, folderId, keyId: null, codes: batch })),
      ),
    );
  }
  const aSecond = Math.round((codes / sum(insertsMs)) * 1000);
  say(JSON.stringify({ name: 'batches of 100', codes, length, aSecond, ...percentiles(insertsMs) }));
  const [size] = await sql<[{ bytes: number }]>`select pg_relation_size('codes_by_grams') as bytes`;
  say(JSON.stringify({ name: 'index', bytesPerCode: Math.round(size.bytes / codes) }));

  let missed = 0;
  for (const { name, text, isIndexed } of SEARCHES) {
    const timesMs: number[] = [];
    let found = { rows: 0, isLast: true };
    for (let i = 0; i < SAMPLES; i += 1) {
      timesMs.push(
        await time(async () => {
          const page = await findCodes(sql, { accountId, search: text }, { after: null, limit: 20 });
          found = { rows: page.rows.length, isLast: page.next === null };
        }),
      );
    }
    const result = percentiles(timesMs);
    if (isIndexed && result.p95Ms > TARGET_P95_MS) missed += 1;
    say(JSON.stringify({ name, ...found, ...result }));
  }
  say(missed === 0 ? `all below ${TARGET_P95_MS} ms` : `${missed} searches above ${TARGET_P95_MS} ms`);
  process.exitCode = missed === 0 ? 0 : 1;
});
