/** Placeholders that visits fill in, in the templates of batches, which fill in columns. */
import t from 'tap';
import { newSender, sharedBatchApp } from '../support.ts';

const { app } = await sharedBatchApp();
const follow = async (slug: string | null, path: string) =>
  (await app.call({ url: `/l/${slug}${path}` })).headers.location;

t.test('doubled braces of a template are placeholders of its links', async (t) => {
  const { begin, ended, get } = await newSender(app);
  const design = { template: 'https://brand.example/{sku}/{{slug}}?serial={{21}}&q={{query.q}}' };
  const id = await begin('sku,external_id,dynamic\nA 1,a,yes\nB/2,b,yes\n', {
    headers: { 'content-type': 'text/csv', design: JSON.stringify(design) },
  });
  t.match(await ended(id), { state: 'done', made: 2 });
  for (const [own, sku] of [
    ['a', 'A%201'],
    ['b', 'B%2F2'],
  ]) {
    const [code] = (await get(`/codes?external_id=${own}`)).json.data;
    t.equal(code!.destination, `https://brand.example/${sku}/{slug}?serial={21}&q={query.q}`);
    t.equal(
      await follow(code!.slug, '/01/09521321000018/21/S%2F1?q=x'),
      `https://brand.example/${sku}/${code!.slug}?serial=S%2F1&q=x`,
    );
  }
});

t.test('doubled braces that visits cannot fill in are an error of their row', async (t) => {
  const { begin, ended, errorsOf } = await newSender(app);
  const design = { template: 'https://brand.example/{sku}/{{serialnumber}}' };
  const id = await begin('sku,dynamic\nA,yes\n', {
    headers: { 'content-type': 'text/csv', design: JSON.stringify(design) },
  });
  t.match(await ended(id), { state: 'failed' });
  t.match(await errorsOf(id), [{ row: 1, message: /placeholder \{serialnumber\}/ }]);
});

t.test('a column data of dynamic rows is taken as it stands', async (t) => {
  const { begin, ended, get } = await newSender(app);
  const data = 'https://brand.example/{slug}';
  const id = await begin([{ data, dynamic: true, external_id: 'as it stands' }]);
  t.match(await ended(id), { state: 'done' });
  const [code] = (await get('/codes?external_id=as%20it%20stands')).json.data;
  t.equal(code!.destination, data);
  t.equal(await follow(code!.slug, ''), `https://brand.example/${code!.slug}`);
});
