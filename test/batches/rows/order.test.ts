/** The order of the codes of batches, where pieces are saved in any order. */
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { until } from '../../servers/until.ts';
import { fieldsOf } from '../../support/fields-of.ts';
import { readZip } from '../../support/files/zip.ts';
import { newSender, SLOW_FORMATS, slowRows, startBatchApp } from '../support.ts';

const { app, sql } = await startBatchApp(t, { BATCH_WORKERS: '2' });

/** The first piece of each batch is saved last, as when the gateway that made it was killed. */
await sql.unsafe(`
  create function test_hold_first_piece() returns trigger language plpgsql as $$
  begin
    if exists (select from batch_pieces where batch_id = new.batch_id and first_row > 1 and state <> 'made') then
      raise exception 'not yet';
    end if;
    return new;
  end $$;
  create trigger test_hold_first_piece before update on batch_pieces
    for each row when (new.state = 'made' and new.first_row = 1) execute function test_hold_first_piece()`);

t.test('rows keep their order in lists, archives and labels, whichever piece is saved first', async (t) => {
  const { begin, get, post, show, ended } = await newSender(app);
  const rowsOf = (batch: string) =>
    slowRows(30).map((row, i) => ({
      ...row,
      name: `${batch} ${i}`,
      external_id: `${batch}-${i}`,
      tags: [batch],
    }));
  const query = `?folder_name=Labels&${SLOW_FORMATS}`;
  const first = await begin(rowsOf('one'), { query });
  await until(async () => (await show(first)).made >= 10, { pauseMs: 10 });
  const second = await begin(rowsOf('two'), { query });
  const single = { data: 'https://example.com/single', name: 'single', folder_name: 'Labels' };
  await post('/codes', single);
  const growing = await get('/codes?limit=1');
  t.match(growing.headers['tessera-unfinished-batches'], /^[12]$/, 'a list says that rows may be missing');

  const { folder_id: folder } = await ended(first);
  t.match([await ended(first), await ended(second)], [{ made: 30 }, { made: 30 }]);
  const namesOf = async (path: string) => {
    const { json, headers } = await get(path);
    t.equal(headers['tessera-unfinished-batches'], undefined);
    return fieldsOf(json.data, 'name');
  };
  const of = (names: readonly (string | null)[], batch: string) =>
    names.filter((name) => name?.startsWith(batch));
  const wanted = (batch: string) => rowsOf(batch).map(({ name }) => name);
  const all = await namesOf(`/folders/${folder}/codes?limit=100`);
  t.equal(all.length, 61);
  t.strictSame(all.slice(0, 30), wanted('one'), 'and together');
  t.strictSame(of(all, 'two'), wanted('two'));
  t.strictSame(await namesOf(`/codes?sort=oldest&limit=100`), all);
  t.strictSame((await namesOf(`/codes?limit=100`)).toReversed(), all, 'newest first');
  t.strictSame(await namesOf(`/codes?sort=oldest&limit=100&tag=two`), wanted('two'));
  t.strictSame(await namesOf(`/codes?sort=oldest&limit=100&search=one%20`), wanted('one'));
  const archive = await readZip((await get(`/folders/${folder}/archive`)).bytes);
  const manifest = parse(archive.at(-1)!.bytes, { columns: true }) as { name: string }[];
  t.strictSame(fieldsOf(manifest, 'name'), all);
  const [{ pieces }] = await sql<[{ pieces: number }]>`
    select count(*)::int as pieces from batch_pieces where batch_id = ${first} and failures > 0`;
  t.equal(pieces, 1, 'its first piece was saved last');
});
