import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { createNameServerLookup, isPublicAddress } from '../../src/logo/agent.ts';
import { createLogoSource } from '../../src/logo/source.ts';
import { INSIDE, writings } from '../hostile/inside.ts';
import { svg } from '../hostile/pictures.ts';
import { answering, listenOn, serve } from './network.ts';
import { describeCost, listeningLog, look, measure, stageOf } from './pictures.ts';

const context = { accountId: 'a' };
const { entries, log } = listeningLog();
const blue = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#0000ff' } })
  .png()
  .toBuffer();

const OUTSIDE = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '168.63.129.17',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '2a00:1450:4001::1',
];

t.test('only global unicast addresses are public', async (t) => {
  t.same(INSIDE.filter(isPublicAddress), []);
  t.same(OUTSIDE.filter(isPublicAddress), OUTSIDE);
  for (const text of [
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f.1',
    '8.8.8',
    '8.8.8.8 ',
    '[::1]',
    '8.8.8.8:80',
  ]) {
    t.equal(isPublicAddress(text), false, `"${text}" is not an address`);
  }
  fc.assert(
    fc.property(
      fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()),
      (text) => typeof isPublicAddress(text) === 'boolean',
    ),
  );
  fc.assert(
    fc.property(fc.ipV4(), (v4) => !isPublicAddress(`::ffff:${v4}`) && !isPublicAddress(`64:ff9b::${v4}`)),
  );
});

/** A redirector: `/?to=...` answers with that location. On an address that only the tests treat as public. */
const OPEN_ADDRESS = '127.0.0.2';
const isOpen = (address: string): boolean => address === OPEN_ADDRESS || isPublicAddress(address);

const redirector = await serve((request, response) => {
  const to = new URL(request.url ?? '', 'http://x').searchParams.get('to');
  // Node refuses non-Latin-1 headers; servers that send such bytes send them as UTF-8.
  if (to)
    response.writeHead(302, {
      location: Buffer.from(to)
        .toString('latin1')
        .replace(/[\n\r]/g, ''),
    });
  else response.writeHead(200, { 'content-type': 'image/png' });
  response.end(to ? undefined : blue);
}, OPEN_ADDRESS);
const canary = await listenOn('127.0.0.1');
/** On the same port. Without IPv6 nothing can reach ::1 anyway. */
const canary6 = await listenOn('::1', canary.port).catch(() => null);
const canaries = (): number => canary.connections() + (canary6?.connections() ?? 0);
t.teardown(async () => {
  await Promise.all([redirector.close(), canary.close(), canary6?.close()]);
});

const NAMES = {
  localhost: [['127.0.0.1']],
  'inside.test': [['127.0.0.1']],
  'inside6.test': [['::1']],
  '127.0.0.1.nip.test': [['127.0.0.1']],
  'open.test': [[OPEN_ADDRESS]],
};

const guarded = (names: Parameters<typeof answering>[0] = NAMES, isAllowedAddress = isOpen) => {
  const { lookup, asked } = answering(names);
  const network = { lookup, isAllowedAddress, allowedPorts: [redirector.port, canary.port] };
  return { source: createLogoSource({ network }, log), asked };
};

const NOT_FETCHED = /^URL could not be fetched/;
const PRIVATE =
  'URL leads to an address that is not public; private addresses are switched off (LOGO_ALLOW_PRIVATE_NETWORKS)';

t.test('a URL of a private address is refused in every notation, before any connection', async (t) => {
  const { source } = guarded();
  t.teardown(() => source.close());
  const urls = writings(canary.port);
  t.ok(urls.length > 90, `${urls.length} forms`);
  for (const url of urls) {
    const outcome = await source.resolve(url, context);
    t.match(stageOf(outcome), /^(fetch|syntax)$/, url);
  }
  t.equal(canaries(), 0, 'connections to the canaries');
});

t.test('a redirect to a private address is refused in every notation', async (t) => {
  const { source } = guarded();
  t.teardown(() => source.close());
  for (const to of writings(canary.port)) {
    const before = redirector.connections();
    const outcome = await source.resolve(
      `http://open.test:${redirector.port}/?to=${encodeURIComponent(to)}`,
      context,
    );
    // With the same scheme but without slashes it is a path (WHATWG URL, 4.4), which leads back to the redirector.
    if (/^http:\/?1/.test(to)) t.equal(stageOf(outcome), 'ok', to);
    else t.match(outcome, { fault: { stage: 'fetch', message: NOT_FETCHED } }, to);
    t.ok(redirector.connections() > before, 'the redirector was contacted');
  }
  t.equal(canaries(), 0, 'connections to the canaries');
});

t.test('a name with a private address is refused, among public ones or on a second look-up', async (t) => {
  const port = canary.port;
  for (const address of INSIDE) {
    const { source, asked } = guarded({
      'alone.test': [[address]],
      'first.test': [[address, OPEN_ADDRESS]],
      'last.test': [[OPEN_ADDRESS, '2a00:1450:4001::1', address]],
      'rebound.test': [[OPEN_ADDRESS], [address]],
    });
    const isTaken = isOpen(address);
    for (const name of ['alone.test', 'first.test', 'last.test']) {
      if (isTaken) continue;
      const outcome = await source.resolve(`http://${name}:${port}/`, context);
      t.match(outcome, { fault: { stage: 'fetch', message: PRIVATE } }, `${name} ${address}`);
      t.match(entries.at(-1)?.reason, /^address refused: /);
    }
    const again = `http://rebound.test:${redirector.port}/?to=${encodeURIComponent(`http://rebound.test:${redirector.port}/`)}`;
    const rebound = await source.resolve(again, context);
    t.equal(stageOf(rebound), isTaken ? 'ok' : 'fetch', `rebound ${address}`);
    t.equal(asked['rebound.test'], 2, 'the name is looked up for each connection');
    await source.close();
  }
  t.equal(canaries(), 0, 'connections to the canaries');
});

t.test('the peer address of an open connection is checked too', async (t) => {
  let looks = 0;
  const { source } = guarded(NAMES, () => ++looks === 1);
  t.teardown(() => source.close());
  const outcome = await source.resolve(`http://open.test:${redirector.port}/`, context);
  t.equal(stageOf(outcome), 'fetch');
  t.equal(entries.at(-1)?.reason, `address refused: peer ${OPEN_ADDRESS}`);
});

t.test('public addresses are allowed, directly and through at most three redirects', async (t) => {
  const { source } = guarded();
  t.teardown(() => source.close());
  const base = `http://open.test:${redirector.port}/`;
  t.equal(stageOf(await source.resolve(base, context)), 'ok');
  t.equal(stageOf(await source.resolve(`http://${OPEN_ADDRESS}:${redirector.port}/?x`, context)), 'ok');
  const by = (hops: number): string => (hops === 0 ? '/' : `/?to=${encodeURIComponent(by(hops - 1))}`);
  t.equal(stageOf(await source.resolve(new URL(by(3), base).href, context)), 'ok', 'three');
  t.equal(stageOf(await source.resolve(new URL(by(4), base).href, context)), 'fetch', 'four');
  t.equal(entries.at(-1)?.reason, 'too many redirects');
  const otherPort = await listenOn(OPEN_ADDRESS);
  t.teardown(otherPort.close);
  for (const to of [
    `http://open.test:${otherPort.port}/`,
    `https://open.test:${otherPort.port}/`,
    `http://u:p@open.test:${redirector.port}/`,
    'ftp://open.test/',
    'data:image/png;base64,AAAA',
    'http://[',
    '',
  ]) {
    const outcome = await source.resolve(`${base}?to=${encodeURIComponent(to)}&a`, context);
    t.equal(stageOf(outcome), to === '' ? 'ok' : 'fetch', `redirect to ${to}`);
  }
  t.equal(otherPort.connections(), 0, 'a redirect to another port is not followed');
});

t.test('without private networks only ports 80 and 443 are allowed, and proxies ignored', async (t) => {
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) process.env[name] = `http://127.0.0.1:${canary.port}`;
  t.teardown(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  const source = createLogoSource({ fetchTimeoutMs: 2000, network: { lookup: answering({}).lookup } }, log);
  t.teardown(() => source.close());
  t.match(await source.resolve('http://example.test:8080/', context), {
    fault: { stage: 'fetch', message: 'URL must use port 80 or 443' },
  });
  t.equal(source.checkSyntax('http://example.test:443/'), null);
  t.equal(source.checkSyntax('https://example.test:80/'), null);
  for (const url of ['http://example.test/a.png', 'https://example.test/a.png']) {
    t.equal(stageOf(await source.resolve(url, context)), 'fetch');
    t.equal(entries.at(-1)?.reason, 'no such name');
  }
  t.equal(canaries(), 0, 'connections to the proxy');
});

type Path = (response: ServerResponse) => void;

/** Starts a server that answers these paths. */
const host = async (paths: Readonly<Record<string, Path>>) => {
  const seen: { url: string; headers: Record<string, unknown> }[] = [];
  const server = await serve((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    const path = paths[new URL(request.url ?? '', 'http://x').pathname];
    if (path) path(response);
    else response.writeHead(404).end('not found');
  });
  return { seen, server, url: (path: string) => `http://localhost:${server.port}${path}` };
};

const sending =
  (body: Uint8Array | string, headers: Record<string, string> = {}): Path =>
  (response) =>
    void response.writeHead(200, headers).end(body);

const privately = (options: Parameters<typeof createLogoSource>[0] = {}) =>
  createLogoSource({ allowPrivateNetworks: true, svgTimeoutMs: 30_000, svgWaitMs: 60_000, ...options }, log);

t.test('the type is detected from the first bytes, whatever the server declares', async (t) => {
  const { url, server, seen } = await host({
    '/blue.png': sending(blue, { 'content-type': 'image/png' }),
    '/blue': sending(blue, { 'content-type': 'text/html', 'set-cookie': 'a=b' }),
    '/none': sending(blue),
    '/logo.svg': sending(svg('viewBox="0 0 9 9"', '<rect width="9" height="9"/>'), {
      'content-type': 'text/plain',
    }),
    '/gzip': sending(gzipSync(blue), { 'content-encoding': 'gzip' }),
    '/moved': (response) => void response.writeHead(307, { location: 'none', 'set-cookie': 'c=d' }).end(),
  });
  const source = privately();
  t.teardown(() => Promise.all([source.close(), server.close()]));
  for (const path of ['/blue.png', '/blue', '/none', '/gzip', '/moved']) {
    const outcome = await source.resolve(url(path), context);
    t.same(look(outcome).at(1, 1), [0, 0, 255, 255], path);
  }
  t.equal(stageOf(await source.resolve(url('/logo.svg'), context)), 'ok', 'SVG');
  t.equal(source.stats().cacheEntries, 2, 'identical content is decoded once');
  for (const { headers } of seen) {
    t.match(headers, { 'accept-encoding': 'identity', 'user-agent': 'Tessera', connection: 'close' });
    t.notOk(headers.cookie ?? headers.authorization ?? headers.referer, 'requests reveal no credentials');
  }
});

t.test('a private address gets the same message whether or not anything listens there', async (t) => {
  const closed = await listenOn('127.0.0.1');
  await closed.close();
  const names = { 'inside.test': [['127.0.0.1']], 'mixed.test': [[OPEN_ADDRESS, '10.0.0.1']] };
  const { lookup } = answering(names);
  const allowedPorts = [canary.port, closed.port, 80, 443];
  const source = createLogoSource({ network: { lookup, isAllowedAddress: isOpen, allowedPorts } }, log);
  t.teardown(() => source.close());
  const before = canaries();
  for (const host of '127.0.0.1 [::1] 10.0.0.1 2130706433 inside.test mixed.test LOCALHOST a.localhost.'.split(
    ' ',
  )) {
    // Something listens on the first port, nothing on the second, and the third is not an allowed port.
    for (const port of [canary.port, closed.port, 9]) {
      if (port === 9 && host.endsWith('.test')) continue;
      const outcome = await source.resolve(`http://${host}:${port}/logo.png`, context);
      t.strictSame(
        outcome,
        { ok: false, fault: { stage: 'fetch', field: 'image', message: PRIVATE } },
        `${host}:${port}`,
      );
    }
  }
  t.equal(canaries(), before, 'no connection was opened');
});

t.test('a fetch that timed out because the gateway was busy is not blamed on the host', async (t) => {
  const { url, server } = await host({ '/logo': sending(blue), '/never': () => undefined });
  const fetchTimeoutMs = 300;
  const source = privately({ fetchTimeoutMs });
  t.teardown(() => Promise.all([source.close(), server.close()]));
  const resolving = source.resolve(url('/logo'), context);
  await nextTurn();
  for (const end = performance.now() + 2 * fetchTimeoutMs; performance.now() < end; );
  t.equal(stageOf(await resolving), 'busy');
  const later = privately();
  t.teardown(() => later.close());
  t.equal(stageOf(await later.resolve(url('/logo'), context)), 'ok');
  t.equal(stageOf(await source.resolve(url('/never'), context)), 'fetch', 'a silent host is blamed');
});

t.test('an unreachable host, a refused redirect and a non-image get the same message', async (t) => {
  const { url, server } = await host({
    '/html': sending('<!doctype html><p>admin</p>', { 'content-type': 'image/png' }),
    '/xml': sending('<a/>'),
    '/text': sending('hello'),
    '/empty': sending(''),
    '/gz': sending(gzipSync('hello')),
    '/500': (response) => void response.writeHead(500).end(blue),
    '/206': (response) => void response.writeHead(206).end(blue),
    '/304': (response) => void response.writeHead(304).end(),
    '/lost': (response) => void response.writeHead(302).end(),
    '/cut': (response) => {
      response.writeHead(200, { 'content-length': '500' }).write(blue);
      setTimeout(() => response.destroy(), 20);
    },
    '/reset': (response) => void response.destroy(),
    '/garbled': (response) => void response.socket?.end('HTTP/9 nonsense\r\n\r\n'),
    '/coded': sending(blue, { 'content-encoding': 'gzip' }),
    '/silent': () => undefined,
  });
  const source = privately({ fetchTimeoutMs: 700 });
  const { source: outer } = guarded();
  t.teardown(() => Promise.all([source.close(), outer.close(), server.close()]));
  const closed = await listenOn('127.0.0.1');
  await closed.close();
  const inside = encodeURIComponent(`http://127.0.0.1:${canary.port}/`);
  const outcomes = [await outer.resolve(`http://open.test:${redirector.port}/?to=${inside}`, context)];
  const paths =
    '/html /xml /text /empty /gz /500 /206 /304 /lost /cut /reset /garbled /coded /silent /404'.split(' ');
  for (const path of paths) outcomes.push(await source.resolve(url(path), context));
  outcomes.push(await source.resolve(`http://127.0.0.1:${closed.port}/`, context));
  outcomes.push(await source.resolve(`https://127.0.0.1:${server.port}/blue`, context));
  t.equal(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size, 1);
  t.match(outcomes[0], { ok: false, fault: { stage: 'fetch', field: 'image', message: NOT_FETCHED } });
});

t.test('a body is read up to the limit and no further', async (t) => {
  let sent = 0;
  const endless: Path = (response) => {
    response.writeHead(200);
    const chunk = Buffer.concat([blue, Buffer.alloc(65_536)]);
    const write = () => {
      while (!response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) {
          response.once('drain', write);
          return;
        }
      }
    };
    write();
  };
  const exact = Buffer.concat([blue, Buffer.alloc(2_097_152 - blue.length)]);
  // The members of a gzip file are decompressed one after another (RFC 1952, 2.2).
  const bomb = Buffer.concat([gzipSync(blue), ...Array(200).fill(gzipSync(Buffer.alloc(1_000_000)))]);
  const { url, server } = await host({
    '/endless': endless,
    '/bomb': sending(bomb, { 'content-encoding': 'gzip' }),
    '/bombs': sending(gzipSync(bomb), { 'content-encoding': 'gzip, gzip' }),
    '/exact': sending(exact),
    '/over': sending(Buffer.concat([exact, Buffer.alloc(1)])),
  });
  const source = privately();
  t.teardown(() => Promise.all([source.close(), server.close()]));
  for (const path of ['/endless', '/bomb', '/bombs', '/over']) {
    const { result, cost } = await measure(() => source.resolve(url(path), context));
    t.match(result, { fault: { stage: 'size', message: /2097152 bytes/ } }, `${path}: ${describeCost(cost)}`);
    t.ok(cost.extraBytes < 64e6, describeCost(cost));
  }
  t.ok(sent < 20_000_000, `${sent} bytes of the endless body were sent`);
  t.equal(stageOf(await source.resolve(url('/exact'), context)), 'ok', 'a body of the maximum size');
});

t.test('one time limit covers silence, slow bytes and slow redirects', async (t) => {
  const drip: Path = (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(blue.subarray(0, 1)), 50);
    response.on('close', () => clearInterval(timer));
  };
  const slowly: Path = (response) => {
    setTimeout(() => response.writeHead(302, { location: '/slowly' }).end(), 300);
  };
  const { url, server } = await host({ '/drip': drip, '/slowly': slowly, '/silent': () => undefined });
  const source = privately({ fetchTimeoutMs: 500 });
  t.teardown(() => Promise.all([source.close(), server.close()]));
  for (const path of ['/drip', '/slowly', '/silent']) {
    t.equal(stageOf(await source.resolve(url(path), context)), 'fetch');
    t.match(entries.at(-1)?.reason, /timeout|aborted/i, path);
  }
  const nameless = createLogoSource({ fetchTimeoutMs: 300, network: { lookup: () => undefined } }, log);
  t.teardown(() => nameless.close());
  t.equal(
    stageOf(await nameless.resolve('http://example.test/', context)),
    'fetch',
    'a name that never resolves',
  );
});

t.test('a URL is fetched once for all callers and cached, and so is a fault', async (t) => {
  const { url, server, seen } = await host({ '/blue': sending(blue) });
  const source = privately();
  t.teardown(() => Promise.all([source.close(), server.close()]));
  const many = await Promise.all(
    Array.from({ length: 100 }, (_, i) => source.resolve(url('/blue'), { accountId: `${i % 5}` })),
  );
  t.ok(many.every((outcome) => outcome.ok));
  t.equal(stageOf(await source.resolve(url('/blue'), context)), 'ok');
  t.equal(seen.length, 1);
  await Promise.all(Array.from({ length: 10 }, () => source.resolve(url('/gone'), context)));
  await source.resolve(url('/gone'), context);
  t.equal(seen.length, 2, 'a missing logo is requested only once too');
  t.match(source.stats(), {
    urls: { cacheEntries: 2, running: 0, waiting: 0 },
    outcomes: { ok: 101, fetch: 11 },
  });
});

t.test('an account gets at most half of the fetches, and others are served meanwhile', async (t) => {
  const held: ServerResponse[] = [];
  let most = 0;
  const hold: Path = (response) => {
    held.push(response);
    most = Math.max(most, held.length);
  };
  const paths = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`/${i}`, hold]));
  const hosts = await Promise.all(Array.from({ length: 5 }, () => host(paths)));
  const fast = await host({ '/blue': sending(blue) });
  const source = privately({ maxConcurrentFetches: 8, fetchTimeoutMs: 20_000 });
  t.teardown(() =>
    Promise.all([source.close(), fast.server.close(), ...hosts.map(({ server }) => server.close())]),
  );
  const ofOneHost = Array.from({ length: 10 }, (_, i) =>
    source.resolve(hosts[0]!.url(`/${i}`), { accountId: 'hog' }),
  );
  const ofOthers = Array.from({ length: 10 }, (_, i) =>
    source.resolve(hosts[1 + (i % 4)]!.url(`/${i}`), { accountId: 'hog' }),
  );
  const all = Promise.all([...ofOneHost, ...ofOthers]);
  t.equal(
    stageOf(await source.resolve(fast.url('/blue'), { accountId: 'other' })),
    'ok',
    'another account is served',
  );
  t.match(source.stats().urls, { running: 4, waiting: 16 }, 'one account gets half of the places');
  const free = setInterval(() => {
    for (const response of held.splice(0)) response.writeHead(200).end(blue);
  }, 10);
  t.ok((await all).every((outcome) => outcome.ok));
  clearInterval(free);
  t.ok(most <= 4, `${most} concurrent fetches`);
  t.match(source.stats().urls, { running: 0, waiting: 0 });
});

t.test('a full queue and a closed fetcher answer busy, which is not cached', async (t) => {
  const { url, server } = await host(
    Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`/${i}`, () => undefined])),
  );
  const source = privately({ maxConcurrentFetches: 2, fetchTimeoutMs: 20_000 });
  t.teardown(() => server.close());
  const waiting = Array.from({ length: 11 }, (_, i) => source.resolve(url(`/${i}`), context));
  t.equal(stageOf(await source.resolve(url('/20'), context)), 'busy', 'beyond the queue of one account');
  t.equal(source.stats().urls.cacheEntries, 11);
  await source.close();
  const stages = (await Promise.all(waiting)).map(stageOf);
  t.same(new Set(stages), new Set(['fetch', 'busy']));
  t.equal(stages.filter((stage) => stage === 'fetch').length, 1, 'the running fetch was aborted');
  t.equal(stageOf(await source.resolve(url('/21'), context)), 'busy', 'closed');
});

/** A name server that answers A queries with 192.0.2.7 and AAAA queries with 2001:db8::7, if listed in `records`. */
const nameServer = async (records: readonly ('A' | 'AAAA')[]) => {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const isA = question.readUInt16BE(question.length - 4 - (question.readUInt16BE(10) > 0 ? 11 : 0)) === 1;
    const name = question.toString('latin1');
    if (name.includes('silent')) return;
    const has = records.includes(isA ? 'A' : 'AAAA') && !name.includes('missing');
    let end = 12;
    while (question[end]) end += (question[end] ?? 0) + 1;
    const head = Buffer.from(question.subarray(0, end + 5));
    head.writeUInt16BE(name.includes('missing') ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(has ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    const data = Buffer.from(isA ? 'c0000207' : '20010db8000000000000000000000007', 'hex');
    const record = Buffer.from([0xc0, 12, 0, isA ? 1 : 28, 0, 1, 0, 0, 0, 9, 0, data.length]);
    socket.send(Buffer.concat(has ? [head, record, data] : [head]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { port: (socket.address() as AddressInfo).port, close: () => socket.close() };
};

t.test('names are looked up as IPv4 and IPv6, with a timeout', async (t) => {
  const ask = async (records: readonly ('A' | 'AAAA')[], name: string) => {
    const server = await nameServer(records);
    const resolver = new Resolver({ timeout: 200, tries: 1 });
    resolver.setServers([`127.0.0.1:${server.port}`]);
    const answer = await new Promise<{ error: unknown; answers: unknown }>((resolve) => {
      createNameServerLookup(resolver)(name, { all: true }, (error, answers) => resolve({ error, answers }));
    });
    server.close();
    return answer;
  };
  const v4 = { address: '192.0.2.7', family: 4 };
  const v6 = { address: '2001:db8::7', family: 6 };
  t.same(await ask(['A', 'AAAA'], 'both.test'), { error: null, answers: [v4, v6] });
  t.same(await ask(['A'], 'four.test'), { error: null, answers: [v4] });
  t.same(await ask(['AAAA'], 'six.test'), { error: null, answers: [v6] });
  t.match(await ask([], 'missing.test'), { error: { code: /ENOTFOUND|ENODATA/ }, answers: [] });
  t.match(await ask([], 'silent.test'), { error: { code: 'ETIMEOUT' }, answers: [] });
});

t.test('a fetch costs five milliseconds of the allowance, unless a paid call gets the logo', async (t) => {
  const spent: number[] = [];
  const allowance = { isSpent: () => false, spend: (_: string, ms: number) => void spent.push(ms) };
  const { url, server } = await host({ '/blue': sending(blue) });
  const source = privately({ allowance });
  t.teardown(() => Promise.all([source.close(), server.close()]));
  t.ok((await source.resolve(url('/blue?paid'), context)).ok);
  t.strictSame(spent, []);
  t.notOk((await source.resolve(url('/404'), context)).ok);
  t.strictSame(spent, [5]);
  t.ok((await source.resolve(url('/blue?free'), { ...context, isFree: true })).ok);
  t.equal(spent.at(-1), 5, 'in addition to the decoding time');
});
