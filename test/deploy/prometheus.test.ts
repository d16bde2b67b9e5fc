/** The rules of deploy/prometheus/: each alert is fired by its fault, and none without one. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { parse, stringify } from 'yaml';
import { imageEnv } from './dockerfile.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const RULES = join(root, 'deploy/prometheus/alerts.yaml');
const PROMTOOL = process.env.PROMTOOL || 'promtool';
/** Longer than the longest window of a rule, six hours; and long enough for all others. */
const ALL_MINUTES = 8 * 60;
const FEW_MINUTES = 2 * 60;

/** `steady` stays at a value, `grows` by so much a minute, `ratio` is a counter beside the answered requests. */
const steady = (series: string, value: number) => ({ series, values: `${value}+0x${ALL_MINUTES}` });
const grows = (series: string, aMinute: number) => ({ series, values: `0+${aMinute}x${ALL_MINUTES}` });
const requests = (outcome: string, aMinute: number) =>
  grows(`tessera_http_requests_total{route="single",outcome="${outcome}",instance="a"}`, aMinute);

/** What a gateway in good order reports. */
const WELL = [
  requests('ok', 6000),
  requests('unavailable', 1),
  requests('overloaded', 0),
  steady('tessera_dependency_up{dependency="redis",instance="a"}', 1),
  steady('tessera_dependency_up{dependency="postgres",instance="a"}', 1),
  steady('tessera_render_threads_stuck{instance="a"}', 0),
  steady('tessera_quota_drain_lag_seconds{instance="a"}', 0.3),
  steady('tessera_redis_memory_bytes{state="left",instance="a"}', 8e8),
  steady('tessera_redis_memory_bytes{state="used",instance="a"}', 2e8),
  steady('tessera_disk_free_bytes{instance="a"}', 5e10),
  steady('tessera_batches_unfinished{state="running",instance="a"}', 2),
  grows('tessera_batches_rows_made_total{instance="a"}', 6e4),
  steady('tessera_batches_oldest_waiting_seconds{instance="a"}', 60),
  steady('tessera_webhooks_oldest_waiting_seconds{instance="a"}', 30),
  steady('tessera_verifications_oldest_seconds{instance="a"}', 30),
  ...[
    'tessera_gateway_process_deaths_total{instance="a"}',
    'tessera_quota_drain_corrections_total{instance="a"}',
    'tessera_quota_settlements_dropped_total{instance="a"}',
    'tessera_quota_reservations_expired_total{instance="a"}',
    'tessera_scans_total{outcome="dropped",instance="a"}',
    'tessera_batches_given_up_total{instance="a"}',
    'tessera_batches_tries_failed_total{instance="a"}',
  ].map((series) => grows(series, 0)),
];

/** Each alert with the series of its fault, which take the place of those in good order. */
const FAULTS: Readonly<Record<string, readonly { series: string; values: string }[]>> = {
  TesseraErrorBudgetBurnsFast: [requests('unavailable', 100)],
  TesseraErrorBudgetBurnsSlowly: [requests('unavailable', 40)],
  TesseraOverloaded: [requests('overloaded', 1)],
  TesseraGatewayProcessesDie: [grows('tessera_gateway_process_deaths_total{instance="a"}', 1)],
  TesseraRenderThreadStuck: [steady('tessera_render_threads_stuck{instance="a"}', 1)],
  TesseraStoreUnavailable: [steady('tessera_dependency_up{dependency="redis",instance="a"}', 0)],
  TesseraDrainIsBehind: [steady('tessera_quota_drain_lag_seconds{instance="a"}', 6)],
  TesseraQuotaCorrected: [grows('tessera_quota_drain_corrections_total{instance="a"}', 1)],
  TesseraSettlementsDropped: [grows('tessera_quota_settlements_dropped_total{instance="a"}', 1)],
  TesseraScansDropped: [grows('tessera_scans_total{outcome="dropped",instance="a"}', 1)],
  // Too few for the alert at each gateway, and enough together.
  TesseraReservationsExpire: ['a', 'b', 'c'].map((instance) =>
    grows(`tessera_quota_reservations_expired_total{instance="${instance}"}`, 3),
  ),
  TesseraRedisMemoryShort: [steady('tessera_redis_memory_bytes{state="left",instance="a"}', 2e7)],
  TesseraDiskShort: [steady('tessera_disk_free_bytes{instance="a"}', 1e9)],
  TesseraBatchesWait: [steady('tessera_batches_oldest_waiting_seconds{instance="a"}', 4000)],
  TesseraBatchesStandStill: [grows('tessera_batches_rows_made_total{instance="a"}', 0)],
  TesseraBatchesFail: [grows('tessera_batches_tries_failed_total{instance="a"}', 1)],
  TesseraWebhooksNotSent: [steady('tessera_webhooks_oldest_waiting_seconds{instance="a"}', 91_000)],
  TesseraVerificationsStandStill: [steady('tessera_verifications_oldest_seconds{instance="a"}', 90_000)],
};

const promtool = (...args: readonly string[]) =>
  promisify(execFile)(PROMTOOL, args).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );

const rules = await readFile(RULES, 'utf8');
const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name!);

t.test('the rules are right for Prometheus, and each has a fault here', async (t) => {
  const { code, output } = await promtool('check', 'rules', RULES);
  t.equal(code, 0, output);
  t.strictSame([...alerts].sort(), Object.keys(FAULTS).sort());
});

t.test('each alert fires by its fault, and none without one', async (t) => {
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
  // JSON is YAML.
  const path = join(t.testdir(), 'worlds.yaml');
  await writeFile(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }));
  const { code, output } = await promtool('test', 'rules', path);
  t.equal(code, 0, output);
});

t.test(
  'every metric is one of docs/metrics.md, and every runbook a heading of docs/operations.md',
  async (t) => {
    const metrics = await readFile(join(root, 'docs/metrics.md'), 'utf8');
    for (const [name] of rules.matchAll(/(?<!# .*|externalLabels\.)\btessera_\w+/g))
      t.match(metrics, `| \`${name}\` |`, name);
    const operations = await readFile(join(root, 'docs/operations.md'), 'utf8');
    const anchors = [...operations.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(' ', '-')
        .replace(/[^\w-]/g, ''),
    );
    const runbooks = [
      ...rules.matchAll(
        /runbook_url: '\{\{ or \$externalLabels\.tessera_runbooks "docs\/operations\.md" \}\}#(.+)'$/gm,
      ),
    ].map(([, anchor]) => anchor!);
    t.equal(runbooks.length, alerts.length);
    for (const anchor of runbooks) t.ok(anchors.includes(anchor), anchor);
  },
);

t.test('an alert leads to its runbook where the operator says where the pages are', async (t) => {
  const alertname = 'TesseraDrainIsBehind';
  const input_series = [steady('tessera_quota_drain_lag_seconds{instance="a"}', 6)];
  const worldOf = (external_labels: Readonly<Record<string, string>>, runbook_url: string) => ({
    interval: '1m',
    input_series,
    external_labels,
    alert_rule_test: [
      {
        eval_time: '10m',
        alertname,
        exp_alerts: [
          {
            exp_labels: { severity: 'page', instance: 'a' },
            exp_annotations: {
              summary: 'If Redis crashed now, 6s of usage would be lost',
              runbook_url,
            },
          },
        ],
      },
    ],
  });
  const section = '#a-store-is-unavailable';
  const tests = [
    worldOf({}, `docs/operations.md${section}`),
    worldOf({ tessera_runbooks: 'https://wiki.test/tessera' }, `https://wiki.test/tessera${section}`),
  ];
  const path = join(t.testdir(), 'worlds.yaml');
  await writeFile(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }));
  const { code, output } = await promtool('test', 'rules', path);
  t.equal(code, 0, output);
});

t.test('Prometheus finds each gateway of the compose file, with the admin token', async (t) => {
  const [scrape] = parse(
    await readFile(join(root, 'deploy/prometheus/scrape-compose.yaml'), 'utf8'),
  ).scrape_configs;
  const compose = parse(await readFile(join(root, 'docker-compose.yml'), 'utf8'));
  const [{ names, type, port }] = scrape.dns_sd_configs;
  t.strictSame([names, type], [['gateway'], 'A']);
  t.ok(names[0] in compose.services);
  t.equal(String(port), imageEnv.PORT);
  t.equal(compose.networks, undefined, 'all are in the network of the project');
  t.match(await readFile(join(root, 'docs/operations.md'), 'utf8'), `${compose.name}_default`);
  t.match(scrape.authorization.credentials_file, /ADMIN_TOKEN$/);
  const path = join(t.testdir(), 'prometheus.yml');
  await writeFile(path, stringify({ scrape_configs: [scrape] }));
  const { code, output } = await promtool('check', 'config', '--syntax-only', path);
  t.equal(code, 0, output);
});
