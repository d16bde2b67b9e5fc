/** Reads the files of deploy/kubernetes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.d.ts';
import type { CronJob } from 'kubernetes-types/batch/v1.d.ts';
import type { Service } from 'kubernetes-types/core/v1.d.ts';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { parse } from 'yaml';
import { ROOT } from '../dockerfile.ts';
import type { Resource } from './types.ts';

export const FOLDER = join(ROOT, 'deploy/kubernetes');

/** Returns the text of a file in the folder. */
export const read = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');

export const kustomization = parse(read('kustomization.yaml'));
/** The resources in the order of the kustomization. */
export const resources: readonly Resource[] = kustomization.resources.map((path: string) =>
  parse(read(path)),
);
export const [, deployment, service, budget, autoscaler, policy, migration] = resources as unknown as [
  Resource,
  Deployment,
  Service,
  PodDisruptionBudget,
  HorizontalPodAutoscaler,
  NetworkPolicy,
  CronJob,
];
/** The pod of the deployment, which has one container. */
export const { spec: pod, metadata: podMetadata } = deployment.spec!.template;
export const [container] = pod!.containers;
