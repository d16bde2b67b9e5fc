import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createFreeWork } from '../../src/limits/free-work.ts';
import { createMeter } from '../../src/limits/meter.ts';

const CONNECTIONS = 10;
const TURN_MS = 400;

t.test('after a long turn of an account, its queries begin one after the other', async (t) => {
  const payer = createMeter(createFreeWork(0), CONNECTIONS, () => 0).payerOf('a');
  payer.spendTurn(TURN_MS);
  const begun: number[] = [];
  const all = [0, 1, 2].map(async (n) => {
    const leave = await payer.enter();
    begun.push(n);
    return leave;
  });
  await Promise.race(all);
  await sleep(20);
  t.strictSame(begun, [0], 'the next one begins when the turn of the first is expected to be over');
  for (const leave of await Promise.all(all)) leave();
  t.strictSame(begun.toSorted(), [0, 1, 2]);
});

t.test(
  'queries of an account begin at once when its turns are short, and those of another one in any case',
  async (t) => {
    const { payerOf } = createMeter(createFreeWork(0), CONNECTIONS, () => 0);
    payerOf('a').spendTurn(TURN_MS);
    let count = 0;
    const enter = async () => {
      await payerOf('b').enter();
      count += 1;
    };
    const resting = payerOf('a').enter();
    const both = Promise.all([enter(), enter()]);
    await Promise.race([both, resting]);
    t.equal(count, 2);
    await Promise.all([both, resting]);
  },
);

t.test('an account rests longer beside requests that are not its own unpaid calls', async (t) => {
  let requests = 0;
  const { admit, payerOf } = createMeter(createFreeWork(0), CONNECTIONS, () => requests);
  const restOf = async (accountId: string): Promise<number> => {
    const startedMs = performance.now();
    payerOf(accountId).spendTurn(50);
    await payerOf(accountId).rest();
    return performance.now() - startedMs;
  };
  const call = (): void => {
    requests += 1;
    admit('alone');
  };
  for (const accountId of ['alone', 'beside']) payerOf(accountId);
  for (let i = 0; i < 100; i += 1) call();
  await sleep(300);
  const ended: string[] = [];
  const rests = ['beside', 'alone'].map(async (accountId) => {
    const restMs = await restOf(accountId);
    ended.push(accountId);
    return restMs;
  });
  const [besideMs, aloneMs] = (await Promise.all(rests)) as [number, number];
  t.strictSame(ended, ['alone', 'beside']);
  t.ok(besideMs > 295, `${besideMs} ms`);
  t.ok(aloneMs > 95, `${aloneMs} ms`);
});

t.test('an address without an account rests too, and has no budget', async (t) => {
  const freeWork = createFreeWork(1);
  const payer = createMeter(freeWork, CONNECTIONS, () => 0).payerAt('192.0.2.1');
  const startedMs = performance.now();
  payer.spendTurn(50);
  await payer.rest();
  t.ok(performance.now() - startedMs > 95);
  t.equal(freeWork.overdrawn(), 0);
});
