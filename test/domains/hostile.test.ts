/** What accounts and visitors who mean harm send about domains. */
import type { IncomingMessage } from 'node:http';
import t from 'tap';
import { createHostRouter } from '../../src/http/hosts.ts';
import { sharedApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';

const SERVED = { id: 'd', accountId: 'a', host: 'qr.brand.example', prefix: '' };

/** What becomes of a target at a host. */
const routed = (host: string, target: string) => {
  const request = { url: target, headers: { host }, socket: {} } as IncomingMessage;
  createHostRouter({ trustProxy: false }, (name) => (name === SERVED.host ? SERVED : undefined))(request);
  return request.url;
};

t.test('a target that names a whole address is read as its path, at every host', async (t) => {
  for (const host of ['qr.test', SERVED.host])
    for (const [target, path] of [
      ['http://evil.example/l/abcdefgh/rest?a=b', '/l/abcdefgh/rest?a=b'],
      ['HTTPS://evil.example', '/'],
      ['https://evil.example?a=/l/b', '/?a=/l/b'],
      ['//evil.example/x', '//evil.example/x'],
    ] as const)
      t.equal(routed(host, target), routed(host, path), `${target} at ${host}`);
  t.equal(routed('qr.test', 'http://evil.example/l/abcdefgh/rest'), '/l/abcdefgh/rest');
  t.equal(routed('qr.test', '*'), '*', 'of OPTIONS');
});

t.test('texts that the database cannot store, and prefixes with another meaning, are refused', async (t) => {
  const { post } = await newClient(await sharedApp());
  for (const [field, value] of [
    ['robots_txt', 'a\0b'],
    ['robots_txt', '\ud800'],
    ['assetlinks_json', '"\ud800"'],
    ['unknown_text', { type: 'text/plain', text: '\0' }],
    ['unknown_text', { type: 'application/json', text: '"\udfff"' }],
    ['prefix', 'i'],
    ['prefix', '01'],
    ['prefix', '414'],
    ['prefix', '8003'],
  ] as const) {
    const { status, json } = await post('/domains', { host: 'hostile.brand.example', [field]: value });
    t.match({ status, details: json.details }, { status: 400, details: new RegExp(`^${field}`) }, field);
  }
  for (const [host, prefix] of [
    ['one.hostile.example', 'go'],
    ['two.hostile.example', 'i2'],
    ['three.hostile.example', '12345'],
  ] as const)
    t.equal((await post('/domains', { host, prefix })).status, 201, prefix);
});
