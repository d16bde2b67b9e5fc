/** The rules of webhooks that need no network: signatures, addresses, pauses. */
import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { signMessage, withShortUrls, writeSecret } from '../../src/webhooks/events.ts';
import { checkWebhookUrl } from '../../src/webhooks/post.ts';
import { pauseOfAddress, pauseOfDelivery } from '../../src/webhooks/sender.ts';

t.test('a message is signed according to Standard Webhooks', async (t) => {
  const secret = randomBytes(32);
  const createdAt = new Date('2026-01-02T03:04:05.678Z');
  const now = new Date('2026-01-02T04:00:00.999Z');
  const message = { id: 'a-b-c', event: 'batch.done', data: { b: 1, a: 'ü' }, createdAt };
  const { body, headers } = signMessage(message, [secret], now);
  t.equal(body, '{"type":"batch.done","timestamp":"2026-01-02T03:04:05.678Z","data":{"b":1,"a":"ü"}}');
  t.equal(headers['webhook-id'], 'a-b-c');
  t.equal(headers['webhook-timestamp'], '1767326400');
  const digest = createHmac('sha256', secret).update(`a-b-c.1767326400.${body}`).digest('base64');
  t.equal(headers['webhook-signature'], `v1,${digest}`);
  t.equal(signMessage(message, [secret], new Date()).body, body, 'every try has the same bytes');
  t.match(writeSecret(secret), /^whsec_[A-Za-z0-9+/]{43}=$/);
});

t.test('the data of an event has the address of each link that it names by its slug', async (t) => {
  const shortUrl = (slug: string) => `https://q.example/l/${slug}`;
  const data = { slugs: ['a'], links: [{ slug: 'a', n: 1 }, { slug: null }], slug: 'b', at: null };
  t.equal(
    JSON.stringify(withShortUrls(data, shortUrl)),
    '{"slugs":["a"],"links":[{"slug":"a","short_url":"https://q.example/l/a","n":1},{"slug":null}],' +
      '"slug":"b","short_url":"https://q.example/l/b","at":null}',
  );
});

t.test('a message has a signature for each secret, in order', async (t) => {
  const secrets = [randomBytes(32), randomBytes(32)];
  const message = { id: 'a', event: 'batch.done', data: {}, createdAt: new Date(0) };
  const signatureBy = (...by: readonly Buffer[]) =>
    signMessage(message, by, new Date(0)).headers['webhook-signature'];
  t.equal(signatureBy(...secrets), secrets.map((secret) => signatureBy(secret)).join(' '));
});

t.test('an address must be https, public, and on port 443 or 8443', async (t) => {
  const okay = [
    'https://example.com/a?b=c',
    'https://example.com:8443/',
    'https://EXAMPLE.com',
    'https://1.1.1.1/x',
  ];
  for (const url of okay) t.ok(checkWebhookUrl(url, false).ok, url);
  const refused = [
    'http://example.com/',
    'ftp://example.com/',
    'https://user@example.com/',
    'https://:pw@example.com/',
    'https://example.com/a#b',
    'https://example.com/a#',
    'https://example.com:8080/',
    'https://example.com:22/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.1.2.3:8443/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://a.localhost./',
    '/hook',
    'example.com',
    '',
    `https://example.com/${'x'.repeat(2000)}`,
  ];
  for (const url of refused) t.notOk(checkWebhookUrl(url, false).ok, url);
  for (const url of ['http://127.0.0.1:9000/', 'http://localhost', 'https://10.0.0.1/'])
    t.ok(checkWebhookUrl(url, true).ok, `${url} where private networks are allowed`);
  t.match(checkWebhookUrl('https://example.com/#a', false), { fault: /must have no fragment/ });
  for (const url of ['ftp://example.com/', 'http://user@example.com/', 'http://example.com/#', 'x'])
    t.notOk(checkWebhookUrl(url, true).ok, `${url} is never allowed`);
});

t.test('there are ten tries in a day, with growing pauses, and two a day from then on', async (t) => {
  const pauses = Array.from({ length: 9 }, (_, i) => pauseOfDelivery(i + 1, 0));
  t.strictSame(
    pauses,
    [...pauses].sort((a, b) => a - b),
  );
  const longest = Array.from({ length: 9 }, (_, i) => pauseOfDelivery(i + 1, 1));
  const sumH = longest.reduce((sum, ms) => sum + ms, 0) / 3_600_000;
  t.ok(sumH > 20 && sumH < 26, String(sumH));
  for (const tries of [10, 11, 1000]) t.equal(pauseOfDelivery(tries, 0), 12 * 3_600_000);
  t.strictSame([1, 2, 3, 4, 100].map(pauseOfAddress), [0, 0, 2000, 4000, 300_000]);
});

t.test('jitter adds at most a tenth to a pause', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (tries, chance) => {
        const leastMs = pauseOfDelivery(tries, 0)!;
        const drawnMs = pauseOfDelivery(tries)!;
        const spreadMs = pauseOfDelivery(tries, chance)! - leastMs;
        return (
          Math.abs(spreadMs - 0.1 * chance * leastMs) <= 1 && drawnMs >= leastMs && drawnMs <= 1.1 * leastMs
        );
      },
    ),
  );
});

t.test('the pause of an address doubles from the second failure on, up to five minutes', async (t) => {
  const pauses = Array.from({ length: 40 }, (_, failures) => pauseOfAddress(failures));
  t.strictSame(
    pauses.slice(0, 12),
    [0, 0, 0, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000],
  );
  t.ok(pauses.slice(11).every((pauseMs) => pauseMs === 300_000));
});
