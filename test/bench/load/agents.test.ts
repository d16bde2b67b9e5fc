/** Agents that make a load together, and their coordinator. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { startAgent } from '../../../bench/agents/agent.ts';
import { coordinate, greetAgents } from '../../../bench/agents/coordinate.ts';
import { AGENT, agentsOf } from '../../../bench/agents/options.ts';
import { AgentFault, clockOf, shareOf } from '../../../bench/agents/wire.ts';
import { plainAim } from '../../../bench/load/aim.ts';
import { createOutcomes, failuresOf, mergeOutcomes } from '../../../bench/load/outcomes.ts';

import { until } from '../../servers/until.ts';
import { readCommand } from '../../support/command.ts';

const SECRET = 'a secret of the tests';
const GOOD = '{"hello":"world"}';

type Scope = { teardown(run: () => unknown): void };

const serve = async (scope: Scope, listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  scope.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const listen = (scope: Scope, allowRemote = false) =>
  startAgent(scope, { host: '127.0.0.1', port: 0, secret: SECRET, allowRemote });

const jobTo = (url: string) => ({
  url,
  mix: [['bare', 1]] as const,
  aim: plainAim('agents'),
  connections: 5,
  ratePerS: 100,
  seconds: 1,
  underWayMax: 100,
});

t.test('two agents make a load together: half each, in turn, begun together', async (t) => {
  const atMs: number[] = [];
  const url = await serve(t, (_, answer) => {
    atMs.push(performance.now());
    answer.end(GOOD);
  });
  const agents = [await listen(t), await listen(t)];
  for (const { offsetMs, roundTripMs } of await greetAgents(agents, SECRET))
    t.ok(Math.abs(offsetMs) <= roundTripMs / 2 + 1, `the same clock: ${offsetMs} of ${roundTripMs}`);
  const generator = coordinate(agents, SECRET);
  let begun = 0;
  const result = await generator.open(jobTo(url), () => {
    begun += 1;
  });
  t.match(result, { askedPerS: 100, sent: 100, dropped: 0, tally: { good: 100 } });
  t.equal(atMs.length, 100);
  t.equal(begun, 1);
  const closed = await generator.closed({ ...jobTo(url), warmUpS: 0, seconds: 0.5 });
  t.ok(closed.tally.good + failuresOf(closed.tally) <= atMs.length - 100);
  t.ok(closed.tally.good > 0);
});

t.test('an agent that dies makes the run invalid, which ends at once', async (t) => {
  const url = await serve(t, (_, answer) => answer.end(GOOD));
  const steps: (() => unknown)[] = [];
  const mortal = await listen({ teardown: (step) => void steps.push(step) });
  const other = await listen(t);
  const loaded = coordinate([mortal, other], SECRET).open({ ...jobTo(url), seconds: 60 });
  setTimeout(() => steps.map((step) => step()), 1500);
  const fault = await loaded.catch((error: Error) => error);
  t.type(fault, AgentFault);
  t.match(fault, {
    exitCode: 3,
    message: new RegExp(`^the agent ${mortal} .*; the run is not valid without it$`),
  });
  // The other one is free again, although its load was to last a minute.
  const isFree = () =>
    coordinate([other], SECRET)
      .open(jobTo(url))
      .then(
        () => true,
        () => false,
      );
  await until(isFree, { pauseMs: 100 });
});

t.test('agents refuse another secret, other machines, late orders, and a second load', async (t) => {
  const url = await serve(t, (_, answer) => answer.end(GOOD));
  const agent = await listen(t);
  const faultOf = (run: Promise<unknown>) =>
    run.then(
      () => 'none',
      (error: Error) => error.message,
    );
  t.match(await faultOf(greetAgents([agent], `${SECRET}!`)), `the agent ${agent} has another secret`);
  t.match(await faultOf(greetAgents(['127.0.0.1:9'], SECRET)), 'the agent 127.0.0.1:9 cannot be reached');
  const elsewhere = coordinate([agent], SECRET).open(jobTo('http://192.0.2.1:80'));
  t.match(await faultOf(elsewhere), 'is another machine: start it with --allow-remote');
  const first = coordinate([agent], SECRET).open(jobTo(url));
  await new Promise((resolve) => setTimeout(resolve, 700));
  t.match(await faultOf(coordinate([agent], SECRET).open(jobTo(url))), 'it makes another load');
  t.match(await first, { tally: { good: 100 } });
  const order = { kind: 'open', job: jobTo(url), startMs: 0 };
  const headers = { authorization: `Bearer ${SECRET}` };
  const late = await fetch(`http://${agent}/load`, { method: 'POST', headers, body: JSON.stringify(order) });
  t.equal(await late.text(), 'the order came after the start');
});

t.test('addresses beyond this machine need an explicit option', async (t) => {
  const listens = (...args: readonly string[]) => {
    const reading = readCommand(AGENT, ['--listen', ...args]);
    return reading.kind === 'given' ? reading.wanted : reading.text;
  };
  t.strictSame(listens('127.0.0.1:7400'), { host: '127.0.0.1', port: 7400, allowRemote: false });
  t.match(listens('[::1]:80'), { host: '::1', port: 80 });
  t.match(listens('0.0.0.0:7400'), 'is not only this machine: add --allow-remote');
  t.match(listens('0.0.0.0:7400', '--allow-remote'), { host: '0.0.0.0', allowRemote: true });
  t.match(listens('7400'), 'needs a host and a port');
  t.strictSame(agentsOf('127.0.0.1:1, localhost:2', false), ['127.0.0.1:1', 'localhost:2']);
  t.strictSame(agentsOf(undefined, false), []);
  t.throws(() => agentsOf('127.0.0.1:1,10.0.0.7:2', false), { message: '10.0.0.7 is not only this machine' });
  t.throws(() => agentsOf('127.0.0.1:1,127.0.0.1:1', false), { message: 'names an agent twice' });
});

t.test('the shares of a load add up to it, and have contents of their own', async (t) => {
  const whole = fc.integer({ min: 1, max: 10_000 });
  fc.assert(
    fc.property(whole, whole, whole, fc.integer({ min: 1, max: 20 }), (ratePerS, connections, most, of) => {
      const job = { ...jobTo('http://127.0.0.1'), ratePerS, connections, underWayMax: most };
      const shares = Array.from({ length: of }, (_, at) => shareOf(job, at, of));
      const total = (field: 'ratePerS' | 'connections' | 'underWayMax') =>
        shares.reduce((all, share) => all + share[field], 0);
      t.ok(Math.abs(total('ratePerS') - ratePerS) < 1e-6 * ratePerS);
      // Each agent has one at least.
      t.equal(total('connections'), Math.max(connections, of));
      t.equal(total('underWayMax'), Math.max(most, of));
      t.equal(new Set(shares.map(({ aim }) => aim.run)).size, of);
      const profile = [{ seconds: 1, fromPerS: ratePerS, toPerS: 2 * ratePerS }];
      const [part] = shareOf({ ...job, profile }, 0, of).profile!;
      t.ok(Math.abs(part!.toPerS * of - 2 * ratePerS) < 1e-6 * ratePerS);
    }),
  );
});

t.test('the offset of a clock is found to half of the difference of the two ways', async (t) => {
  const way = fc.double({ min: 0, max: 1000, noNaN: true });
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      way,
      way,
      way,
      (offsetMs, there, work, back) => {
        const receivedMs = there + offsetMs;
        const clock = clockOf(0, { receivedMs, sentMs: receivedMs + work }, there + work + back);
        t.ok(Math.abs(clock.roundTripMs - there - back) < 1e-6);
        t.ok(Math.abs(clock.offsetMs - offsetMs) <= Math.abs(there - back) / 2 + 1e-6);
      },
    ),
  );
});

t.test('the outcomes of two half-runs add up to those of the whole run, bucket for bucket', async (t) => {
  const one = fc.record({
    isFirst: fc.boolean(),
    isGood: fc.boolean(),
    ms: fc.double({ min: 0, max: 40_000, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 200 }), (requests) => {
      const [whole, first, second] = [createOutcomes(), createOutcomes(), createOutcomes()];
      for (const { isFirst, isGood, ms } of requests)
        for (const outcomes of [whole, isFirst ? first : second]) {
          outcomes.count('sent');
          outcomes.left(0);
          outcomes.ended(isGood, 0, 0, ms);
          outcomes.tally.answer(isGood, isGood ? 200 : 503, 10, 1, undefined);
        }
      const merged = mergeOutcomes([first.result(), second.result()]);
      const { inFlightMs: _, timesMs: area, ...all } = whole.result();
      const { inFlightMs: __, timesMs, ...sum } = merged;
      t.strictSame(sum, all);
      t.ok(Math.abs(timesMs - area) < 1e-3);
    }),
  );
});
