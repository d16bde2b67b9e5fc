/** The parts of a supervisor: dividing the machine, pauses, sums of metrics, and handling of processes. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import t from 'tap';
import {
  ConfigError,
  countGateways,
  databaseConnectionsOf,
  readConfig,
  renderThreadsOf,
} from '../../src/config/config.ts';
import type { MetricReport } from '../../src/metrics/metrics.ts';
import { registerRuntime } from '../../src/metrics/process.ts';
import { metricsIn } from '../../src/metrics/scrape.ts';
import { createQuestions, type Ready } from '../../src/supervisor/channel.ts';
import type { Ended, GatewayProcess } from '../../src/supervisor/gateway-process.ts';
import { createTotals } from '../../src/supervisor/run.ts';
import { computePauseMs, countDeaths, createSupervisor } from '../../src/supervisor/supervisor.ts';
import type { TestScope } from '../servers/server-process.ts';
import { until } from '../servers/until.ts';
import { checkMetrics } from '../support/promtool.ts';
import { silent } from '../support/silent-log.ts';

const STORES = { DATABASE_URL: 'postgres://h/d', REDIS_URL: 'redis://h' };

t.test('GATEWAYS', async (t) => {
  t.test('is one process by default, a number, or one for each core', async (t) => {
    t.equal(readConfig({}).gateways, 1);
    t.equal(readConfig({ ...STORES, GATEWAYS: '3' }).gateways, 3);
    t.strictSame(countGateways('auto', 16, STORES), { ok: true, value: 16 });
    for (const wrong of ['0', '129', '1.5', 'all', '-1'])
      t.throws(
        () => readConfig({ ...STORES, GATEWAYS: wrong }),
        /^GATEWAYS: must be a whole number from 1 to 128, or auto, /,
      );
  });

  t.test('needs both stores for more than one process, and says which is missing', async (t) => {
    const fault = (env: Record<string, string>): string => {
      try {
        return String(readConfig({ GATEWAYS: '4', ...env }).gateways);
      } catch (error) {
        if (error instanceof ConfigError) return error.message;
        throw error;
      }
    };
    t.match(fault({}), /^GATEWAYS: .* set DATABASE_URL and REDIS_URL too, or GATEWAYS=1$/);
    t.match(fault({ DATABASE_URL: STORES.DATABASE_URL }), /: set REDIS_URL too,/);
    t.match(fault({ REDIS_URL: STORES.REDIS_URL }), /: set DATABASE_URL too,/);
    t.equal(fault(STORES), '4');
    const auto = readConfig({ GATEWAYS: 'auto' });
    t.equal(auto.gateways, 1, 'auto runs as many processes as possible');
    t.strictSame(auto.notes, [
      'GATEWAYS=auto runs one process: several need DATABASE_URL and REDIS_URL too.',
    ]);
    t.strictSame(readConfig({ ...STORES, GATEWAYS: 'auto' }).notes, []);
  });

  t.test('divides threads and connections', async (t) => {
    const threads = (cores: number) => [1, 2, 4, 16].map((gateways) => renderThreadsOf(cores, gateways));
    t.strictSame(threads(16), [15, 7, 3, 1]);
    t.strictSame(threads(2), [1, 1, 1, 1]);
    const connections = [1, 2, 3, 4, 8, 16, 24].map(databaseConnectionsOf);
    t.strictSame(connections, [10, 10, 8, 6, 3, 3, 3]);
    for (let n = 1; n <= 24; n += 1) t.ok(n * (databaseConnectionsOf(n) + 1) < 100, `${n} fit into 100`);
    t.equal(readConfig({ ...STORES, GATEWAYS: '4', RENDER_THREADS: '5' }).render.threads, 5);
  });
});

t.test('the pause before a restart grows up to a limit, and is reset after a long life', async (t) => {
  const lives = [100_000, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 90_000, 5];
  let deaths = 0;
  const pauses = lives.map((livedMs) => {
    deaths = countDeaths(deaths, livedMs);
    return computePauseMs(deaths);
  });
  t.strictSame(pauses, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 100, 200]);
  t.equal(computePauseMs(10_000), 30_000);
  t.strictSame(
    [0, 59_999, 60_000].map((livedMs) => countDeaths(5, livedMs)),
    [6, 6, 1],
  );
});

t.test('a message without an answer times out, and a late answer is dropped', async (t) => {
  const questions = createQuestions<string>(20);
  const ids: number[] = [];
  const asked = [1, 2].map(() => questions.ask((id) => ids.push(id)));
  questions.answered(ids[1]!, 'yes');
  t.strictSame(await Promise.all(asked), [null, 'yes']);
  questions.answered(ids[0]!, 'late');
});

t.test('the metrics of several processes', async (t) => {
  const reportOf = async (calls: number, lagS: number): Promise<MetricReport> => {
    const registry = new Registry();
    registerRuntime(registry);
    const { counter, gauge, timeHistogram } = metricsIn(registry);
    counter('calls_total', 'Calls.', () => [[{ route: 'a' }, calls]]);
    gauge('open', 'Open calls.', () => calls);
    gauge('lag_seconds', 'Lag.', () => lagS, 'max');
    const times = { bounds: [1, 2], counts: [calls, 0, 1], sum: 5, count: calls + 1 };
    timeHistogram('time_seconds', 'Times.', () => [[{}, times]]);
    // Serialised, as from another process.
    return JSON.parse(JSON.stringify(await registry.getMetricsAsJSON()));
  };
  const totals = createTotals<string>();
  const values = async (): Promise<Record<string, number>> => {
    const text = await totals.text(await reportOf(0, 0));
    t.strictSame(await checkMetrics(text), { code: 0, output: '' });
    const lines = [...text.matchAll(/^((?:calls|open|lag|time|nodejs_version)\S*) (\S+)$/gm)];
    return Object.fromEntries(lines.map(([, name, value]) => [name, Number(value)]));
  };
  totals.note('one', await reportOf(3, 7));
  totals.note('two', await reportOf(4, 2));
  const [version] = Object.keys(await values()).filter((name) => name.startsWith('nodejs_version'));
  const sums = { 'calls_total{route="a"}': 7, open: 7, lag_seconds: 7, [version!]: 1 };
  t.match(await values(), {
    ...sums,
    'time_seconds_bucket{le="0.001"}': 7,
    'time_seconds_bucket{le="+Inf"}': 10,
    time_seconds_count: 10,
  });
  totals.keep('one');
  totals.keep('nobody');
  const kept = { 'calls_total{route="a"}': 7, open: 4, lag_seconds: 2, time_seconds_count: 10 };
  t.match(await values(), kept, 'a process that has exited keeps its counters and loses its gauges');
  totals.note('three', await reportOf(1, 1));
  t.match(await values(), { 'calls_total{route="a"}': 8, open: 5, time_seconds_count: 12 });
});

const READY: Ready = { url: 'http://h', hasAccounts: true };

/** A process that the test controls. */
const fakeProcess = (pid: number) => {
  let isReady: (ready: Ready | null) => void = () => {};
  let hasEnded: (ended: Ended) => void = () => {};
  const ready = new Promise<Ready | null>((resolve) => {
    isReady = resolve;
  });
  const ended = new Promise<Ended>((resolve) => {
    hasEnded = resolve;
  });
  const heard: string[] = [];
  const fake = {
    heard,
    answers: true,
    serve: () => isReady(READY),
    die: (signal: string | null = null, code: number | null = null) => {
      isReady(null);
      hasEnded({ code, signal });
    },
  };
  const process: GatewayProcess = {
    pid,
    ready,
    ended,
    report: async () => (fake.answers ? [] : null),
    retire() {
      heard.push('retire');
      fake.die(null, 0);
    },
    kill(signal) {
      heard.push(signal);
      fake.die(signal);
    },
  };
  return { ...fake, process, fake };
};

/** Makes a supervisor of processes that the test controls. It ends with the test. */
const supervise = (t: TestScope, count: number, { watchMs = 60_000, startTimeoutMs = 60_000 } = {}) => {
  const processes: ReturnType<typeof fakeProcess>[] = [];
  const start = () => {
    const next = fakeProcess(processes.length + 1);
    processes.push(next);
    return next.process;
  };
  const bounds = { watchMs, startTimeoutMs, endTimeoutMs: 1000 };
  const supervisor = createSupervisor({ count, start, ...bounds }, silent);
  t.teardown(supervisor.end);
  const started = (n: number) => until(() => processes.length === n, { pauseMs: 1, deadlineMs: 10_000 });
  const begin = async () => {
    const begun = supervisor.begin();
    processes[0]!.serve();
    await started(count);
    for (const { serve } of processes) serve();
    return begun;
  };
  return { supervisor, processes, started, begin };
};

/** The same, after all processes have started to serve. */
const superviseReady = async (...given: Parameters<typeof supervise>) => {
  const supervised = supervise(...given);
  await supervised.begin();
  return supervised;
};

t.test('a supervisor', async (t) => {
  t.test('starts one process, and the others once it serves', async (t) => {
    const { supervisor, processes, begin } = supervise(t, 3);
    const begun = begin();
    t.equal(processes.length, 1);
    t.strictSame(await begun, { outcome: 'ready', ready: READY });
    t.strictSame(supervisor.stats(), { running: 3, deaths: 0 });
    await supervisor.end();
    t.strictSame(supervisor.stats(), { running: 0, deaths: 0 });
    for (const { heard } of processes) t.strictSame(heard, ['SIGTERM']);
  });

  t.test('gives up when the first process fails to start', async (t) => {
    const { supervisor, processes } = supervise(t, 3);
    const begun = supervisor.begin();
    processes[0]!.die(null, 1);
    t.strictSame(await begun, { outcome: 'failed', ended: { code: 1, signal: null } });
    await sleep(150);
    t.equal(processes.length, 1);
  });

  t.test('replaces a process that dies while the others start, and goes on serving', async (t) => {
    const { supervisor, processes, started } = supervise(t, 3);
    const begun = supervisor.begin();
    processes[0]!.serve();
    await started(3);
    processes[1]!.serve();
    processes[2]!.die('SIGKILL');
    t.strictSame(await begun, { outcome: 'ready', ready: READY });
    await started(4);
    t.strictSame(supervisor.stats(), { running: 3, deaths: 1 });
    t.strictSame([processes[0]!.heard, processes[1]!.heard], [[], []]);
  });

  t.test('replaces all, also when asked while the first processes start', async (t) => {
    for (const serving of [0, 1]) {
      const { supervisor, processes, started } = supervise(t, 2);
      const begun = supervisor.begin();
      if (serving === 0) await supervisor.replaceAll();
      processes[0]!.serve();
      await started(serving === 0 ? 3 : 2);
      if (serving === 1) void supervisor.replaceAll();
      await started(3);
      processes[1]!.serve();
      t.equal((await begun).outcome, 'ready');
      for (const [now, before] of [
        [2, 0],
        [3, 1],
      ] as const) {
        await started(now + 1);
        processes[now]!.serve();
        await processes[before]!.process.ended;
        t.strictSame(processes[before]!.heard, ['retire']);
      }
      t.equal(supervisor.stats().running, 2);
    }
  });

  t.test('replaces a process that dies repeatedly, after growing pauses', async (t) => {
    const { supervisor, processes, started } = await superviseReady(t, 2);
    const pausesMs: number[] = [];
    for (let deaths = 1; deaths <= 3; deaths += 1) {
      const diedMs = performance.now();
      processes.at(-1)!.die('SIGSEGV');
      await started(2 + deaths);
      pausesMs.push(performance.now() - diedMs);
    }
    t.ok(pausesMs[0]! >= 99 && pausesMs[1]! >= 199 && pausesMs[2]! >= 399, `${pausesMs}`);
    t.strictSame(supervisor.stats(), { running: 2, deaths: 3 });
    t.strictSame(processes[0]!.heard, [], 'the other process is not touched');
  });

  t.test('keeps its own process alive while no gateway process is running', async (t) => {
    const { supervisor, processes, started } = await superviseReady(t, 2);
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    for (const one of [...processes]) one.die('SIGKILL');
    await setImmediate();
    t.equal(supervisor.stats().running, 0);
    t.equal(timers() - before, 2);
    await started(4);
    t.strictSame(supervisor.stats(), { running: 2, deaths: 2 });
  });

  t.test('replaces all processes one after the other, and again if asked meanwhile', async (t) => {
    const { supervisor, processes, started } = await superviseReady(t, 2);
    const replaced = supervisor.replaceAll();
    await supervisor.replaceAll();
    for (let n = 3; n <= 6; n += 1) {
      await started(n);
      const before = processes[n - 3]!;
      t.strictSame(before.heard, [], 'the old process serves until the new one does');
      processes[n - 1]!.serve();
      await before.process.ended;
      t.strictSame(before.heard, ['retire']);
    }
    await replaced;
    t.strictSame(supervisor.stats(), { running: 2, deaths: 0 });
  });

  t.test('keeps the old processes when a new one does not start to serve', async (t) => {
    const { supervisor, processes, started } = await superviseReady(t, 2);
    const replaced = supervisor.replaceAll();
    await started(3);
    processes[2]!.die(null, 1);
    await replaced;
    t.equal(processes.length, 3);
    t.strictSame([processes[0]!.heard, processes[1]!.heard], [[], []]);
  });

  t.test('kills a process that does not start, and can replace again afterwards', async (t) => {
    const { supervisor, processes, started } = await superviseReady(t, 2, { startTimeoutMs: 50 });
    await supervisor.replaceAll();
    t.strictSame(processes[2]!.heard, ['SIGKILL']);
    t.strictSame([processes[0]!.heard, processes[1]!.heard], [[], []], 'serving processes are not touched');
    const replaced = supervisor.replaceAll();
    await started(4);
    processes[3]!.serve();
    await started(5);
    processes[4]!.serve();
    await replaced;
    t.strictSame([processes[0]!.heard, processes[1]!.heard], [['retire'], ['retire']]);
    await sleep(100);
    t.strictSame(processes[4]!.heard, [], 'nor a process that has served for long');
  });

  t.test('kills an unresponsive process and starts another one', async (t) => {
    const { processes, started } = await superviseReady(t, 2, { watchMs: 5 });
    await sleep(60);
    t.strictSame(processes[1]!.heard, [], 'but not one that answers');
    processes[1]!.fake.answers = false;
    await started(3);
    t.strictSame(processes[1]!.heard, ['SIGKILL']);
  });

  t.test('starts no more processes once it is ending', async (t) => {
    const { supervisor, processes } = await superviseReady(t, 2);
    processes[0]!.die('SIGKILL');
    await supervisor.end();
    await sleep(150);
    t.equal(processes.length, 2);
    const early = supervise(t, 2);
    const begun = early.supervisor.begin();
    await early.supervisor.end();
    t.strictSame(await begun, { outcome: 'ended' });
  });
});
