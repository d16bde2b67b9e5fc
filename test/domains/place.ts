/** An app whose name server tests own, and what they do with domains there. */
import type { Test } from 'tap';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { startApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { startNameServer } from './name-server.ts';

type Client = Awaited<ReturnType<typeof newClient>>;

/** Starts them. @param env Variables besides those that domains need. */
export const startDomains = async (t: Test, env: Readonly<Record<string, string>> = {}) => {
  const names = await startNameServer(t);
  const here = await startApp(t, {
    ...{ DOMAIN_NAME_SERVERS: names.address, RESOLVER: 'on', TRUST_PROXY: 'loopback' },
    ...env,
  });
  let hosts = 0;

  /** Visits are no calls of the document: what is at a host is its owner's choice. */
  const visit = (
    host: string,
    url: string,
    headers: Readonly<Record<string, string>> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ) =>
    here.app.gateway
      .inject({ url, method, headers: { host, ...headers } })
      .then(({ statusCode: status, headers: answered, payload: text }) => ({
        status,
        headers: answered,
        text,
      }));

  const isServed = async (host: string): Promise<boolean> =>
    (await here.call({ url: `/tls/ask?domain=${host}` })).status === 200;

  /** Publishes the proof of a domain, and asks for it to be looked for. */
  const prove = async (client: Client, host: string) => {
    const { proof } = (await client.get(`/domains/${host}`)).json as never as {
      proof: { record_name: string; text: string };
    };
    names.records.set(proof.record_name, proof.text);
    const answer = await client.post(`/domains/${host}/verify`);
    await until(() => isServed(host), WITHIN_A_SECOND);
    return answer;
  };

  const register = async (client: Client, body: Readonly<Record<string, unknown>> = {}) => {
    hosts += 1;
    const host = `qr${hosts}.brand.example`;
    const made = await client.post('/domains', { host, ...body });
    t.equal(made.status, 201, made.text);
    return host;
  };

  return {
    here,
    names,
    visit,
    isServed,
    prove,
    register,
    /** Makes an account with a host that is proved. */
    async withDomain(body: Readonly<Record<string, unknown>> = {}) {
      const client = await newClient(here, { plan: 'pro' });
      const host = await register(client, body);
      t.match((await prove(client, host)).json, { state: 'verified', fault: null });
      return { client, host };
    },
    /** Makes a short link at a host. */
    link: (client: Client, host: string, more: object = {}, to = 'https://example.com/a') =>
      client.post('/codes', { data: to, dynamic: true, ...more }, { 'tessera-domain': host }),
  };
};
