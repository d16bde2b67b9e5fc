/** The metric for autoscaling on Kubernetes, and how Prometheus discovers gateways there. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { parse, stringify } from 'yaml';
import { ROOT } from '../dockerfile.ts';
import { promtool } from '../live.ts';
import { autoscaler, container, podMetadata, read } from './resources.ts';

t.test('the autoscaler gets the mean over time of the waiting tasks of each gateway', async (t) => {
  const [rule] = parse(read('prometheus-adapter.yaml')).rules.custom;
  const metric = autoscaler.spec!.metrics![0]!.pods!.metric;
  t.equal(rule.name.as, metric.name);
  t.match(readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8'), `| \`${metric.name}\` | gauge |`);
  const expr = rule.metricsQuery
    .replace('<<.GroupBy>>', 'pod')
    .replace('<<.Series>>', metric.name)
    .replace('<<.LabelMatchers>>', 'namespace="tessera",pod=~"a|b"');
  const series = (name: string, values: string, namespace = 'tessera') => ({
    series: `${metric.name}{namespace="${namespace}",pod="${name}",instance="${name}"}`,
    values,
  });
  const world = {
    interval: '15s',
    input_series: [
      series('a', '4+0x20'),
      series('b', '0 0 8 0 2 0 8 0 0 0 0 0'),
      series('a', '90+0x20', 'other'),
    ],
    promql_expr_test: [
      {
        expr: `round(${expr})`,
        eval_time: '2m',
        exp_samples: [
          { labels: '{pod="a"}', value: 4 },
          { labels: '{pod="b"}', value: 2 },
        ],
      },
    ],
  };
  const path = join(t.testdir(), 'world.yaml');
  await writeFile(path, stringify({ rule_files: [], tests: [world] }));
  t.match(await promtool('test', 'rules', path), { output: /SUCCESS/ });
});

t.test('Prometheus finds gateways by label and port, and authenticates with the admin token', async (t) => {
  const text = readFileSync(join(ROOT, 'deploy/prometheus/scrape-kubernetes.yaml'), 'utf8');
  const [{ kubernetes_sd_configs: discovery, ...scrape }] = parse(text).scrape_configs;
  t.strictSame(discovery, [{ role: 'pod' }]);
  t.match(scrape.authorization.credentials_file, /ADMIN_TOKEN$/);
  const { name } = container!.ports![0]!;
  t.equal(scrape.relabel_configs[0].regex, `${podMetadata!.labels!['app.kubernetes.io/name']};${name}`);
  // Debian's Prometheus is built without support for Kubernetes.
  const static_configs = [{ targets: ['127.0.0.1:3000'] }];
  const path = join(t.testdir(), 'prometheus.yml');
  await writeFile(path, stringify({ scrape_configs: [{ ...scrape, static_configs }] }));
  t.match(await promtool('check', 'config', '--syntax-only', path), { output: /SUCCESS/ });
});
