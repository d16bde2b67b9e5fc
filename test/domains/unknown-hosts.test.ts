/** What a gateway answers for hosts that nobody has. */
import t from 'tap';
import { readConfig } from '../../src/config/config.ts';
import { startDomains } from './place.ts';

t.test(
  'hosts that nobody has are refused where the operator wants it, except for health checks',
  async (t) => {
    const { visit, withDomain, link } = await startDomains(t, {
      UNKNOWN_HOSTS: 'refuse',
      PUBLIC_URL: 'http://localhost',
      RESOLVER_URL: 'https://id.test',
    });
    const { client, host } = await withDomain();
    const { slug } = (await link(client, host)).json;
    t.equal((await visit(host, `/${slug}`)).status, 302);
    for (const own of ['localhost', 'LOCALHOST:3000', 'localhost.'])
      t.equal((await visit(own, `/l/${slug}`)).status, 302, own);
    t.equal((await visit('id.test', '/01/09521321000018')).status, 404);
    for (const unknown of ['evil.example', '10.0.0.1', `x.${host}`]) {
      for (const url of [`/l/${slug}`, '/api/v1/account', '/openapi.json'])
        t.equal((await visit(unknown, url)).status, 421, `${unknown}${url}`);
      for (const url of ['/healthz', '/readyz', '/tls/ask?domain=localhost'])
        t.equal((await visit(unknown, url)).status, 200, url);
    }
  },
);

t.test('they are not refused when the host of the service itself is not known', async (t) => {
  t.throws(() => readConfig({ UNKNOWN_HOSTS: 'refuse' }), /UNKNOWN_HOSTS: set PUBLIC_URL too/);
});
