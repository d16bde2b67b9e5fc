/** Caddy gets a certificate for a domain that is proved, at its first visit, and for no other host. */
import { once } from 'node:events';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import t from 'tap';
import { startCaddy } from '../servers/proxies/caddy.ts';
import { until } from '../servers/until.ts';
import { startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { startNameServer } from './name-server.ts';

const names = await startNameServer(t);
const here = await startApp(t, { DOMAIN_NAME_SERVERS: names.address, TRUST_PROXY: 'loopback' });
const { gateway } = here.app;
await gateway.listen({ host: '127.0.0.1', port: 0 });
const front = await startCaddy(t, (gateway.server.address() as AddressInfo).port);

/** The names of the certificate that a visitor of this host gets; `null` when Caddy has none for it. */
const certificateOf = async (host: string): Promise<string | null> => {
  const socket = connect({ host: '127.0.0.1', port: front.port, servername: host, ca: front.root });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().subjectaltname ?? null;
  } catch (error) {
    t.match((error as NodeJS.ErrnoException).code, /^(ERR_SSL|ECONNRESET|EPROTO)/, host);
    return null;
  } finally {
    socket.destroy();
  }
};

const visit = async (host: string, path: string) => {
  const sent = request({
    ...{ host: '127.0.0.1', port: front.port, servername: host, ca: front.root, agent: false },
    ...{ path, headers: { host } },
  });
  const [answer] = await once(sent.end(), 'response');
  answer.resume();
  return { status: answer.statusCode, location: answer.headers.location };
};

t.test('a proved domain has a certificate, and its links lead', async (t) => {
  const client = await newClient(here, { plan: 'pro' });
  const host = 'qr.caddy.example';
  const { proof } = (await client.post('/domains', { host })).json as never as {
    proof: { record_name: string; text: string };
  };
  t.equal(await certificateOf(host), null, 'not yet proved');
  names.records.set(proof.record_name, proof.text);
  t.match((await client.post(`/domains/${host}/verify`)).json, { state: 'verified' });
  await until(async () => (await certificateOf(host)) !== null);
  t.equal(await certificateOf(host), `DNS:${host}`);
  const made = await client.post(
    '/codes',
    { data: 'https://example.com/caddy', dynamic: true },
    { 'tessera-domain': host },
  );
  t.strictSame(await visit(host, `/${made.json.slug}`), {
    status: 302,
    location: 'https://example.com/caddy',
  });
});

t.test('no other host has a certificate', async (t) => {
  for (const host of ['nobody.caddy.example', 'x.qr.caddy.example', 'caddy.example'])
    t.equal(await certificateOf(host), null, host);
});
