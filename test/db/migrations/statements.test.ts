import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import t from 'tap';
import { readMigrations } from '../../../src/db/migrations/files.ts';
import { splitSql } from '../../../src/db/migrations/statements.ts';
import { fieldsOf } from '../../support/fields-of.ts';

/** Parts of statements, most of which have semicolons that end none. */
const PARTS = [
  'select 1',
  "'it''s; -- no comment'",
  '"a;""b"',
  '$$ begin; end; $$',
  "$do$ ';' $$;$$ $do$",
  "''",
  'x / y',
  'a - b',
];

t.test('statements are split at the semicolons between them, whatever they contain', async (t) => {
  const statement = fc
    .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(' '));
  const gap = fc.constantFrom('', '\n', ' -- a comment; with "one quote\n', "/* ; it's */");
  fc.assert(
    fc.property(fc.array(fc.tuple(gap, statement)), gap, (pairs, last) => {
      const text = pairs.map(([before, one]) => `${before}${one};`).join('') + last;
      t.same(
        splitSql(text),
        pairs.map(([, one]) => one),
      );
    }),
  );
});

t.test('a comment within a statement is left out', async (t) => {
  t.same(splitSql('select 1 -- one;\n, 2; ;\n'), ['select 1  \n, 2']);
});

t.test(
  'a file that begins with its line is online, and has no statement that cannot be resumed',
  async (t) => {
    const folder = t.testdir();
    const url = pathToFileURL(`${folder}/`);
    const file = (text: string) => writeFile(join(folder, '0001_a.sql'), text);
    const online = async () => fieldsOf(await readMigrations(url), 'online');
    await file('create table a (x integer);');
    t.same(await online(), [null]);
    await file('-- transaction: none\ncreate index concurrently i on a (x);\nalter table a add y integer;\n');
    t.same(await online(), [['create index concurrently i on a (x)', 'alter table a add y integer']]);
    const refused: Readonly<Record<string, RegExp>> = {
      '-- About it.\n-- transaction: none\nselect 1;': /0001_a\.sql does not begin with -- transaction: none/,
      '-- transaction: off\nselect 1;': /does not begin with/,
      '-- transaction: none\n': /0001_a\.sql: it has no statement/,
      '-- transaction: none\nbegin; select 1; commit;': /begin: .* leave this out/,
      '-- transaction: none\ncreate index concurrently if not exists i on a (x);': /without if not exists/,
      '-- transaction: none\ncreate index concurrently on a (x);': /create index concurrently name on/,
      '-- transaction: none\ndrop index concurrently i;': /drop index concurrently if exists/,
      '-- transaction: none\nreindex index concurrently i;': /reindex index concurrently i: write/,
    };
    for (const [text, message] of Object.entries(refused)) {
      await file(text);
      await t.rejects(online(), { message });
    }
  },
);
