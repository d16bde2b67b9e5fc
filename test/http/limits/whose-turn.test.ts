/** Calls whose limits one answer of Redis decides go on in one turn of the event loop. Each pays for itself. */
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { startRedis } from '../../servers/redis.ts';
import { startApp } from '../../support/app/app.ts';

const ROUNDS = 20;
const AT_ONCE = 10;

t.test('a paid call does not use the database in the name of an unpaid one beside it', async (t) => {
  const redis = await startRedis(t, { args: [] });
  const app = await startApp(t, { REDIS_URL: redis.url, RATE_LIMIT_PER_SECOND: '1000', PORT: '0' });
  const [checking, saving] = [await app.account(), await app.account({ monthlyQuota: 1000 })];
  await app.app.listen();
  const { port } = app.app.gateway.server.address() as AddressInfo;
  const post = async (key: string, path: string, body: object): Promise<{ readonly status: number }> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${port}/api/v1${path}`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    return answer;
  };
  const check = () => post(checking.key, '/gs1/check', { value: '(01)09521321000018' });
  const save = (n: number) => post(saving.key, '/codes', { data: `${n}` });
  // The keys are known from here on.
  t.strictSame([(await check()).status, (await save(0)).status], [200, 201]);

  const payer = app.app.gateway.meter.payerOf(checking.id);
  const { enter } = payer;
  let entered = 0;
  const counted = (): ReturnType<typeof enter> => {
    entered += 1;
    return enter.call(payer);
  };
  Object.assign(payer, { enter: counted });
  for (let round = 0; round < ROUNDS; round += 1) {
    const calls = Array.from({ length: AT_ONCE }, (_, n) => [check(), save(n)]).flat();
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    t.strictSame(new Set(statuses), new Set([200, 201]));
  }
  t.equal(entered, 0, 'checks need no database');
});
