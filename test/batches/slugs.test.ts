import t from 'tap';
import { slugOfRow } from '../../src/batches/work/draw.ts';
import { decodePng } from '../support/pictures/decode.ts';
import { newSender, sharedBatchApp } from './support.ts';

t.test('a row whose generated slug is taken gets another one, and its picture shows that', async (t) => {
  const { app, sql } = await sharedBatchApp();
  const { id: accountId, begin, put, ended, entriesOf } = await newSender(app);
  await put('/counters/held', { next: 1 });
  const headers = { design: JSON.stringify({ template: 'https://example.com/{held}' }) };
  const row = { dynamic: true };
  // The batch waits for its numbers until some of its slugs are taken.
  const { id, secret } = await sql.begin(async (tx) => {
    await tx`select from counters where account_id = ${accountId} for update`;
    const begun = await begin([row, row, row, { ...row, slug: 'chosen-one' }], { headers });
    const [batch] = await tx<[{ id: string; secret: Buffer }]>`
      select id, secret from batches where id = ${begun}`;
    await tx`
      insert into links (slug, account_id, destination)
      select slug, ${accountId}, 'https://example.com/other'
      from unnest(${[slugOfRow(batch.secret, 2, 0), slugOfRow(batch.secret, 4, 0)]}::text[]) as slug`;
    return batch;
  });
  t.match(await ended(id), { state: 'done', made: 4 });
  const pictures = (await entriesOf(id)).slice(0, 4);
  const expected = [slugOfRow(secret, 1, 0), slugOfRow(secret, 2, 1), slugOfRow(secret, 3, 0), 'chosen-one'];
  t.strictSame(
    await Promise.all(pictures.map(({ bytes }) => decodePng(bytes))),
    expected.map((slug) => `http://qr.test/l/${slug}`),
  );
  t.match(await sql`select link_slug from own_slugs where slug = 'chosen-one'`, [
    { linkSlug: slugOfRow(secret, 4, 1) },
  ]);
});
