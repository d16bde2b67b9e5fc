/** The files of deploy/kubernetes are valid, and agree with each other and with the service. */
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import t from 'tap';
import { parseAllDocuments } from 'yaml';
import { databaseConnectionsOf, readConfig, VARIABLES } from '../../../src/config/config.ts';
import { SECRETS as ALL_SECRETS } from '../../../src/config/secrets.ts';
import { imageCommand, imageEnv, migrationTimeoutMs, ROOT, shutdownTimeoutMs } from '../dockerfile.ts';
import {
  autoscaler,
  budget,
  container,
  deployment,
  FOLDER,
  kustomization,
  migration,
  pod,
  podMetadata,
  policy,
  read,
  resources,
  service,
} from './resources.ts';
import { faultsOf, type Resource } from './types.ts';

/** Those of a collector, a pooler, a replica and ClickHouse are optional. */
const OPTIONAL = ['OTEL_EXPORTER_OTLP_HEADERS', 'LISTEN_DATABASE_URL', 'DATABASE_READ_URL', 'CLICKHOUSE_URL'];
const OWN_SECRETS = ALL_SECRETS.filter((name) => !OPTIONAL.includes(name));
/** Including the credentials file of the AWS SDK. */
const SECRETS = [...OWN_SECRETS, 'AWS_CREDENTIALS'];

const NAME = 'app.kubernetes.io/name';

/** Connections for people, backups and the superuser. */
const SPARE_CONNECTIONS = 20;

const settings = Object.fromEntries(
  read('tessera.env')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);
const files = Object.fromEntries(container!.env!.map(({ name, value = '' }) => [name, value]));
/** The environment as a gateway reads it, without the secret files, which do not exist here. */
const config = readConfig({
  ...imageEnv,
  ...settings,
  DATABASE_URL: 'postgres://db/t',
  REDIS_URL: 'redis://redis',
});

t.test('each resource has only fields that Kubernetes defines for its kind', async (t) => {
  const misspelt = resources.map((resource) => ({ ...resource, spec: { replica: 2 } }));
  const faults = faultsOf([...resources, ...misspelt]);
  for (const [i, { kind }] of resources.entries()) t.strictSame(faults[i], [], kind);
  for (const found of faults.slice(resources.length)) t.match(found, [/replica\W+does not exist in type/]);
});

t.test('kustomization.yaml names existing files, and every file in the folder is used', async (t) => {
  const [{ envs }] = kustomization.configMapGenerator;
  const [{ files: secretFiles }] = kustomization.secretGenerator;
  const secrets = secretFiles.map((pair: string) => pair.split('=')[0]);
  t.strictSame(secrets, SECRETS);
  t.strictSame(
    secretFiles,
    SECRETS.map((name) => `${name}=secrets/${name}`),
  );
  const named = [
    'kustomization.yaml',
    ...kustomization.resources,
    ...envs,
    'prometheus-adapter.yaml',
    'redirects',
    'secrets',
  ];
  t.strictSame(readdirSync(FOLDER).sort(), named.sort());
  t.match(read('secrets/.gitignore'), /^\*$/m, 'no secret is committed');
  const [configMap, secret] = [
    kustomization.configMapGenerator[0].name,
    kustomization.secretGenerator[0].name,
  ];
  t.strictSame(container!.envFrom, [{ configMapRef: { name: configMap } }]);
  t.equal(pod!.volumes!.find(({ name }) => name === 'secrets')!.secret!.secretName, secret);
  t.equal(kustomization.images[0].name, container!.image);
  t.equal(resources[0]!.metadata.name, kustomization.namespace);
});

t.test('kubectl kustomize builds all resources (only if kubectl is installed)', async (t) => {
  if (spawnSync('kubectl', ['version', '--client']).status !== 0) return t.comment('no kubectl');
  const folder = t.testdir();
  await cp(FOLDER, folder, { recursive: true });
  for (const name of SECRETS) await writeFile(join(folder, 'secrets', name), `${name} of mine`);
  const { stdout } = await promisify(execFile)('kubectl', ['kustomize', folder]);
  const made = parseAllDocuments(stdout).map((document) => document.toJS() as Resource);
  t.strictSame(
    made.map(({ kind }) => kind).sort(),
    [...resources.map(({ kind }) => kind), 'ConfigMap', 'Secret'].sort(),
  );
  const [configMap, secret] = ['ConfigMap', 'Secret'].map((kind) => made.find((one) => one.kind === kind)!);
  const { spec } = (made.find(({ kind }) => kind === 'Deployment') as unknown as Deployment).spec!.template;
  t.strictSame(spec!.containers[0]!.envFrom, [{ configMapRef: { name: configMap!.metadata.name } }]);
  t.equal(spec!.volumes!.find(({ name }) => name === 'secrets')!.secret!.secretName, secret!.metadata.name);
  t.match(secret, { data: { ADMIN_TOKEN: Buffer.from('ADMIN_TOKEN of mine').toString('base64') } });
  t.strictSame(faultsOf(made).flat(), []);
});

t.test('labels, names and ports agree between the resources', async (t) => {
  const labels = podMetadata!.labels!;
  for (const { metadata, kind } of resources) t.match(metadata.labels, labels, kind);
  const selectors = [
    deployment.spec!.selector.matchLabels,
    service.spec!.selector,
    budget.spec!.selector!.matchLabels,
    policy.spec!.podSelector!.matchLabels,
    ...pod!.topologySpreadConstraints!.map(({ labelSelector }) => labelSelector!.matchLabels),
  ];
  for (const selector of selectors) t.strictSame(selector, labels);
  const { apiVersion, kind, metadata } = deployment;
  t.strictSame(autoscaler.spec!.scaleTargetRef, { apiVersion, kind, name: metadata!.name });
  const [{ name, containerPort }] = container!.ports as [{ name: string; containerPort: number }];
  t.equal(containerPort, config.port);
  t.equal(service.spec!.ports![0]!.targetPort, name);
  t.equal(policy.spec!.ingress![0]!.ports![0]!.port, name);
  const { readinessProbe, livenessProbe, startupProbe } = container!;
  t.match([readinessProbe, startupProbe], Array(2).fill({ httpGet: { path: '/readyz', port: name } }));
  t.match(livenessProbe, { httpGet: { path: '/healthz', port: name } });
});

t.test('gateways get only variables that they read, and their secrets as files', async (t) => {
  for (const name of Object.keys(settings)) t.ok(name in VARIABLES, name);
  for (const name of OWN_SECRETS) t.notOk(name in settings, name);
  const { mountPath } = container!.volumeMounts!.find(({ name }) => name === 'secrets')!;
  t.strictSame(files, {
    ...Object.fromEntries(OWN_SECRETS.map((name) => [`${name}_FILE`, `${mountPath}/${name}`])),
    AWS_SHARED_CREDENTIALS_FILE: `${mountPath}/AWS_CREDENTIALS`,
  });
  t.match(config, { host: '0.0.0.0', trustProxy: 'uniquelocal', batches: { store: { bucket: /./ } } });
});

t.test('gateways run without privileges that they do not need', async (t) => {
  t.match(pod, {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  });
  t.match(container!.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const written = container!.volumeMounts!.filter(({ readOnly }) => !readOnly);
  t.strictSame(
    written.map(({ mountPath }) => mountPath),
    [config.dataDir, '/tmp'],
  );
  for (const { name } of written)
    t.ok(pod!.volumes!.find((volume) => volume.name === name)!.emptyDir?.sizeLimit);
  t.strictSame(policy.spec!.policyTypes, ['Ingress', 'Egress']);
  const ports = policy.spec!.egress!.map((rule) => rule.ports!.map(({ port }) => port));
  t.strictSame(ports, [
    [53, 53],
    [5432, 6379, 9000, 4318],
    [80, 443, 8443],
  ]);
  const { except } = policy.spec!.egress![2]!.to![0]!.ipBlock!;
  for (const network of ['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'])
    t.ok(except!.includes(network), network);
});

t.test('a gateway has time to shut down, memory for bodies, and replacements in an update', async (t) => {
  t.ok(pod!.terminationGracePeriodSeconds! * 1000 > config.shutdownGraceMs + shutdownTimeoutMs);
  const gibibytes = Number(/^(\d+)Gi$/.exec(container!.resources!.limits!.memory!)![1]);
  t.ok(gibibytes * 2 ** 30 > 2 * config.bodiesInFlightMaxBytes);
  t.equal(config.render.threads, Number(container!.resources!.requests!.cpu));
  t.match(deployment.spec!.strategy, { rollingUpdate: { maxUnavailable: 0 } });
  t.equal(deployment.spec!.replicas, undefined, 'the autoscaler sets the number');
  t.ok(autoscaler.spec!.minReplicas! >= 2 && budget.spec!.maxUnavailable === 1);
  const each = databaseConnectionsOf(1) + 1;
  const most = autoscaler.spec!.maxReplicas;
  const page = readFileSync(join(ROOT, 'docs/operations/kubernetes.md'), 'utf8');
  // Terminating pods do not count for maxSurge, so old and new pods may all hold connections at the same time.
  const [, held, allowed] =
    /hold (\d+) connections to Postgres, and twice as many during an upgrade[^.]*`max_connections` to\s+(\d+)/.exec(
      page,
    )!;
  t.equal(Number(held), most * each, 'the runbook names the most connections that gateways can hold');
  t.ok(Number(allowed) >= 2 * most * each + SPARE_CONNECTIONS);
});

t.test(
  'the Job that migrates runs before a rollout, as the gateways run, and only when it is asked to',
  async (t) => {
    const { suspend, jobTemplate } = migration.spec!;
    t.equal(suspend, true);
    const { template } = jobTemplate.spec!;
    const [job] = template.spec!.containers;
    t.equal(job!.image, container!.image);
    t.strictSame(job!.envFrom, container!.envFrom);
    const own = job!.env!.map(({ name, value }) => [name, value]);
    t.strictSame(own, Object.entries(files).slice(0, own.length), 'the stores, and no other secret');
    t.strictSame(job!.securityContext, container!.securityContext);
    t.strictSame(template.spec!.securityContext, pod!.securityContext);
    t.not(template.metadata!.labels![NAME], service.spec!.selector![NAME], 'the Service sends it no calls');
    const [node, ...args] = job!.args!;
    t.equal(node, imageCommand[0]);
    t.match(await promisify(execFile)(process.execPath, [...args, '--help'], { cwd: ROOT }), {
      stdout: /^Usage: tessera migrate /,
    });
    const page = readFileSync(join(ROOT, 'docs/operations/kubernetes.md'), 'utf8');
    const [, key, values] = /--selector '(\S+) in \((.+)\)'/.exec(page)!;
    const labels = [kustomization.generatorOptions.labels, migration.metadata!.labels];
    t.strictSame(
      labels.map((each) => each[key!]),
      values!.split(', '),
      'the first command of an upgrade takes the settings and the Job, and no gateway',
    );
    t.equal(deployment.metadata!.labels![key!], undefined);
    t.match(page, `--from=cronjob/${migration.metadata!.name} `);
  },
);

t.test('a gateway has time to migrate the schema before it listens', async (t) => {
  const { periodSeconds, failureThreshold } = container!.startupProbe!;
  t.ok(periodSeconds! * failureThreshold! * 1000 > migrationTimeoutMs);
  t.ok(deployment.spec!.progressDeadlineSeconds! > periodSeconds! * failureThreshold!);
});
