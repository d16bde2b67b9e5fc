import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startNameServer } from '../domains/name-server.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { listen, run } from './support.ts';

const names = await startNameServer(t);
const { url: TESSERA_URL, account } = await listen(t, { DOMAIN_NAME_SERVERS: names.address });
const { key: TESSERA_KEY } = await account({ plan: 'pro' });
const env = { TESSERA_URL, TESSERA_KEY };
const json = async (...args: readonly string[]) => {
  const ran = await run([...args, '--json'], env);
  if (ran.code !== 0) throw new Error(ran.err);
  return JSON.parse(ran.out);
};

t.test('a domain is registered, proved, made the default, changed and deleted', async (t) => {
  const host = 'qr.brand.example';
  const made = await run(['domains', 'create', host, '--root-url', 'https://brand.example/'], env);
  t.match(made, {
    code: 0,
    out: /^host +qr\.brand\.example\nshort links +https:\/\/qr\.brand\.example\/…\n/,
  });
  t.match(
    made.out,
    /state +pending\ndefault +false\nTXT record +\S+\nor file +https:\S+\nwith the text +\S+\n/,
  );
  t.match(made.out, /root +https:\/\/brand\.example\/\n$/);
  const early = await run(['domains', 'verify', host], env);
  t.match(early, { code: 1, err: /^tessera: qr\.brand\.example is not proved: .*TXT record/ });

  const { proof } = await json('domains', 'show', host);
  names.records.set(proof.record_name, proof.text);
  t.match(await run(['domains', 'verify', host], env), { code: 0, out: /state +verified\n/ });
  t.match(await json('codes', 'create', 'https://example.com/', '--dynamic', '--domain', host), {
    domain: host,
  });
  t.match(await run(['codes', 'create', 'x', '--domain', 'other.example'], env), {
    code: 1,
    err: /--domain/,
  });

  const file = join(await temporaryFolder(t), 'links.json');
  await writeFile(file, '[]');
  const answers = [
    '--assetlinks',
    file,
    '--root-url',
    '',
    '--fallback-url',
    'https://old.example/',
    '--default',
    'on',
  ];
  t.match(await json('domains', 'update', host, ...answers, '--forward', '{"path": true}'), {
    forward: { path: true },
    ...{ is_default: true, assetlinks_json: '[]', root_url: null, fallback_url: 'https://old.example/' },
  });
  t.match(await json('codes', 'create', 'https://example.com/', '--dynamic'), { domain: host });
  const { out } = await run(['domains', 'list'], env);
  t.match(out, /^HOST +STATE +DEFAULT +SHORT LINKS +FAULT\nqr\.brand\.example +verified +true /);
  t.match(await run(['domains', 'delete', host], env), { code: 1, err: /is_default/ });
  await json('domains', 'update', host, '--default', 'off');
  t.match(await run(['domains', 'delete', host], env), { code: 0, out: `${host} is deleted.\n` });
  t.strictSame(await json('domains', 'list'), []);
});
