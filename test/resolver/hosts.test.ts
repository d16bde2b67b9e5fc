/** The resolver on its own host, and without RESOLVER. */
import t from 'tap';
import { startApp } from '../support/app/app.ts';
import { newClient, RANDOM_ID } from '../support/app/client.ts';

const PATH = '/01/09521321000018';
const ITEM = {
  key: '(01)09521321000018',
  links: [{ rel: 'gs1:pip', href: 'https://brand.example/', title: 'Juice' }],
};

t.test('the host of the resolver answers only Digital Link URIs, and other hosts do not', async (t) => {
  const app = await startApp(t, { RESOLVER: 'on', RESOLVER_URL: 'https://id.test' });
  const client = await newClient(app);
  const made = await client.post('/resolver/items', ITEM);
  t.equal(made.json.url, `https://id.test${PATH}`);
  const at = async (host: string, url: string) => (await app.call({ url, headers: { host } })).status;
  for (const host of ['id.test', 'ID.test']) t.equal(await at(host, PATH), 307);
  t.equal(await at('id.test', '/.well-known/gs1resolver'), 200);
  for (const url of ['/dashboard/', '/docs/', '/l/abcdefgh', `/api/v1/folders/${RANDOM_ID}`, '/nothing'])
    t.equal(await at('id.test', url), 404, url);
  for (const url of [PATH, '/.well-known/gs1resolver']) t.equal(await at('qr.test', url), 404, url);
  t.equal(await at('qr.test', '/healthz'), 200);
  const head = await app.call({ url: PATH, headers: { host: 'id.test' }, method: 'HEAD' });
  t.match(head.headers.link, /^<https:\/\/id\.test\/01\//);
  const own = { links: [{ ...ITEM.links[0]!, href: `https://id.test${PATH}` }] };
  t.equal((await client.patch(`/resolver/items/${made.json.id}`, own)).status, 400);
});

t.test('without RESOLVER a limited number of items can be managed, but no URI is answered', async (t) => {
  const app = await startApp(t, { RESOLVER_ITEMS_PER_ACCOUNT_MAX: '1' });
  const client = await newClient(app);
  t.equal((await client.post('/resolver/items', ITEM)).status, 201);
  const refused = await client.post('/resolver/items', { ...ITEM, key: `${ITEM.key}(10)A` });
  t.match(refused, { status: 409, json: { error: 'Limit reached', details: /may have 1 item;/ } });
  for (const url of [PATH, '/.well-known/gs1resolver']) t.equal((await app.call({ url })).status, 404);
});
