/** While Postgres is away, visited links at own domains lead by their rules and templates, and domains answer. */
import t from 'tap';
import { startDomains } from '../domains/place.ts';
import { startStores, until } from './stack.ts';

const stores = await startStores(t);
const { postgresProxy } = stores;
const { visit, withDomain, link, isServed } = await startDomains(t, {
  ...stores.env,
  RATE_LIMIT_PER_SECOND: '100000',
});

const swiss = { 'accept-language': 'de-CH' };

t.test('what was asked for before is served', async (t) => {
  const { client, host } = await withDomain({
    robots_txt: 'User-agent: *',
    fallback_url: 'https://old.example',
  });
  const rules = [{ name: 'swiss', when: { language: ['de-CH'] }, destination: 'https://example.com/ch' }];
  const { id } = (await client.post('/rule-sets', { name: 'visitors', rules })).json;
  const { slug } = (await link(client, host, {}, 'https://example.com/{slug}')).json;
  const change = { rule_set_id: id, forward: { query: 'keep-own' } };
  t.equal((await client.patch(`/links/${slug}`, change)).status, 200);
  const leads = async (url: string, headers: Readonly<Record<string, string>>) =>
    (await visit(host, url, headers)).headers.location;
  const isAsMade = async () =>
    (await leads(`/${slug}?a=1`, {})) === `https://example.com/${slug}?a=1` &&
    (await leads(`/${slug}`, swiss)) === 'https://example.com/ch';
  await until(t, 'the link leads as it was made', isAsMade);
  t.equal((await visit(host, '/robots.txt')).text, 'User-agent: *');
  t.equal(await leads('/nobody', {}), 'https://old.example/nobody');

  postgresProxy.hold();
  for (let i = 0; i < 20; i += 1) t.ok(await isAsMade(), 'rules and templates decide');
  t.equal((await visit(host, '/robots.txt')).text, 'User-agent: *');
  t.ok(await isServed(host), 'certificates of the host are renewed');
  t.match(await visit(host, '/never'), { status: 503 }, 'a slug that may be known leads nowhere else');

  postgresProxy.heal();
  const moved = { rules: [{ ...rules[0], destination: 'https://example.com/moved' }] };
  await until(t, 'an edit is possible', async () => {
    return (await client.patch(`/rule-sets/${id}`, moved)).status === 200;
  });
  await until(
    t,
    'and followed',
    async () => (await leads(`/${slug}`, swiss)) === 'https://example.com/moved',
  );
  await until(t, 'unknown slugs lead on', async () => {
    return (await leads('/never', {})) === 'https://old.example/never';
  });
});
