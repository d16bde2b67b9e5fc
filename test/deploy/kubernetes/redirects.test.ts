/** The component of deploy/kubernetes with gateways that serve redirects alone. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.d.ts';
import type { Service } from 'kubernetes-types/core/v1.d.ts';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import t from 'tap';
import { parse } from 'yaml';
import { ROLES } from '../../../src/config/roles.ts';
import { ROOT } from '../dockerfile.ts';
import { container, deployment, FOLDER, kustomization, pod, read, service } from './resources.ts';
import { faultsOf, type Resource } from './types.ts';

const component = parse(read('redirects/kustomization.yaml'));
const resources: readonly Resource[] = component.resources.map((path: string) =>
  parse(read(`redirects/${path}`)),
);
const [tier, front, budget, autoscaler, policy] = resources as unknown as [
  Deployment,
  Service,
  PodDisruptionBudget,
  HorizontalPodAutoscaler,
  NetworkPolicy,
];
const { spec: tierPod, metadata } = tier.spec!.template;
const [gateway] = tierPod!.containers;

t.test('each resource has only fields that Kubernetes defines, and every file is used', async (t) => {
  for (const faults of faultsOf(resources)) t.strictSame(faults, []);
  t.equal(component.kind, 'Component');
  const files = ['kustomization.yaml', 'secrets', ...component.resources];
  t.strictSame(readdirSync(join(FOLDER, 'redirects')).sort(), files.sort());
  t.match(read('redirects/secrets/.gitignore'), /^\*$/m, 'no secret is committed');
  t.match(read('redirects/kustomization.yaml'), 'components: [redirects]');
});

t.test('its labels and names agree, and differ from those of the other gateways', async (t) => {
  const labels = metadata!.labels!;
  for (const { metadata, kind } of resources) t.strictSame(metadata.labels, labels, kind);
  for (const selector of [
    tier.spec!.selector.matchLabels,
    front.spec!.selector,
    budget.spec!.selector!.matchLabels,
    policy.spec!.podSelector!.matchLabels,
    ...tierPod!.topologySpreadConstraints!.map(({ labelSelector }) => labelSelector!.matchLabels),
  ])
    t.strictSame(selector, labels);
  t.notSame(service.spec!.selector, labels, 'the other Service sends it no calls');
  const { apiVersion, kind } = tier;
  t.strictSame(autoscaler.spec!.scaleTargetRef, { apiVersion, kind, name: tier.metadata!.name });
  t.ok(autoscaler.spec!.minReplicas! >= 2 && budget.spec!.maxUnavailable === 1);
});

t.test('its gateways have the role, their own database role, and no other secret', async (t) => {
  const env = Object.fromEntries(gateway!.env!.map(({ name, value = '' }) => [name, value]));
  const { mountPath } = gateway!.volumeMounts!.find(({ name }) => name === 'secrets')!;
  t.strictSame(env, {
    ROLE: 'redirect',
    METRICS_PUBLIC: 'true',
    DATABASE_URL_FILE: `${mountPath}/DATABASE_URL`,
  });
  t.ok(env.ROLE! in ROLES);
  t.strictSame(gateway!.envFrom, container!.envFrom, 'PUBLIC_URL and the like are equal everywhere');
  const [secret] = component.secretGenerator;
  t.strictSame(secret.files, ['DATABASE_URL=secrets/DATABASE_URL']);
  t.strictSame(
    tierPod!.volumes!.map((volume) => volume.secret?.secretName),
    [secret.name],
  );
  t.not(secret.name, kustomization.secretGenerator[0].name);
  const ports = policy.spec!.egress!.map((rule) => rule.ports!.map(({ port }) => port));
  t.strictSame(ports, [
    [53, 53],
    [5432, 4318],
  ]);
});

t.test('they run and are replaced as the other gateways', async (t) => {
  t.equal(gateway!.image, container!.image);
  for (const what of ['securityContext', 'startupProbe', 'readinessProbe', 'livenessProbe', 'ports'] as const)
    t.strictSame(gateway![what], container![what], what);
  for (const what of ['securityContext', 'terminationGracePeriodSeconds'] as const)
    t.strictSame(tierPod![what], pod![what], what);
  t.strictSame(tier.spec!.strategy, deployment.spec!.strategy);
});

t.test('Prometheus scrapes them without the admin token', async (t) => {
  const text = readFileSync(join(ROOT, 'deploy/prometheus/scrape-kubernetes.yaml'), 'utf8');
  const [usual, own] = parse(text).scrape_configs;
  t.equal(own.authorization, undefined);
  t.equal(own.relabel_configs[0].regex, `${tier.metadata!.name};http`);
  t.strictSame(own.relabel_configs.slice(1), usual.relabel_configs.slice(1));
});
