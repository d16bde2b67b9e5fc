/** Hosts as requests carry them and as accounts write them, and the addresses that are routed at a domain. */
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import t from 'tap';
import { hostOfHeader, readHost } from '../../src/domains/host.ts';
import { createHostRouter } from '../../src/http/hosts.ts';

const SERVED = { id: 'id', accountId: 'account', host: 'qr.brand.example', prefix: '' };

/** Routes a request. @param headers Its host is that of the domain unless it is given. */
const route = (
  url: string,
  { headers = {}, trustProxy = false as boolean | string, prefix = '', remoteAddress = '10.0.0.1' } = {},
) => {
  const served = { ...SERVED, prefix };
  const request = { url, headers: { host: served.host, ...headers }, socket: { remoteAddress } };
  const router = createHostRouter({ trustProxy } as never, (host) =>
    host === served.host ? served : undefined,
  );
  router(request as unknown as IncomingMessage);
  const { url: routed, domain } = request as unknown as IncomingMessage;
  return { routed, asked: domain?.url };
};

t.test('slugs at a domain are routed as short links, and all else apart', async (t) => {
  for (const [url, routed] of [
    ['/menu', '/l/menu'],
    ['/menu/size/42?x=1', '/l/menu/size/42?x=1'],
    ['/menu)', '/l/menu)'],
    ['/2024/summer', '/l/2024/summer'],
    ['/01/09521321000018', '/01/09521321000018'],
    ['/8004/0952132?x', '/8004/0952132?x'],
    ['/i/abc/picture.png', '/i/abc/picture.png'],
    ['/', '/.domain'],
    ['', '/.domain'],
    ['/robots.txt', '/.domain'],
    ['/.well-known/assetlinks.json', '/.domain'],
    ['/-x', '/.domain'],
    ['//menu', '/.domain'],
    ['*', '/.domain'],
    ['/l/menu', '/l/l/menu'],
    ['/api/v1/usage', '/l/api/v1/usage'],
  ] as const)
    t.equal(route(url).routed, routed, url);
  t.equal(route('/go/menu', { prefix: 'go' }).routed, '/l/menu');
  for (const url of ['/menu', '/go', '/go/', '/gone/menu', '/GO/menu'])
    t.equal(route(url, { prefix: 'go' }).routed, '/.domain', url);
});

t.test('a request target that is a whole address has its path alone', async (t) => {
  for (const target of ['http://evil.example/menu?x', 'HTTPS://user@evil.example/menu?x'])
    t.strictSame(route(target), { routed: '/l/menu?x', asked: '/menu?x' }, target);
  for (const target of ['http://evil.example', '@evil.example/', 'evil.example', 'http:evil.example'])
    t.match(route(target).asked, /^\//, target);
});

t.test('nothing that a stranger sends makes a request one of another host', async (t) => {
  const forwarded = (value: string | undefined, more: object) =>
    route('/menu', { headers: { host: 'qr.test', ...(value && { 'x-forwarded-host': value }) }, ...more })
      .routed;
  const { host } = SERVED;
  t.equal(forwarded(host, {}), '/menu', 'no proxy is trusted');
  t.equal(forwarded(host, { trustProxy: 'loopback' }), '/menu', 'it is no trusted proxy');
  t.equal(forwarded(host, { trustProxy: 'loopback', remoteAddress: '127.0.0.1' }), '/l/menu');
  t.equal(forwarded(`evil.example, ${host}`, { trustProxy: true }), '/l/menu', 'the last proxy says it');
  t.equal(forwarded(`${host}, evil.example`, { trustProxy: true }), '/menu');
  t.equal(forwarded(undefined, { trustProxy: true }), '/menu');
});

const LETTERS = fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/);
const NAME = fc.tuple(LETTERS, LETTERS).map(([one, other]) => `${one}.${other}.brand`);

t.test('a name is the same in any case, with a port, and with a dot at its end', async (t) => {
  fc.assert(
    fc.property(
      NAME,
      fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
      fc.option(fc.nat(65_535)),
      fc.boolean(),
      (name, upper, port, hasDot) => {
        const cased = [...name].map((each, i) => (upper[i] ? each.toUpperCase() : each)).join('');
        const header = `${cased}${hasDot ? '.' : ''}${port === null ? '' : `:${port}`}`;
        const read = readHost(hasDot ? `${cased}.` : cased);
        return hostOfHeader(header) === name && read.ok && read.value === name;
      },
    ),
  );
  t.pass();
});

t.test('what is read as a host is read as itself again, in ASCII, and browsers send it so', async (t) => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.webAuthority(), NAME),
      (written) => {
        const read = readHost(written);
        if (!read.ok) return true;
        const again = readHost(read.value);
        return (
          again.ok &&
          again.value === read.value &&
          /^[a-z0-9.-]+$/.test(read.value) &&
          new URL(`https://${read.value}/`).host === read.value
        );
      },
    ),
    { numRuns: 5000 },
  );
  t.pass();
});

t.test('names that look alike are different names, or are refused', async (t) => {
  const hostOf = (written: string) => {
    const read = readHost(written);
    return read.ok ? read.value : null;
  };
  t.equal(hostOf('BÜCHER.example'), 'xn--bcher-kva.example');
  t.equal(hostOf('bu\u0308cher.example'), 'xn--bcher-kva.example', 'composed');
  t.equal(hostOf('ｂｒａｎｄ.example'), 'brand.example', 'of full width');
  t.equal(hostOf('brand。example'), 'brand.example');
  // Cyrillic letters.
  t.equal(hostOf('\u0430pple.example'), 'xn--pple-43d.example');
  t.not(hostOf('\u0430pple.example'), hostOf('apple.example'));
  for (const written of [
    ...[
      'brand.example/',
      'brand.exa\u2024mple@x',
      'bra\u200bnd..example',
      'brand\u2044x.example',
      '☃.example',
    ],
    ...['1.2.3.4', '0x7f.1', '2130706433', 'brand.example.0x1', '[::1]', 'localhost.', 'a.internal'],
    ...[
      'xn--a.example',
      'xn--.example',
      'brand.-example',
      `${'a.'.repeat(130)}example`,
      'brand\u0000.example',
    ],
  ])
    t.equal(hostOf(written), null, JSON.stringify(written));
});
