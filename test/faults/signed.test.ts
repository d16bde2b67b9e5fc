/** Signed pictures on two gateways while a gateway is killed, Redis loses its data, or Postgres is unavailable. */
import t from 'tap';
import { signPath } from '../../src/signed/address.ts';
import { startGateway } from '../servers/gateway-process.ts';
import type { Answer } from '../support/app/app.ts';
import { startOn, startStores, until, usedOf } from './stack.ts';

const TTL_MS = 4000;
const stores = await startStores(t);
const limits = { QUOTA_RESERVATION_TTL_MS: String(TTL_MS) };
const app = await startOn(stores, t, limits);
const { call } = app;

const signer = async (monthlyQuota = 1000) => {
  const { id, key } = await app.account({ monthlyQuota });
  const secret = (await call({ method: 'POST', url: '/api/v1/signing-secrets', key })).json;
  return { id, key, sign: (parameters: object) => signPath(secret, parameters, 'png') };
};
const show = (url: string): Promise<Answer> => call({ url });
const isSettled = async (): Promise<boolean> =>
  (await stores.openReservations()) === 0 && (await stores.undrained()) === 0;

t.test('when a gateway is killed during first visits, each picture is paid at most once', async (t) => {
  const env = { ...stores.env, ...limits, RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'warn' };
  const { id, sign } = await signer();
  const urls = Array.from({ length: 60 }, (_, i) => sign({ data: `picture ${i}`, width: 400 }));
  const doomed = await startGateway(t, env);
  let shown = 0;
  const visits = urls.map(async (url) => {
    const answer = await fetch(doomed.url + url).catch(() => null);
    if (answer?.status === 200) shown += 1;
    if (shown >= 10) doomed.process.kill('SIGKILL');
    return answer?.status ?? 0;
  });
  const statuses = await Promise.all(visits);
  await doomed.ended;
  const seen = statuses.filter((status) => status === 200).length;
  t.ok(seen >= 10 && seen < urls.length, `${seen} of ${urls.length} were shown before the kill`);

  for (const url of urls) t.equal((await show(url)).status, 200);
  await until(t, 'no reservation is open', isSettled);
  const paid = await usedOf(app, id);
  t.comment(`${paid} units for ${urls.length} pictures`);
  t.ok(paid <= urls.length, 'no picture is paid twice');
  t.ok(paid >= seen, 'pictures shown before the kill are paid');

  const restarted = await startGateway(t, { ...env, LOG_LEVEL: 'info' });
  for (const url of urls) t.equal((await fetch(restarted.url + url)).status, 200);
  await until(t, 'no reservation is open', isSettled);
  t.equal(await usedOf(app, id), paid, 'visits after a restart cost nothing');
  t.match(restarted.output(), '"path":"/i/***"');
  t.notMatch(restarted.output(), urls[0]!.split('/')[2]!, 'the log contains no addresses or content');
  t.strictSame(await stores.differences(), []);
});

t.test('paid pictures stay paid when Redis comes back empty', async (t) => {
  const { id, sign } = await signer();
  const urls = Array.from({ length: 20 }, (_, i) => sign({ data: `kept ${i}` }));
  for (const url of urls) t.equal((await show(url)).status, 200);
  await until(t, 'all usage has reached Postgres', isSettled);
  t.equal(await usedOf(app, id), 20);
  process.kill(stores.redis.pid, 'SIGKILL');
  await stores.redis.stop();
  await stores.redis.start();
  // Another gateway has nothing cached.
  const other = await startOn(stores, t, limits);
  for (const url of urls) t.equal((await other.call({ url })).status, 200);
  const more = sign({ data: 'after the loss' });
  await until(t, 'new pictures are shown', async () => (await other.call({ url: more })).status === 200);
  t.equal((await show(more)).status, 200);
  await until(t, 'no reservation is open', isSettled);
  t.equal(await usedOf(app, id), 21);
  t.strictSame(await stores.differences(), []);
});

for (const store of ['Redis', 'Postgres'] as const) {
  t.test(`without ${store} paid pictures are shown, and new ones are refused at no cost`, async (t) => {
    const proxy = store === 'Redis' ? stores.redisProxy : stores.postgresProxy;
    const { id, sign } = await signer();
    const paid = sign({ data: 'paid' });
    t.equal((await show(paid)).status, 200);
    proxy.cut();
    t.equal((await show(paid)).status, 200);
    const fresh = await show(sign({ data: 'not paid' }));
    t.match(fresh, { status: 503, headers: { 'cache-control': 'no-store' } });
    t.ok(Number(fresh.headers['retry-after']) >= 1);
    proxy.heal();
    await until(t, 'it is shown', async () => (await show(sign({ data: 'not paid' }))).status === 200);
    await until(t, 'no reservation is open', isSettled);
    t.equal(await usedOf(app, id), 2);
  });
}
