/** The generators against a server of the test's own; the report; the clock of other processes. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { cpuMs, rssBytes } from '../../bench/cpu.ts';
import { runClosed } from '../../bench/load/closed.ts';
import { runCounted } from '../../bench/load/counted.ts';
import { runOpen } from '../../bench/load/open.ts';
import { failuresOf } from '../../bench/load/tally.ts';
import { htmlReport } from '../../bench/page/html.ts';
import { markdownReport } from '../../bench/page/markdown.ts';
import { verdicts } from '../../bench/page/text.ts';
import { drive, type Seen } from '../../bench/witness/drive.ts';
import { together } from '../../bench/witness/witness.ts';
import { bench, capacity } from './reports.ts';

type Scope = { teardown(run: () => unknown): unknown };

const serve = async (scope: Scope, listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  scope.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const aim = { key: '', slugs: [], codes: [], logo: '', run: 'test' };
const load = { mix: [['bare', 1]] as const, aim, firstSerial: 0 };
const GOOD = '{"hello":"world"}';

t.test('an open loop keeps sending while no request is answered', async (t) => {
  const held: (() => void)[] = [];
  const url = await serve(t, (_, answer) => {
    held.push(() => answer.end(GOOD));
    // Whoever waits for an answer before the next request never gets one here.
    if (held.length === 20) for (const release of held) release();
  });
  const job = {
    kind: 'open',
    ...load,
    url,
    connections: 20,
    ratePerS: 200,
    seconds: 0.1,
    underWayMax: 100,
  } as const;
  const { tally, dropped, nextSerial } = await runOpen(job, () => {});
  t.equal(tally.good, 20);
  t.equal(dropped, 0);
  t.equal(nextSerial, 20);
});

t.test('requests that are due while too many are under way are dropped and counted', async (t) => {
  const held: (() => void)[] = [];
  const url = await serve(t, (_, answer) => {
    held.push(() => answer.end(GOOD));
    if (held.length === 5) setTimeout(() => held.map((release) => release()), 500);
  });
  const job = {
    kind: 'open',
    ...load,
    url,
    connections: 20,
    ratePerS: 200,
    seconds: 0.1,
    underWayMax: 5,
  } as const;
  const { tally, dropped } = await runOpen(job, () => {});
  t.equal(tally.good + dropped, 20);
  t.ok(dropped > 0);
});

t.test('refusals, wrong bodies and good answers are counted separately', async (t) => {
  let asked = 0;
  const listener: RequestListener = (_, answer) => {
    asked += 1;
    if (asked % 3 === 0) answer.writeHead(503).end('{}');
    else if (asked % 3 === 1) answer.end('{}');
    else answer.setHeader('server-timing', 'quota;dur=1.0, queue;dur=2.0, render;dur=3.0').end(GOOD);
  };
  const url = await serve(t, listener);
  const counted = await runCounted({ kind: 'counted', ...load, url, connections: 3, requests: 30 }, () => {});
  t.match(counted.tally, { good: 10, bodyCheckFailed: 10, statuses: { 503: 10 }, timeouts: 0 });
  t.strictSame(counted.tally.serverMs, { quota: 1, queue: 2, render: 3 });
  t.equal(failuresOf(counted.tally), 20);

  const open = {
    kind: 'open',
    ...load,
    url,
    connections: 3,
    ratePerS: 300,
    seconds: 0.1,
    underWayMax: 99,
  } as const;
  const { tally } = await runOpen(open, () => {});
  t.equal(tally.good + failuresOf(tally), 30);
  t.equal(tally.statuses['503'], 10);
});

const both = async (url: string, options: { connections: number; ratePerS: number; seconds: number }) => {
  const job = { ...load, url, ...options };
  const open = await runOpen({ kind: 'open', ...job, underWayMax: 1000 }, () => {});
  const seen: Seen[] = await Promise.all(
    [0, 1].map((index) => drive({ ...job, warmUpS: 0, connections: options.connections / 2, index, of: 2 })),
  );
  return { open, independent: together(seen, options.ratePerS) };
};

t.test('two generators that share no code see the delays that the server makes', async (t) => {
  let asked = 0;
  const delaysMs = [...Array.from({ length: 9 }, () => 40), 900];
  const url = await serve(t, (_, answer) => {
    asked += 1;
    setTimeout(() => answer.end(GOOD), delaysMs[asked % delaysMs.length]);
  });
  const seen = await both(url, { connections: 100, ratePerS: 200, seconds: 0.5 });
  for (const [name, { tally, latencyMs, dropped }] of Object.entries(seen)) {
    t.match(
      { ...tally, dropped },
      { good: 100, bodyCheckFailed: 0, timeouts: 0, connectionErrors: 0, dropped: 0 },
      name,
    );
    // A timer may be a millisecond early. Between the two delays lies more than what a busy machine adds.
    t.ok(latencyMs.p50 >= 39 && latencyMs.p50 < 900, `${name}: p50 ${latencyMs.p50}`);
    t.ok(latencyMs.p99 >= 899 && latencyMs.p99 < 5000, `${name}: p99 ${latencyMs.p99}`);
  }
});

t.test('both count a stall of the server in every request that was due meanwhile', async (t) => {
  let stalledUntilMs = 0;
  const url = await serve(t, (_, answer) => {
    if (stalledUntilMs === 0) stalledUntilMs = performance.now() + 600;
    setTimeout(() => answer.end(GOOD), Math.max(0, stalledUntilMs - performance.now()));
  });
  for (const run of ['open', 'independent'] as const) {
    stalledUntilMs = 0;
    const job = { ...load, url, connections: 4, ratePerS: 100, seconds: 1 };
    const { tally, latencyMs } =
      run === 'open'
        ? await runOpen({ kind: 'open', ...job, underWayMax: 1000 }, () => {})
        : together([await drive({ ...job, warmUpS: 0, index: 0, of: 1 })], 100);
    t.equal(tally.good, 100, run);
    // Of 100 requests 60 are due in the stall, and 20 of them in its first 200 ms: those wait for 400 ms or more.
    t.ok(
      latencyMs.p90 >= 380,
      `${run}: p90 ${latencyMs.p90}; who sends only to a server that answers sees 4 such requests`,
    );
  }
});

t.test(
  'the independent generator counts refusals, wrong bodies and lost connections separately',
  async (t) => {
    let asked = 0;
    const url = await serve(t, (request, answer) => {
      asked += 1;
      if (asked % 4 === 0) answer.writeHead(503).end('{}');
      else if (asked % 4 === 1) answer.end('{}');
      else if (asked % 4 === 2) request.socket.destroy();
      else answer.end(GOOD);
    });
    const job = { ...load, url, connections: 2, ratePerS: 200, seconds: 0.2, warmUpS: 0 };
    const { tally, dropped } = together([await drive({ ...job, index: 0, of: 1 })], 200);
    t.match(tally, {
      good: 10,
      bodyCheckFailed: 10,
      statuses: { 503: 10 },
      connectionErrors: 10,
      timeouts: 0,
    });
    t.equal(dropped, 0);
  },
);

t.test('a closed loop never has more under way than connections, and warms up first', async (t) => {
  let [underWay, most, begun, before] = [0, 0, false, 0];
  const url = await serve(t, (_, answer) => {
    underWay += 1;
    most = Math.max(most, underWay);
    if (!begun) before += 1;
    setImmediate(() => {
      underWay -= 1;
      answer.end(GOOD);
    });
  });
  const job = { kind: 'closed', ...load, url, connections: 4, warmUpS: 1, seconds: 1 } as const;
  const { tally } = await runClosed(job, () => {
    begun = true;
  });
  t.ok(most <= 4, `${most} under way`);
  t.ok(before > 0, 'the warm-up is not counted');
  t.ok(tally.good > 0);
  t.equal(failuresOf(tally), 0);
});

t.test(
  'the processor time of another process can be read',
  { skip: process.platform !== 'linux' && 'no /proc' },
  async (t) => {
    const [seenMs, usedUs] = [cpuMs(process.pid), process.cpuUsage()];
    while (process.cpuUsage(usedUs).user < 200_000);
    t.ok(cpuMs(process.pid) - seenMs > 150);
    t.ok(rssBytes(process.pid) > 1e7);
  },
);

t.test('the report', async (t) => {
  const page = htmlReport(bench, capacity);
  const text = markdownReport(bench, capacity);

  t.test('names the rate of the soak that held, and nothing that no soak held', async (t) => {
    const { found } = capacity;
    const soak = { ...found.soak!, result: { ...found.soak!.result, askedPerS: 71 } };
    t.match(verdicts(null, { ...capacity, found: { ...found, soak } })[1], /^71 a second for .* held/);
    t.equal(
      verdicts(null, { ...capacity, found: { ...found, soak: null } })[1],
      'No rate held for the length of a soak.',
    );
  });

  t.test('shows the rate of the search beside the one that an independent generator repeats', async (t) => {
    t.match(verdicts(null, capacity)[2], /^The search found 120 a second; .* held at 100: p99 12 ms/);
    t.match(text, /\| 100 asked\/s \|.*\| held \|/);
  });

  t.test('says of a busy machine that nothing follows from ratios', async (t) => {
    const busy = { ...bench, machine: { ...bench.machine, load: 3 } };
    t.match(verdicts(busy, null).at(-1), 'Nothing follows from this run but the processor time');
  });

  t.test('begins with the verdict', async (t) => {
    t.ok(page.indexOf('Sustains 100 requests a second') < page.indexOf('<h2>'));
    t.ok(text.indexOf('Sustains 100 requests a second') < text.indexOf('## '));
  });

  t.test('loads nothing from other hosts, and escapes what it shows', async (t) => {
    t.notMatch(page, /<(script|link|img|iframe)|@import|url\(/);
    t.match(page, 'A &lt;processor&gt; &amp; more');
  });

  t.test('draws its plots in the colours of the page', async (t) => {
    t.equal(page.match(/<svg /g)?.length, 7);
    t.match(page, 'var(--series-1)');
    t.match(page, 'prefers-color-scheme: dark');
  });

  t.test('compares with the last report and lists every assumption of the plan', async (t) => {
    t.match(text, /redirect \/ bare \|.*0\.5 \(/);
    for (const assumption of capacity.plan.assumptions) t.ok(text.includes(assumption), assumption);
  });

  t.test('can be made from both runs, one of them, or none', async (t) => {
    t.match(htmlReport(bench, null), 'Ratios');
    t.match(htmlReport(null, capacity), 'What more machines would serve');
    t.notMatch(markdownReport(null, null), 'undefined');
  });
});
