/** The cost model: predictions from measured costs, plans, and the delaying proxy. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { compare, predict } from '../../bench/model/check.ts';
import { roundTripsOf } from '../../bench/model/measure/away.ts';
import { allOf, PARTS } from '../../bench/model/model.ts';
import { answersTo } from '../../bench/model/plan/answer.ts';
import { growthOf, millionCodes, monthlyBill, ratesOf, type Tenant } from '../../bench/model/plan/habits.ts';
import { type PlanFile, parsePlan } from '../../bench/model/plan/plan-file.ts';
import {
  costAt,
  type Deployment,
  latencyOf,
  mostOf,
  needsOf,
  type Rates,
} from '../../bench/model/plan/predict.ts';
import { modelTables } from '../../bench/model/tables.ts';
import { startProxy } from '../servers/proxies/proxy.ts';
import { kindCost, model } from './made-up-model.ts';

const EXAMPLE = fileURLToPath(new URL('../../bench/model/plan.example.yaml', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../../dist/bench/capacity/main.js', import.meta.url));

const perS = fc.double({ min: 0.1, max: 5000, noNaN: true });
const rates: fc.Arbitrary<Rates> = fc.record({ redirect: perS, 'render hit 300': perS, 'bulk 10': perS });
const deployments: fc.Arbitrary<Deployment> = fc.record({
  gateways: fc.record({ machines: fc.integer({ min: 1, max: 64 }), cores: fc.integer({ min: 1, max: 128 }) }),
  redis: fc.record({
    shards: fc.integer({ min: 1, max: 16 }),
    roundTripMs: fc.double({ min: 0, max: 50, noNaN: true }),
  }),
  postgres: fc.record({ cores: fc.integer({ min: 1, max: 64 }) }),
  busyShare: fc.double({ min: 0.1, max: 1, noNaN: true }),
  accessLog: fc.boolean(),
});
const prices = { currency: 'EUR', coreHour: 0.03, memoryGbMonth: 3, diskGbMonth: 0.1, egressGb: 0.02 };
const near = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(other));
const holds = (t: Test, name: string, check: () => void) => t.test(name, async (t) => t.doesNotThrow(check));

t.test('the cost of a call', async (t) => {
  const [redirect] = model.kinds;
  t.ok(
    near(costAt(redirect!, model.idle, 0.6).loop, 30 * (1 + 1 / 0.6)),
    'equals the measured cost at a measured load',
  );
  await holds(t, 'times the rate never falls as the rate rises to the measured peak', () =>
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        (a, b) => {
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          return PARTS.every((part) => {
            const spent = (share: number) => share * costAt(redirect!, model.idle, share)[part];
            return spent(low) <= spent(high) * (1 + 1e-9);
          });
        },
      ),
    ),
  );
});

t.test('a deployment', async (t) => {
  await holds(t, 'with more machines serves no less, and its busiest part is used as planned', () =>
    fc.assert(
      fc.property(rates, deployments, (load, deployment) => {
        const { gateways } = deployment;
        const more = { ...deployment, gateways: { ...gateways, machines: 2 * gateways.machines } };
        const [one, two] = [mostOf(model, load, deployment), mostOf(model, load, more)];
        const scaled = Object.fromEntries(Object.entries(load).map(([kind, n]) => [kind, n * one.factor]));
        const [fullest] = needsOf(model, scaled, deployment);
        return (
          two.factor >= one.factor * (1 - 1e-6) && Math.abs(fullest!.share - deployment.busyShare) < 1e-3
        );
      }),
      { numRuns: 50 },
    ),
  );
  await holds(t, 'that is twice as large in every part serves twice as much', () =>
    fc.assert(
      fc.property(rates, deployments, (load, one) => {
        const two = {
          ...one,
          gateways: { ...one.gateways, machines: 2 * one.gateways.machines },
          redis: { ...one.redis, shards: 2 * one.redis.shards },
          postgres: { cores: 2 * one.postgres.cores },
        };
        return Math.abs(mostOf(model, load, two).factor / mostOf(model, load, one).factor - 2) < 1e-3;
      }),
      { numRuns: 50 },
    ),
  );
  await holds(t, 'answers later the longer the round trip to Redis is', () =>
    fc.assert(
      fc.property(rates, deployments, (load, one) => {
        const away = { ...one, redis: { ...one.redis, roundTripMs: one.redis.roundTripMs + 2 } };
        return near(latencyOf(model, load, away) - latencyOf(model, load, one), 1.5 * 2);
      }),
    ),
  );
  t.test('is limited by the single thread of each Redis shard', async (t) => {
    const deployment: Deployment = {
      gateways: { machines: 100, cores: 64 },
      redis: { shards: 1, roundTripMs: 0 },
      postgres: { cores: 64 },
      busyShare: 0.7,
      accessLog: false,
    };
    t.equal(mostOf(model, { 'render hit 300': 1 }, deployment).full, 'Redis');
    t.equal(
      mostOf(model, { 'render hit 300': 1 }, { ...deployment, gateways: { machines: 1, cores: 2 } }).full,
      'gateways',
    );
    t.throws(() => needsOf(model, { 'single logo': 1 }, deployment), {
      message: /no costs of "single logo"; it has redirect/,
    });
  });
});

t.test('a year of tenants: storage and costs', async (t) => {
  const tenants = (count: number): Tenant[] => [
    { name: 'a', count, callsADay: { 'bulk 10': 8640, redirect: 86_400 }, busiest: 4 },
  ];
  const deployment: Deployment = {
    gateways: { machines: 2, cores: 4 },
    redis: { shards: 1, roundTripMs: 1 },
    postgres: { cores: 4 },
    busyShare: 0.5,
    accessLog: true,
  };
  t.strictSame(ratesOf(tenants(2)), {
    mean: { 'bulk 10': 0.2, redirect: 2 },
    busiest: { 'bulk 10': 0.8, redirect: 8 },
  });
  const growth = growthOf(model, ratesOf(tenants(10)), deployment, 10);
  t.ok(near(growth.codesAYear, 10 * 86_400 * 365), 'one code per second and tenant');
  t.ok(near(growth.postgresGbAYear, (10 * 86_400 * 365 * 1000) / 1e9), 'a thousand bytes per code');
  t.ok(near(growth.logsGbADay, (10 * (8640 + 86_400) * 250) / 1e9));
  const twice = growthOf(model, ratesOf(tenants(20)), deployment, 20);
  for (const [name, value] of Object.entries(growth))
    t.ok(near(twice[name as keyof typeof twice], 2 * value), name);
  const million = millionCodes(model, ratesOf(tenants(10)).mean, deployment, prices);
  t.ok(near(million!.disk, 1e6 * 1000 * 1e-9 * 0.1 * 12), 'a year of the disk of a million codes');
  t.ok(near(million!.all, million!.processor + million!.disk + million!.egress));
  const idler = millionCodes(model, ratesOf(tenants(10)).mean, { ...deployment, busyShare: 0.25 }, prices);
  t.ok(near(idler!.processor, 2 * million!.processor), 'cores that are half as busy cost twice as much');
  t.equal(millionCodes(model, { redirect: 5 }, deployment, prices), null);
  const bill = monthlyBill(growth, deployment, prices);
  t.ok(near(bill.processor, (8 + 1 + 4) * 730 * 0.03));
});

t.test('a plan', async (t) => {
  const text = readFileSync(EXAMPLE, 'utf8');
  t.test('in the example file is valid, and each fault in a plan names its field', async (t) => {
    t.notOk(Array.isArray(parsePlan(text)), `${parsePlan(text)}`);
    const faults = (from: string | RegExp, to: string) =>
      parsePlan(text.replace(from, to)) as readonly string[];
    t.strictSame(faults('machines: 3', 'machines: 0'), ['gateways.machines must be >= 1']);
    t.strictSame(faults('machines: 3, cores', 'machines: 3, cors'), [
      'gateways.cores is missing',
      'gateways.cors is unknown',
    ]);
    t.match(faults('bulk 10: 20', 'bulk 11: 20'), [
      /^tenants\[0\]\.callsADay\.bulk 11: there is no such kind of call; there are /,
    ]);
    t.strictSame(faults('busyShare: 0.7', 'busyShare: 1.7'), ['busyShare must be <= 1']);
    t.strictSame(faults('accessLog: true', 'accessLog: perhaps'), ['accessLog must be boolean']);
    t.strictSame(faults('currency: EUR', 'currency: 5'), ['prices.currency must be string']);
    t.match(parsePlan('tenants: [') as readonly string[], [/at line 1/]);
    t.match(parsePlan('12'), ['the plan must be object']);
  });

  t.test('is answered without missing numbers', async (t) => {
    const plan = parsePlan(
      text.replace('single styled: 300, ', '').replace('render miss 300', 'redirect'),
    ) as PlanFile;
    const answers = answersTo(model, plan);
    t.equal(answers.length, 4);
    for (const { title, head, rows } of answers) {
      t.ok(
        rows.every((row) => row.length === head.length),
        title,
      );
      t.notMatch(rows.flat().join(' '), /NaN|Infinity|undefined/, title);
    }
  });

  t.test('is answered by the command without load, and an invalid plan exits with 2', async (t) => {
    const run = (file: string) =>
      new Promise<{ code: number | string; output: string }>((resolve) => {
        execFile(
          process.execPath,
          [SCRIPT, '--plan', file, '--report', t.testdir()],
          (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
        );
      });
    const { code, output } = await run(EXAMPLE);
    t.equal(code, 0, output);
    for (const title of ['The load', 'saturates first', 'A year of it', 'a million codes'])
      t.match(output, title);
    const missing = await run('/nonexistent/plan.yaml');
    t.equal(missing.code, 2);
    t.match(missing.output, 'cannot be read');
  });
});

t.test('a check of the model compares costs at the rate that was reached', async (t) => {
  const mix = { redirect: 3, 'bulk 10': 1 };
  const { peakPerS, us } = predict(model, mix, 0.6);
  t.ok(near(peakPerS, 4 / (3 / 20_000 + 1 / 250)), 'each kind costs as much as it does alone');
  const right = compare(model, mix, { callsPerS: 0.6 * peakPerS, us });
  t.ok(near(right.share, 0.6) && near(right.error, 0));
  const dearer = compare(model, mix, {
    callsPerS: 0.6 * peakPerS,
    us: { ...us, loop: us.loop + 0.1 * allOf(us) },
  });
  t.ok(near(dearer.error, 0.1));
  const slower = compare(model, mix, { callsPerS: 0.3 * peakPerS, us: predict(model, mix, 0.3).us });
  t.ok(near(slower.share, 0.3) && near(slower.error, 0));
});

t.test('the tables of a model show every kind at every load and every part', async (t) => {
  const [us] = modelTables(model);
  t.equal(us!.rows.length, 3 * 5 + 1);
  for (const { rows, head } of modelTables(model)) t.ok(rows.every((row) => row.length === head.length));
  t.ok(near(roundTripsOf(model.away), 1.5));
  t.equal(kindCost('redirect', 0, 1).levels.length, 5);
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
