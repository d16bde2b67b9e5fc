/** Own ids of rows that no other code may have. */
import t from 'tap';
import { until } from '../../servers/until.ts';
import { newSender, plainRows, sharedBatchApp, slowRows } from '../support.ts';

const { app } = await sharedBatchApp();
const UNIQUE = { query: '?unique=external_id' };
const named = (rows: readonly object[], first = 1) =>
  rows.map((row, n) => ({ ...row, external_id: `id ${n + first}` }));

t.test('a row whose own id a code has already is told, and the batch costs nothing', async (t) => {
  const { make, post, del, get, errorsOf, used } = await newSender(app, { monthlyQuota: 5000 });
  for (const id of ['id 2', 'id 1200'])
    t.equal((await post('/codes', { data: 'kept', external_id: id })).status, 201);
  const rows = named(plainRows(1300));
  rows[4] = { ...rows[4]!, external_id: 'id 2' };
  const refused = await make(rows, UNIQUE);
  t.match(refused, { state: 'failed', errors: 3, duplicates: 0, made: 0 });
  const found = await errorsOf(refused.id);
  t.match(
    found.map(({ row, external_id: id, field }) => [row, id, field]),
    [
      [2, 'id 2', 'external_id'],
      [5, 'id 2', 'external_id'],
      [1200, 'id 1200', 'external_id'],
    ],
  );
  for (const { message } of found) t.match(message, /^must be unique, and your code [\w-]{36} has it$/);
  t.equal(await used(), 2);

  for (const query of ['', '?unique=external_id&duplicates=report'])
    t.match(await make(rows.slice(1, 3), { query }), { state: 'done', made: 2 }, `${query} does not compare`);
  for (const { id } of (await get('/codes?limit=100')).json.data) await del(`/codes/${id}`);
  t.match(await make(named(plainRows(3)), UNIQUE), { state: 'done', made: 3 }, 'the bin does not count');
  const { make: other } = await newSender(app);
  t.match(await other(named(plainRows(3)), UNIQUE), { state: 'done', made: 3 }, 'ids are of one account');
});

t.test('an id that is taken after the batch was checked fails its row alone', async (t) => {
  const { begin, show, post, ended, get, errorsOf, used } = await newSender(app);
  const id = await begin(named(slowRows(300)), { query: '?unique=external_id&formats=pdf' });
  await until(async () => (await show(id)).made > 0, { pauseMs: 5 });
  const wanted = { data: 'quick', external_id: 'id 300', external_id_unique: true };
  const { status } = await post('/codes', wanted);
  const batch = await ended(id);
  t.equal((await get('/codes?external_id=id%20300')).json.data.length, 1, 'one of the two has it');
  t.equal(await used(), 300);
  // A fast machine may have made the row before.
  if (status === 409) {
    t.match(batch, { state: 'done', made: 300 });
    return;
  }
  t.match(batch, { state: 'done', made: 299, refunded: 1 });
  t.match(await errorsOf(id), [{ row: 300, field: 'external_id', message: /^must be unique/ }]);
  t.comment('the row was taken while the batch ran');
});
