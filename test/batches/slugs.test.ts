import t from 'tap';
import { slugOfRow } from '../../src/batches/work/slugs.ts';
import { openDatabase } from '../../src/db/database.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { startApp } from '../support/app/app.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { decodePng } from '../support/pictures/decode.ts';
import { silent } from '../support/silent-log.ts';
import { createSender, ndjson, plainRows } from './support.ts';

t.test('a row whose slug is taken gets the next one, and its picture shows that', async (t) => {
  const store = await temporaryFolder(t);
  const url = await realDatabaseUrl();
  const { sql, close } = await openDatabase({ url, dataDir: '' }, silent);
  t.teardown(close);
  const env = { BATCH_STORE: store, DATABASE_URL: url };
  const idle = await startApp(t, { ...env, BATCH_WORKERS: '0' });
  const { id: accountId, key } = await idle.account({ monthlyQuota: 100 });
  const chosen = { data: 'https://example.com/chosen', dynamic: true, slug: 'chosen-one' };
  const sent = await createSender(idle, key).send(ndjson([...plainRows(3), chosen]));
  const rows = await sql<{ secret: Buffer }[]>`select secret from batches where id = ${sent.json.id}`;
  const { secret } = rows[0]!;
  await sql`
    insert into links (slug, account_id, destination)
    select slug, ${accountId}, 'https://example.com/other'
    from unnest(${[slugOfRow(secret, 2, 0), slugOfRow(secret, 4, 0)]}::text[]) as slug`;

  const working = await startApp(t, env);
  const { ended, entriesOf } = createSender(working, key);
  t.match(await ended(sent.json.id), { state: 'done', made: 4 });
  const pictures = (await entriesOf(sent.json.id)).slice(0, 4);
  const expected = [slugOfRow(secret, 1, 0), slugOfRow(secret, 2, 1), slugOfRow(secret, 3, 0), 'chosen-one'];
  t.strictSame(
    await Promise.all(pictures.map(({ bytes }) => decodePng(bytes))),
    expected.map((slug) => `http://qr.test/l/${slug}`),
  );
  t.match(await sql`select link_slug from own_slugs`, [{ linkSlug: slugOfRow(secret, 4, 1) }]);
});
