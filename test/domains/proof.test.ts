/** Where proofs of domains are looked for, and what is never reached or believed. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import t, { type Test } from 'tap';
import { createFindProof, PROOF_PATH, proofText, recordName } from '../../src/domains/proof.ts';
import { startNameServer } from './name-server.ts';

const TOKEN = 'a'.repeat(32);
const TEXT = proofText({ token: TOKEN });

/** Listens on every address, so that one that must not be reached would answer. */
const serve = async (t: Test, listener: RequestListener) => {
  const reached: string[] = [];
  const server = createServer((request, response) => {
    reached.push(String(request.socket.localAddress).replace('::ffff:', ''));
    listener(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '0.0.0.0', resolve);
  });
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { reached, port: (server.address() as AddressInfo).port };
};

const answering =
  (...addresses: readonly string[]): LookupFunction =>
  (_name, options, callback) => {
    const all = addresses.map((address) => ({ address, family: 4 }));
    if (options.all) callback(null, all);
    else callback(null, all[0]!.address, 4);
  };

const isOnlyLoopback = (address: string): boolean => address === '127.0.0.1';

t.test('a TXT record proves a host, whatever else is there', async (t) => {
  const names = await startNameServer(t);
  const find = createFindProof({ servers: [names.address] });
  const claimed = { host: 'qr.brand.example', token: TOKEN };
  t.match(await find(claimed), /Neither a TXT record of _tessera\.qr\.brand\.example nor/);
  for (const text of ['', TOKEN, `${TEXT}x`, TEXT.toUpperCase()]) {
    names.records.set(recordName(claimed), text);
    t.not(await find(claimed), null, text);
  }
  names.records.set(recordName(claimed), TEXT);
  t.equal(await find(claimed), null);
  t.not(await find({ ...claimed, host: 'brand.example' }), null, 'it is that of one host');
});

t.test('a file proves a host, if it is there itself', async (t) => {
  const names = await startNameServer(t);
  let listener: RequestListener = (_request, response) => void response.end(TEXT);
  const { port } = await serve(t, (request, response) => {
    if (request.url === PROOF_PATH) listener(request, response);
    else response.end(TEXT);
  });
  const claimed = { host: `qr.brand.example:${port}`, token: TOKEN };
  const find = createFindProof({
    ...{ servers: [names.address], lookup: answering('127.0.0.1'), isAllowedAddress: isOnlyLoopback },
  });
  t.equal(await find(claimed), null);
  listener = (_request, response) => void response.end(`\n${TEXT}\n`);
  t.equal(await find(claimed), null);
  for (const [what, wrong] of Object.entries<RequestListener>({
    'another text': (_request, response) => void response.end(`${TEXT} and more`),
    'a long text': (_request, response) => void response.end(`${' '.repeat(2000)}${TEXT}`),
    'a status': (_request, response) => void response.writeHead(404).end(TEXT),
    'a redirect': (_request, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    'a cut answer': (_request, response) => {
      response.write(TEXT);
      setTimeout(() => response.destroy(), 10);
    },
  })) {
    listener = wrong;
    t.match(await find(claimed), /Neither/, what);
  }
  listener = () => {};
  t.match(await find(claimed), /Neither/, 'a host that never answers is waited for so long');
});

t.test(
  'no address of an own network is reached, though the name server says another one each time',
  async (t) => {
    const names = await startNameServer(t);
    const { port, reached } = await serve(t, (_request, response) => void response.end(TEXT));
    const claimed = { host: `qr.brand.example:${port}`, token: TOKEN };
    const findWith = (network: Omit<Parameters<typeof createFindProof>[0], 'servers'>) =>
      createFindProof({ servers: [names.address], ...network })(claimed);

    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '0.0.0.0'])
      t.match(await findWith({ lookup: answering(address) }), /Neither/, address);
    t.match(await findWith({ lookup: answering('93.184.215.14', '127.0.0.1') }), /Neither/, 'one of several');
    t.strictSame(reached, []);

    let asked = 0;
    const lookup: LookupFunction = (name, options, callback) => {
      asked += 1;
      answering(asked % 3 === 1 ? '127.0.0.2' : '127.0.0.1')(name, options, callback);
    };
    for (let i = 0; i < 5; i += 1) await findWith({ lookup, isAllowedAddress: isOnlyLoopback });
    t.ok(asked >= 5);
    t.strictSame(new Set(reached), new Set(['127.0.0.1']), 'what was looked up is what is reached');
  },
);
