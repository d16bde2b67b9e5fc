import { findCodes } from '../../src/db/tables/codes/search.ts';
import { createRandom } from '../random.ts';
import { sum } from '../stats.ts';
import { measured, type Verdict } from '../verdict.ts';
import { onBothDatabases, openFolder, saveCodes } from './databases.ts';
import { type Part, p95Of, timesOf } from './part.ts';

const CODES = 100_000;
const CHARACTERS = 2048;
const BATCH = 100;
const P95_MAX_MS = 50;
const SYLLABLES =
  'ba be bi bo ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so ta te ti to'.split(
    ' ',
  );
/** One code in a thousand contains this text. */
const RARE = 'zyxwquartz';
/** The texts to search for. A text of two letters cannot use the index. */
const SEARCHES: readonly (readonly [name: string, text: string])[] = [
  ['no match', 'xylophone-of-glass'],
  ['no match, of frequent parts', 'tatetitokakekikobabebibo'],
  ['one code of ten', '5?q='],
  ['rare', RARE],
  ['one code', 'items/7?'],
  ['every code', 'https://'],
  ['no match, two letters', 'ZX'],
];

/** Returns the contents of codes: made-up words, the same in every run. */
const createContents = (): ((number: number) => string) => {
  const random = createRandom(20_261_122);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() ** 2 * items.length)]!;
  const words = Array.from({ length: 5000 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(SYLLABLES)).join(''),
  );
  return (number) => {
    const parts = [`https://example.com/items/${number}?q=`, ...(number % 1000 === 500 ? [RARE] : [])];
    for (let size = parts.join(' ').length; size < CHARACTERS; size += parts.at(-1)!.length + 1)
      parts.push(pick(words));
    return parts.join(' ').slice(0, CHARACTERS);
  };
};

/** The speed of saving and searching the codes of one large account. */
export const search: Part = (_, { share }) =>
  onBothDatabases(async (sql) => {
    const contentOf = createContents();
    const place = await openFolder(sql);
    const batches = Math.ceil((CODES * share) / BATCH);
    const savesMs = await timesOf(batches, (batch) =>
      saveCodes(
        sql,
        place,
        Array.from({ length: BATCH }, (_, i) => ({ content: contentOf(batch * BATCH + i) })),
      ),
    );
    const codes = batches * BATCH;
    const [size] = await sql<[{ bytes: number }]>`select pg_relation_size('codes_by_grams') as bytes`;
    const verdicts: Verdict[] = [
      measured('saving in groups of 100', (codes / sum(savesMs)) * 1000, 'codes a second'),
      measured('index', size.bytes / codes, 'bytes a code'),
    ];
    for (const [name, text] of SEARCHES) {
      const filter = { accountId: place.accountId, search: text };
      const find = () => findCodes(sql, filter, { after: null, limit: 20 });
      verdicts.push(await p95Of(name, find, text.length < 3 ? null : P95_MAX_MS));
    }
    return verdicts;
  });
