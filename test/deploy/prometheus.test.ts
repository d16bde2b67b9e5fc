/** The rules of deploy/prometheus/: each alert fires on its fault, and none fires without one. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { parse, stringify } from 'yaml';
import { imageEnv, ROOT } from './dockerfile.ts';
import { alertsOf, promtool, RULES } from './live.ts';

const read = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

/** Longer than the longest window of a rule, six hours; and long enough for all others. */
const ALL_MINUTES = 8 * 60;
const FEW_MINUTES = 2 * 60;

/** `steady` keeps its value, `grows` rises by it per minute, `ratio` counts relative to the answered requests. */
const steady = (series: string, value: number) => ({ series, values: `${value}+0x${ALL_MINUTES}` });
const grows = (series: string, aMinute: number) => ({ series, values: `0+${aMinute}x${ALL_MINUTES}` });
const requests = (outcome: string, aMinute: number) =>
  grows(`tessera_http_requests_total{route="single",outcome="${outcome}",instance="a"}`, aMinute);

/** The series of a healthy gateway. */
const WELL = [
  requests('ok', 6000),
  requests('unavailable', 1),
  requests('overloaded', 0),
  requests('time_limit', 0),
  // A load test beyond what the gateway holds.
  ...['unavailable', 'overloaded'].map((outcome) =>
    grows(`tessera_load_test_requests_total{route="single",outcome="${outcome}",instance="a"}`, 6000),
  ),
  steady('tessera_dependency_up{dependency="redis",instance="a"}', 1),
  steady('tessera_dependency_up{dependency="postgres",instance="a"}', 1),
  steady('tessera_replica_lag_seconds{instance="a"}', 0.1),
  steady('tessera_scan_stream_oldest_seconds{instance="a"}', 2),
  steady('tessera_render_threads_stuck{instance="a"}', 0),
  steady('tessera_quota_drain_lag_seconds{instance="a"}', 0.3),
  steady('tessera_redis_memory_bytes{state="left",instance="a"}', 8e8),
  steady('tessera_redis_memory_bytes{state="used",instance="a"}', 2e8),
  steady('tessera_disk_free_bytes{instance="a"}', 5e10),
  steady('tessera_batches_unfinished{state="running",instance="a"}', 2),
  grows('tessera_batches_rows_made_total{instance="a"}', 6e4),
  steady('tessera_batches_oldest_waiting_seconds{instance="a"}', 60),
  steady('tessera_link_jobs_longest_wait_seconds{instance="a"}', 5),
  steady('tessera_webhooks_unserved_seconds{instance="a"}', 5),
  steady('tessera_verifications_oldest_seconds{instance="a"}', 30),
  ...[
    'tessera_gateway_process_deaths_total{instance="a"}',
    'tessera_quota_drain_corrections_total{instance="a"}',
    'tessera_quota_settlements_dropped_total{instance="a"}',
    'tessera_quota_reservations_expired_total{instance="a"}',
    'tessera_scans_total{outcome="dropped",instance="a"}',
    'tessera_batches_given_up_total{instance="a"}',
    'tessera_batches_tries_failed_total{instance="a"}',
    'tessera_link_jobs_given_up_total{instance="a"}',
    'tessera_loop_failures_total{loop="standings",instance="a"}',
    'tessera_loop_failures_total{loop="upkeep",instance="a"}',
    'tessera_link_jobs_tries_failed_total{instance="a"}',
  ].map((series) => grows(series, 0)),
];

/** Each alert with the series of its fault, which replace the healthy ones. */
const FAULTS: Readonly<Record<string, readonly { series: string; values: string }[]>> = {
  TesseraErrorBudgetBurnsFast: [requests('unavailable', 100)],
  TesseraErrorBudgetBurnsSlowly: [requests('time_limit', 40)],
  TesseraOverloaded: [requests('overloaded', 1)],
  TesseraGatewayProcessesDie: [grows('tessera_gateway_process_deaths_total{instance="a"}', 1)],
  TesseraRenderThreadStuck: [steady('tessera_render_threads_stuck{instance="a"}', 1)],
  TesseraStoreUnavailable: [steady('tessera_dependency_up{dependency="redis",instance="a"}', 0)],
  TesseraReplicaIsBehind: [steady('tessera_replica_lag_seconds{instance="a"}', 100)],
  TesseraDrainIsBehind: [steady('tessera_quota_drain_lag_seconds{instance="a"}', 6)],
  TesseraQuotaCorrected: [grows('tessera_quota_drain_corrections_total{instance="a"}', 1)],
  TesseraSettlementsDropped: [grows('tessera_quota_settlements_dropped_total{instance="a"}', 1)],
  TesseraScansDropped: [grows('tessera_scans_total{outcome="dropped",instance="a"}', 1)],
  TesseraScansWait: [steady('tessera_scan_stream_oldest_seconds{instance="a"}', 400)],
  // Below the threshold at each gateway, but above it in total.
  TesseraReservationsExpire: ['a', 'b', 'c'].map((instance) =>
    grows(`tessera_quota_reservations_expired_total{instance="${instance}"}`, 3),
  ),
  TesseraRedisMemoryShort: [steady('tessera_redis_memory_bytes{state="left",instance="a"}', 2e7)],
  TesseraDiskShort: [steady('tessera_disk_free_bytes{instance="a"}', 1e9)],
  TesseraBatchesWait: [steady('tessera_batches_oldest_waiting_seconds{instance="a"}', 4000)],
  TesseraBatchesStandStill: [grows('tessera_batches_rows_made_total{instance="a"}', 0)],
  TesseraBatchesFail: [grows('tessera_batches_tries_failed_total{instance="a"}', 1)],
  TesseraLinkJobsStandStill: [steady('tessera_link_jobs_longest_wait_seconds{instance="a"}', 700)],
  TesseraLinkJobsFail: [grows('tessera_link_jobs_given_up_total{instance="a"}', 1)],
  // As often as the slowest of them, but for the upkeep, can fail.
  TesseraBackgroundWorkFails: [grows('tessera_loop_failures_total{loop="standings",instance="a"}', 1)],
  TesseraWebhooksNotSent: [steady('tessera_webhooks_unserved_seconds{instance="a"}', 700)],
  TesseraVerificationsStandStill: [steady('tessera_verifications_oldest_seconds{instance="a"}', 90_000)],
};

const rules = await read('deploy/prometheus/alerts.yaml');
const alerts = alertsOf(rules);

/** Runs rule tests with promtool. */
const testRules = async (t: Test, tests: readonly object[]): Promise<void> => {
  const path = join(t.testdir(), 'worlds.yaml');
  // JSON is YAML.
  await writeFile(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }));
  t.match(await promtool('test', 'rules', path), { code: 0 });
};

t.test('the rules are valid for Prometheus, and this file has a fault for each alert', async (t) => {
  t.match(await promtool('check', 'rules', RULES), { code: 0 });
  t.strictSame([...alerts].sort(), Object.keys(FAULTS).sort());
});

t.test('each alert fires on its fault, and no alert fires without one', async (t) => {
  const firing = (name: string) => `count(ALERTS{alertname=~"${name}",alertstate="firing"})`;
  const worlds = [
    { faults: [], expr: firing('.+'), exp_samples: [], minutes: ALL_MINUTES },
    ...Object.entries(FAULTS).map(([name, faults]) => ({
      faults,
      expr: firing(name),
      exp_samples: [{ labels: '{}', value: 1 }],
      minutes: name === 'TesseraErrorBudgetBurnsSlowly' ? ALL_MINUTES : FEW_MINUTES,
    })),
  ];
  const tests = worlds.map(({ faults, expr, exp_samples, minutes }) => ({
    interval: '1m',
    input_series: [
      ...WELL.filter(({ series }) => !faults.some((fault) => fault.series === series)),
      ...faults,
    ],
    promql_expr_test: [{ expr, eval_time: `${minutes}m`, exp_samples }],
  }));
  await testRules(t, tests);
});

t.test(
  'an outage of pictures alone pages within five minutes, also if they are 1 % of all requests',
  async (t) => {
    const begins = 2 * 60;
    const ok = (route: string) => `tessera_http_requests_total{route="${route}",outcome="ok",instance="a"}`;
    const world = (aMinute: number) => ({
      interval: '1m',
      input_series: [
        { series: ok('redirect'), values: `0+59400x${FEW_MINUTES * 2}` },
        { series: ok('single'), values: `0+${aMinute}x${begins} ${aMinute * begins}+0x${begins}` },
        {
          series: 'tessera_http_requests_total{route="single",outcome="unavailable",instance="a"}',
          values: `0+0x${begins} 0+${aMinute}x${begins}`,
        },
      ],
    });
    const firing = 'count by (class) (ALERTS{alertname="TesseraErrorBudgetBurnsFast",alertstate="firing"})';
    const at = (minutes: number, ...classes: readonly string[]) => ({
      expr: firing,
      eval_time: `${minutes}m`,
      exp_samples: classes.map((name) => ({ labels: `{class="${name}"}`, value: 1 })),
    });
    await testRules(t, [
      { ...world(600), promql_expr_test: [at(begins), at(begins + 5, 'pictures')] },
      // One call an hour, and it fails.
      { ...world(1 / 60), promql_expr_test: [at(begins + 60)] },
    ]);
  },
);

t.test('the routes of each class exist', async (t) => {
  const files = await readdir(join(ROOT, 'src/http'), { recursive: true });
  const sources = await Promise.all(
    files.filter((name) => name.endsWith('.ts')).map((name) => read(`src/http/${name}`)),
  );
  const source = sources.join('');
  const lists = [...rules.matchAll(/"route", "(\w[^"]+)"/g)].map(([, routes]) => routes!);
  t.equal(lists.length, 2 * 4, 'two classes, in four windows');
  for (const route of new Set(lists.flatMap((list) => list.split('|'))))
    t.ok(new RegExp(`(name: |RESOLVE = )'${route}'`).test(source), route);
});

t.test('every metric is documented, and every runbook link is a heading of monitoring.md', async (t) => {
  const metrics = await read('docs/metrics.md');
  for (const [name] of rules.matchAll(/(?<!# .*|externalLabels\.)\btessera_\w+/g))
    t.match(metrics, `| \`${name}\` |`, name);
  const monitoring = await read('docs/operations/monitoring.md');
  const anchors = [...monitoring.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(' ', '-')
      .replace(/[^\w-]/g, ''),
  );
  const runbooks = [
    ...rules.matchAll(
      /runbook_url: '\{\{ or \$externalLabels\.tessera_runbooks "docs\/operations\/monitoring\.md" \}\}#(.+)'$/gm,
    ),
  ].map(([, anchor]) => anchor!);
  t.equal(runbooks.length, alerts.length);
  for (const anchor of runbooks) t.ok(anchors.includes(anchor), anchor);
});

t.test('an alert links to its runbook at the address that the operator configured', async (t) => {
  const alertname = 'TesseraDrainIsBehind';
  const summary = 'If Redis crashed now, 6s of usage would be lost';
  const worldOf = (external_labels: Readonly<Record<string, string>>, pages: string) => {
    const exp_annotations = { summary, runbook_url: `${pages}#a-store-is-unavailable` };
    const exp_labels = { severity: 'page', instance: 'a' };
    return {
      interval: '1m',
      input_series: FAULTS[alertname],
      external_labels,
      alert_rule_test: [{ eval_time: '10m', alertname, exp_alerts: [{ exp_labels, exp_annotations }] }],
    };
  };
  const wiki = 'https://wiki.test/tessera';
  await testRules(t, [
    worldOf({}, 'docs/operations/monitoring.md'),
    worldOf({ tessera_runbooks: wiki }, wiki),
  ]);
});

t.test('Prometheus discovers each gateway of the compose file and has the admin token', async (t) => {
  const [scrape] = parse(await read('deploy/prometheus/scrape-compose.yaml')).scrape_configs;
  const compose = parse(await read('docker-compose.yml'));
  const [{ names, type, port }] = scrape.dns_sd_configs;
  t.strictSame([names, type], [['gateway'], 'A']);
  t.ok(names[0] in compose.services);
  t.equal(String(port), imageEnv.PORT);
  t.equal(compose.networks, undefined, 'all are in the network of the Compose project');
  t.match(await read('docs/operations/compose.md'), `${compose.name}_default`);
  t.match(scrape.authorization.credentials_file, /ADMIN_TOKEN$/);
  const path = join(t.testdir(), 'prometheus.yml');
  await writeFile(path, stringify({ scrape_configs: [scrape] }));
  t.match(await promtool('check', 'config', '--syntax-only', path), { code: 0 });
});
