/** Sending webhooks: which addresses are allowed, and limits of a request. */
import t from 'tap';
import { createPost, type PostNetwork } from '../../src/webhooks/post.ts';
import { answering, listenOn } from '../logo/network.ts';
import { startReceiver } from './receiver.ts';

/** An address that only the tests treat as public. */
const OPEN = '127.0.0.2';
const open = await startReceiver(OPEN);
const inside = await startReceiver();
t.teardown(() => Promise.all([open.close(), inside.close()]));
const port = (url: string): string => new URL(url).port;

const NAMES = {
  'open.test': [[OPEN]],
  'inside.test': [['127.0.0.1']],
  'both.test': [[OPEN, '127.0.0.1']],
  'changes.test': [[OPEN], ['127.0.0.1']],
  'metadata.test': [['169.254.169.254']],
};
const guarded = (more: Partial<PostNetwork> = {}) => {
  const { lookup, asked } = answering(NAMES);
  const isAllowedAddress = (address: string) => address === OPEN;
  const post = createPost({ allowPrivateNetworks: false, lookup, isAllowedAddress, ...more });
  t.teardown(post.close);
  return { post: post.post, asked };
};
const NOT_PUBLIC = /^the address is not public/;
const body = '{"type":"x"}';

t.test('no connection is opened to a private address, however it is written or named', async (t) => {
  const { post } = guarded();
  const before = inside.connections();
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '2130706433',
    'inside.test',
    'both.test',
    'metadata.test',
  ]) {
    const posted = await post(`http://${host}:${port(inside.url)}/`, {}, body);
    t.match(posted, { status: null, error: NOT_PUBLIC }, host);
  }
  t.equal(inside.connections(), before);
});

t.test('the address is checked for each request, because names can change', async (t) => {
  const { post, asked } = guarded();
  const url = `http://changes.test:${port(open.url)}/`;
  t.equal((await post(url, {}, body)).status, 204);
  t.match(await post(url, {}, body), { status: null, error: NOT_PUBLIC });
  t.equal(asked['changes.test'], 2, 'only checked addresses are connected to');
});

t.test('a redirect is treated like any other answer and not followed', async (t) => {
  const { post } = guarded();
  open.answer = (response) => void response.writeHead(307, { location: inside.url }).end('moved');
  const before = inside.connections();
  t.match(await post(open.url, {}, body), {
    status: 307,
    answer: { body: 'moved', headers: { location: inside.url } },
  });
  t.equal(inside.connections(), before);
});

t.test('only the first 4,000 bytes of an answer are read', async (t) => {
  const { post } = guarded();
  let ended = false;
  open.answer = (response) => {
    response.on('close', () => {
      ended = true;
    });
    response.writeHead(500);
    const write = (): void => {
      while (!ended && response.write(Buffer.alloc(16_384, 'ab\0')));
      if (!ended) response.once('drain', write);
    };
    write();
  };
  const { status, answer } = await post(open.url, {}, body);
  t.equal(status, 500);
  t.equal(answer?.body.slice(0, 4), 'ab\uFFFDa', 'Postgres cannot store U+0000');
  t.equal(answer?.body.length, 4000);
});

t.test(
  'of the headers of an answer, those that say why are kept, and each of them has a bound',
  async (t) => {
    const { post } = guarded();
    open.answer = (response) => {
      const told = { server: 's'.repeat(1000), 'www-authenticate': 'Basic', 'retry-after': '5' };
      response.writeHead(401, { ...told, 'set-cookie': 'session=secret', 'x-own': 'no' }).end();
    };
    const { answer } = await post(open.url, {}, body);
    t.strictSame(answer?.headers, {
      'retry-after': '5',
      server: 's'.repeat(300),
      'www-authenticate': 'Basic',
    });
  },
);

t.test('a request times out after five seconds, and an endless answer counts by its status', async (t) => {
  const { post } = guarded();
  const silent = await listenOn(OPEN);
  t.teardown(silent.close);
  open.answer = (response) => {
    response.writeHead(200);
    response.write('so far');
  };
  const [none, half] = await Promise.all([
    post(`http://${OPEN}:${silent.port}/`, {}, body),
    post(open.url, {}, body),
  ]);
  t.match(none, { status: null, error: 'no answer within 5 s' });
  t.match(half, { status: 200, answer: { body: 'so far' } });
});

t.test('a refused connection and an unknown name are the same failure', async (t) => {
  const { post } = guarded();
  const closed = await listenOn(OPEN);
  await closed.close();
  for (const host of [`${OPEN}:${closed.port}`, 'unknown.test'])
    t.match(await post(`http://${host}/`, {}, body), {
      status: null,
      error: 'the address could not be reached',
    });
});

t.test('loopback is allowed when private networks are allowed', async (t) => {
  const { post } = guarded({ allowPrivateNetworks: true });
  t.equal((await post(inside.url, { 'x-y': 'z' }, body)).status, 204);
  t.equal(inside.received.at(-1)!.headers['x-y'], 'z');
});
