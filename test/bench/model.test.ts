/** The cost model: curves, predictions, checks, and the delaying proxy of its measurement. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { planFor } from '../../bench/capacity/plan.ts';
import { PARTS, totalOf } from '../../bench/cpu.ts';
import { compare, peakOfMix } from '../../bench/model/check.ts';
import { BUSY_SHARE, busyPerS, lawOf, redisCeilingPerS, spentBy, usAt } from '../../bench/model/curve.ts';
import { readModel, writeModel } from '../../bench/model/files.ts';
import { roundTripsOf } from '../../bench/model/measure/proxied.ts';
import { BATCH_CODE, type CostModel } from '../../bench/model/model.ts';
import { modelTables } from '../../bench/model/tables.ts';
import { startProxy } from '../servers/proxies/proxy.ts';
import { kindCost, model } from './made-up-model.ts';

const REFERENCE = fileURLToPath(new URL('../../bench/model/reference.json', import.meta.url));
const reference = JSON.parse(readFileSync(REFERENCE, 'utf8')) as CostModel;

const law = lawOf(model);
const perS = fc.double({ min: 0.1, max: 5000, noNaN: true });
const rates = fc.record({ redirect: perS, 'render hit 300': perS, 'bulk 10': perS });
const counts = fc.integer({ min: 1, max: 64 });
const near = (one: number, other: number, error = 1e-6): boolean =>
  Math.abs(one - other) <= error * Math.max(1, Math.abs(other));
const holds = (t: Test, name: string, check: () => void) => t.test(name, async (t) => t.doesNotThrow(check));

t.test('a curve', async (t) => {
  t.test('is as near to what was measured as it says', async (t) => {
    for (const { cost, error } of law.kinds.values()) {
      t.ok(error < 0.03, `${cost.kind}: ${error}`);
      for (const { callsPerS, us } of cost.levels)
        t.ok(near(totalOf(usAt(law, { [cost.kind]: 1 }, callsPerS, 1)) / totalOf(us), 1, 0.05), cost.kind);
    }
    for (const { cost, error } of lawOf(reference).kinds.values())
      t.ok(error < 0.15, `the reference, ${cost.kind}: ${error}`);
  });
  t.test(
    'of a kind that was measured at one load only is the same at all loads, on any processes',
    async (t) => {
      for (const one of [law, lawOf(reference)])
        for (const perS of [10, 500, 5000])
          for (const processes of [1, 2, 40]) {
            const { us } = one.kinds.get(BATCH_CODE)!.cost.levels[0]!;
            const spent = spentBy(one, { [BATCH_CODE]: perS }, { processes, nodes: 1 });
            for (const part of PARTS)
              t.ok(
                spent[part] - processes * one.idle[part] <= us[part] * perS * (1 + 1e-9),
                `${part}, ${perS}`,
              );
          }
    },
  );
  await holds(t, 'never falls in all as the load rises, and never makes a call dearer', () =>
    fc.assert(
      fc.property(rates, fc.double({ min: 1, max: 10, noNaN: true }), counts, (load, factor, processes) => {
        const more = Object.fromEntries(Object.entries(load).map(([kind, n]) => [kind, n * factor]));
        const [one, other] = [load, more].map((each) => spentBy(law, each, { processes, nodes: 1 }));
        return PARTS.every(
          (part) =>
            one![part] <= other![part] * (1 + 1e-9) && other![part] <= factor * one![part] * (1 + 1e-9),
        );
      }),
    ),
  );
  await holds(t, 'costs each part as much, if twice the processes have twice the load', () =>
    fc.assert(
      fc.property(rates, counts, (load, processes) => {
        const twice = Object.fromEntries(Object.entries(load).map(([kind, n]) => [kind, 2 * n]));
        const one = spentBy(law, load, { processes, nodes: 1 });
        const two = spentBy(law, twice, { processes: 2 * processes, nodes: 1 });
        // A store is awake at a lower rate of each process if there are more of them.
        return near(two.gateway, 2 * one.gateway) && two.redis <= 2 * one.redis * (1 + 1e-9);
      }),
    ),
  );
  await holds(t, 'costs Redis no less in a cluster, where fewer calls share a script run', () =>
    fc.assert(
      fc.property(rates, counts, (load, processes) => {
        const [one, three] = [1, 3].map((nodes) => spentBy(law, load, { processes, nodes }));
        return three!.redis >= one!.redis * (1 - 1e-9) && three!.gateway === one!.gateway;
      }),
    ),
  );
});

t.test('a call of a mix', async (t) => {
  const load = { redirect: 2000, 'render hit 300': 3000 };
  const alone = Object.entries(load).map(([kind, n]) =>
    spentBy(law, { [kind]: n }, { processes: 1, nodes: 1 }),
  );
  const together = spentBy(law, load, { processes: 1, nodes: 1 });
  /** What both kinds cost if neither shares with the other. */
  const apart = (part: (typeof PARTS)[number]) => alone[0]![part] + alone[1]![part] - model.idle[part];
  t.test('shares nothing with other kinds on Postgres, and less in a gateway than on Redis', async (t) => {
    const saved = (part: (typeof PARTS)[number]) => 1 - together[part] / apart(part);
    t.ok(near(together.postgres, apart('postgres')), 'Postgres');
    t.ok(saved('gateway') > 0.02, `gateway: ${saved('gateway')}`);
    t.ok(saved('redis') > 1.5 * saved('gateway'), `Redis: ${saved('redis')}`);
  });
  t.test('shares next to nothing with a kind that hardly uses a part', async (t) => {
    const idleOnRedis = model.kinds.map((cost) =>
      cost.kind === 'redirect'
        ? { ...cost, levels: cost.levels.map((level) => ({ ...level, us: { ...level.us, redis: 2 } })) }
        : cost,
    );
    const lean = lawOf({ ...model, kinds: idleOnRedis });
    const redis = (rates: object) => spentBy(lean, { ...rates }, { processes: 1, nodes: 1 }).redis;
    const hits = { 'render hit 300': 300 };
    const saved =
      redis(hits) + redis({ redirect: 9000 }) - model.idle.redis - redis({ ...hits, redirect: 9000 });
    t.ok(saved < 0.1 * redis(hits), `${saved} of ${redis(hits)} us are shared`);
  });
});

t.test('both ways to a plan have the same ceiling of Redis', async (t) => {
  const mix = { redirect: 60, 'render hit 300': 40 };
  const ceilingPerS = redisCeilingPerS(law, mix, BUSY_SHARE);
  const busy = busyPerS(law, mix, BUSY_SHARE);
  t.ok(
    near(usAt(law, mix, busy, 1).gateway * busy, BUSY_SHARE * 1e6),
    'gateways are as busy as Redis may be',
  );
  const input = { law, mix, codesARequest: 0.4, bytesAnAnswer: 1000 };
  for (const share of [0.2, 0.5, 0.8, 1]) {
    const ratePerS = share * busy;
    const us = usAt(law, mix, ratePerS, 1);
    t.ok(near(planFor({ ...input, ratePerS, us }).ceilingPerS, ceilingPerS), 'whatever the rate of the soak');
    t.equal(planFor({ ...input, ratePerS, us: null }).ceilingPerS, ceilingPerS, 'also of a deployment');
    const dearer = planFor({ ...input, ratePerS, us: { ...us, redis: 1.2 * us.redis } });
    t.ok(
      near(1.2 * dearer.ceilingPerS, ceilingPerS),
      'and only as far apart as the model is from the machine',
    );
  }
  const measured = usAt(law, mix, 1000, 1);
  const { sentences, error } = planFor({
    ...input,
    ratePerS: 1000,
    us: { ...measured, gateway: measured.gateway * 1.5 },
  });
  t.ok(error! > 0.3);
  t.match(
    sentences.join(' '),
    /until one Redis is 70 % busy .*The cost model is \d+ % from what a request took here/,
  );
});

t.test('a check compares costs at the rate that was reached', async (t) => {
  const mix = { redirect: 3, 'bulk 10': 1 };
  t.ok(near(peakOfMix(law, mix), 4 / (3 / 20_000 + 1 / 250)), 'each kind loads the machine as it does alone');
  for (const processes of [1, 2]) {
    const us = usAt(law, mix, 500, processes);
    const right = compare(law, mix, { processes, callsPerS: 500, us });
    t.ok(near(right.error, 0));
    const dearer = { ...us, gateway: us.gateway + 0.1 * totalOf(us) };
    t.ok(near(compare(law, mix, { processes, callsPerS: 500, us: dearer }).error, 0.1));
  }
  const [one, two] = [1, 2].map((processes) => usAt(law, mix, 500, processes).gateway);
  t.ok(two! > one!, 'two processes share less at the same rate');
});

t.test('kinds that are measured again replace those of the same machine, and others stay', async (t) => {
  const folder = t.testdir();
  const [redirect, ...others] = model.kinds;
  await writeModel(folder, model);
  const again = { ...kindCost('redirect', 0, 3), latencyMs: 9 };
  const file = await writeModel(folder, { ...model, kinds: [again] });
  const { kinds } = await readModel(file);
  t.strictSame(kinds.map(({ kind }) => kind).sort(), [redirect, ...others].map((cost) => cost!.kind).sort());
  t.equal(kinds.find(({ kind }) => kind === 'redirect')!.latencyMs, 9);
  const machine = { ...model.machine, cores: 64 };
  await writeModel(folder, { ...model, machine, kinds: [again] });
  t.equal((await readModel(file)).kinds.length, 1, 'not beside those of another machine');
});

t.test('the tables of a model show every kind at every load and every part', async (t) => {
  const [us] = modelTables(model, law);
  t.equal(us!.rows.length, 4 * 5 + 1 + 1);
  for (const { rows, head } of modelTables(model, law)) t.ok(rows.every((row) => row.length === head.length));
  const away = [0, 2, 20].map((roundTripMs) => ({ roundTripMs, latencyMs: 2 + 1.5 * roundTripMs }));
  t.ok(near(roundTripsOf(away), 1.5));
});

t.test('the delaying proxy passes on every byte in order, and counts them', async (t) => {
  const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const proxy = await startProxy(t, { port: (server.address() as AddressInfo).port });
  proxy.delay(40);
  const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, i) => i % 251));
  const startMs = performance.now();
  const socket = connect(proxy.port, '127.0.0.1').on('error', () => {});
  socket.write(bytes);
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of socket) {
    chunks.push(chunk);
    received += chunk.length;
    if (received >= bytes.length) break;
  }
  t.ok(Buffer.concat(chunks).equals(bytes), 'in order');
  t.ok(performance.now() - startMs >= 80, 'a round trip takes twice the delay');
  t.strictSame(proxy.taken, { toServer: 1_000_000, toClient: 1_000_000 });
});
