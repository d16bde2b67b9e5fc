/** A real Prometheus that scrapes gateways and evaluates deploy/prometheus/alerts.yaml, with its times shortened. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startServerProcess, type TestScope } from '../servers/server-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { ROOT } from './dockerfile.ts';

export const RULES = join(ROOT, 'deploy/prometheus/alerts.yaml');

/** Runs `promtool`, or the command that PROMTOOL names. */
export const promtool = (...args: readonly string[]): Promise<{ code: number; output: string }> =>
  promisify(execFile)(process.env.PROMTOOL || 'promtool', args).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );

/** A minute becomes a second. */
export const SIXTY_TIMES = 60;
const SECONDS = { s: 1, m: 60, h: 3600 };
/** A rate needs several scrapes. */
const WINDOW_MIN_S = 4;

/** Returns the rules with windows and `for:` shortened by a factor, and unchanged thresholds. */
export const hurried = (rules: string, faster: number): string => {
  const shortened = (count: string, unit: string, leastS: number): string =>
    `${Math.max(leastS, (Number(count) * SECONDS[unit as keyof typeof SECONDS]) / faster)}s`;
  return rules
    .replace(/\[(\d+)([smh])\]/g, (_, count, unit) => `[${shortened(count, unit, WINDOW_MIN_S)}]`)
    .replace(/for: (\d+)([smh])/g, (_, count, unit) => `for: ${shortened(count, unit, 1)}`);
};

/** The names of the alerts. */
export const alertsOf = (rules: string): readonly string[] =>
  [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name!);

export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

interface Told<T> {
  readonly status: string;
  readonly error?: string;
  readonly data: T;
}

interface Alert {
  readonly state: string;
  readonly labels: { readonly alertname: string };
}

/**
 * Starts Prometheus.
 *
 * @param targets `host:port` by the value of `instance`. They must answer without a token.
 * @param faster How many times as fast the rules run.
 */
export const startPrometheus = async (
  scope: TestScope,
  targets: Readonly<Record<string, string>>,
  faster: number,
) => {
  const folder = await temporaryFolder(scope);
  await writeFile(join(folder, 'alerts.yaml'), hurried(await readFile(RULES, 'utf8'), faster));
  const jobs = Object.entries(targets).map(([instance, target]) => ({
    targets: [target],
    labels: { instance },
  }));
  // JSON is YAML.
  await writeFile(
    join(folder, 'prometheus.yml'),
    JSON.stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['alerts.yaml'],
      scrape_configs: [{ job_name: 'tessera', static_configs: jobs }],
    }),
  );
  const url = `http://127.0.0.1:${await freePort()}`;
  const server = await startServerProcess(
    process.env.PROMETHEUS || 'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${new URL(url).host}`,
      '--log.level=error',
    ],
    {
      logFile: join(folder, 'prometheus.log'),
      user: null,
      probe: async () => {
        if (!(await fetch(`${url}/-/ready`)).ok) throw new Error('not ready');
      },
    },
  );
  scope.teardown(() => server.stop());
  const get = async <T>(path: string): Promise<T> => {
    const { status, error, data } = (await (await fetch(url + path)).json()) as Told<T>;
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  };
  return {
    async query(expr: string): Promise<readonly Sample[]> {
      const path = `/api/v1/query?query=${encodeURIComponent(expr)}`;
      return (await get<{ result: readonly Sample[] }>(path)).result;
    },
    /** Returns the names of the firing alerts. */
    async firing(): Promise<readonly string[]> {
      const { alerts } = await get<{ alerts: readonly Alert[] }>('/api/v1/alerts');
      const firing = alerts.filter(({ state }) => state === 'firing');
      return [...new Set(firing.map(({ labels }) => labels.alertname))].sort();
    },
  };
};
