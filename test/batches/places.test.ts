/** The limited number of batches that a gateway receives at a time, over real connections. */
import { EventEmitter } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import t, { type Test } from 'tap';
import type { Watch } from '../../src/batches/receive/upload.ts';
import { createUploadPlaces } from '../../src/http/routes/account/batches/upload-places.ts';
import { createFreeWork } from '../../src/limits/free-work.ts';
import { createMeter } from '../../src/limits/meter.ts';
import { until } from '../servers/until.ts';
import { sharedBatchApp } from './support.ts';

const { app } = await sharedBatchApp();
await app.app.gateway.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.app.gateway.server.address() as AddressInfo;

interface Sending {
  readonly socket: Socket;
  /** What the gateway has answered; '' before it has. */
  answer(): string;
}

const lengthOf = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}`;

/** Sends a request and the first bytes of its body, and keeps the connection open. */
const send = (
  t: Test,
  key: string,
  body: string,
  { length = lengthOf(body), type = 'application/x-ndjson', path = '/api/v1/batches' } = {},
): Sending => {
  let answer = '';
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n${body}`,
  );
  t.teardown(() => socket.destroy());
  return { socket, answer: () => answer };
};

const statusOf = async (sending: Sending): Promise<number> => {
  await until(() => sending.answer() !== '');
  return Number(sending.answer().split(' ')[1]);
};

const ROW = '{"data":""}\n';
const OPEN = { length: 'Content-Length: 1000' };
const FORM = { type: 'multipart/form-data; boundary=x' };
const part = (head: string, body: string): string =>
  `--x\r\nContent-Disposition: form-data; ${head}\r\nContent-Type: application/x-ndjson\r\n\r\n${body}\r\n`;

/** Resolves when a batch of the account has a place, which may be only for a moment. */
const isServed = async (t: Test, key: string): Promise<boolean> =>
  (await statusOf(send(t, key, ROW))) === 202;

/** How many batches of the account are being received. */
const receivedOf = async (key: string): Promise<number> => {
  const { data } = (await app.call({ url: '/api/v1/batches', key })).json as unknown as {
    data: { state: string }[];
  };
  return data.filter(({ state }) => state === 'receiving').length;
};

/** Starts uploads that do not end, and waits until each has its place. */
const occupy = async (t: Test, key: string, count: number): Promise<readonly Sending[]> => {
  const sendings = Array.from({ length: count }, () => send(t, key, ROW, OPEN));
  await until(async () => (await receivedOf(key)) === count);
  return sendings;
};

const account = async (): Promise<string> => (await app.account({ monthlyQuota: 1000 })).key;

t.test('a malformed form is answered and occupies no place', async (t) => {
  const rows = part('name="rows"', ROW);
  const bodies = [
    `${part('name="design"\r\x10', '{"width":100}')}${rows}--x--\r\n`,
    `--x\r\nContent-Disposition: form-data; name="design"\r\x10\r\n${rows}--x--\r\n`,
    `--x\r\nContent-Disition: form-data; nath":100}\r\n${rows}--x--\r\n`,
    `${part('name="design"', '{}')}${rows}${part('name="x"', 'y').slice(0, -20)}`,
    `--x\r\nContent-Disposition: form-data; name="design"\r\nContent-Type: application\r\n--x--/json\r\n\r\n{}\r\n${rows}--x--\r\n`,
  ];
  for (const body of bodies) {
    const key = await account();
    const halves = [body.slice(0, 150), body.slice(150)];
    const inChunks = halves.map((half) => `${half.length.toString(16)}\r\n${half}\r\n`).join('');
    const sent = [
      send(t, key, body, FORM),
      send(t, key, body, FORM),
      send(t, key, `${inChunks}0\r\n\r\n`, { ...FORM, length: 'Transfer-Encoding: chunked' }),
    ];
    for (const one of sent) t.match(await statusOf(one), /^(202|400)$/);
    t.ok(await isServed(t, key));
  }
});

t.test('an account has three places, and its fourth upload is a 429', async (t) => {
  const key = await account();
  const own = await occupy(t, key, 3);
  const fourth = send(t, key, ROW);
  t.equal(await statusOf(fourth), 429);
  t.match(fourth.answer(), /retry-after: 10\r\n/i);
  t.match(fourth.answer(), /An account may send 3 batches at a time/);
  const other = await account();
  t.ok(await isServed(t, other));
  for (const { socket } of own) socket.destroy();
});

t.test('a place is free as soon as its connection closes', async (t) => {
  const [first, second, third] = await Promise.all([account(), account(), account()]);
  const all = [...(await occupy(t, first, 3)), ...(await occupy(t, second, 3))];
  for (const { socket } of all) socket.destroy();
  await until(async () => (await receivedOf(first)) + (await receivedOf(second)) === 0);
  const more = await occupy(t, third, 3);
  for (const { socket } of more) socket.destroy();
  await until(async () => (await receivedOf(third)) === 0);
});

/** A request whose body is incomplete. */
const createRequest = (accountId: string) => {
  const socket = Object.assign(new EventEmitter(), { destroyed: false });
  const server = { meter: createMeter(createFreeWork(0), 1, () => 0) };
  const request = { principal: { accountId }, server, raw: { complete: false, socket } };
  return { request: request as unknown as FastifyRequest, socket };
};

t.test('a parser that never ends loses its place when the connection closes', async (t) => {
  const places = createUploadPlaces();
  const hang = (watch: Watch) => watch.guard(new Promise<never>(() => {}));
  for (let round = 0; round < 4; round += 1) {
    const requests = [...'aaabbb'].map(createRequest);
    const held = requests.map(({ request }) => places.hold(request, hang));
    await t.rejects(places.hold(createRequest('a').request, hang), { code: 'rate_limited' });
    for (const { socket } of requests) socket.emit('close');
    for (const one of held) await t.rejects(one, { code: 'malformed_body', message: 'body: ended early' });
  }
});

t.test('accounts that occupy all places lose one when another account needs it', async (t) => {
  const [first, second, third, fourth] = await Promise.all([account(), account(), account(), account()]);
  const own = await occupy(t, first, 3);
  const more = await occupy(t, second, 3);
  own[0]!.socket.write(ROW);
  own[2]!.socket.write(ROW);
  const late = await occupy(t, third, 1);
  t.equal(await statusOf(own[1]!), 503, 'the upload that has sent the least');
  t.match(own[1]!.answer(), /retry-after: 10\r\n/i);
  t.match(own[1]!.answer(), /Another account had no place/);
  t.strictSame(
    [own[0]!, own[2]!, ...more, ...late].map(({ answer }) => answer()),
    ['', '', '', '', '', ''],
  );
  const last = await occupy(t, fourth, 1);
  await until(() => more.some(({ answer }) => answer() !== ''));
  t.equal(more.filter(({ answer }) => answer() === '').length, 2, 'the account that has the most places now');
  t.strictSame(
    [...late, ...last].map(({ answer }) => answer()),
    ['', ''],
  );
  for (const { socket } of [...own, ...more, ...late, ...last]) socket.destroy();
});

t.test('an upload that is silent for five seconds gives its place to an account without one', async (t) => {
  const places = createUploadPlaces();
  const hang = (watch: Watch) => {
    watch.awaitBytes();
    return watch.guard(new Promise<never>(() => {}));
  };
  const begin = (accountId: string) => places.hold(createRequest(accountId).request, hang);
  const held = [...'abcdef'].map(begin);
  await t.rejects(begin('g'), { code: 'overloaded' }, 'an upload may pause');
  await sleep(5100);
  const late = begin('g');
  await t.rejects(held[0]!, { code: 'overloaded', message: /Another account had no place/ });
  t.equal(await Promise.race([late, ...held.slice(1), sleep(10, 'all others go on')]), 'all others go on');
});
