/** What else a gateway does while it works on batches: uploads, downloads, the calls of others, other batches. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '../../test/servers/scope.ts';
import type { Aim } from '../load/aim.ts';
import type { Generator } from '../load/fire.ts';
import { figure, say } from '../say.ts';
import type { BatchClient } from './client.ts';
import { watchMemory } from './memory.ts';
import type { Idle } from './rate.ts';
import { ndjsonRows } from './rows.ts';

/** Length of the destinations of a large upload. */
const LONG_CHARACTERS = 2000;
/** Bytes of a row beside its destination. */
const ROW_BYTES = 28;

/** What large transfers took. */
export interface Transfers {
  readonly uploadedBytes: number;
  readonly uploadS: number;
  readonly downloadedBytes: number;
  /**
   * The largest memory of the gateway above that of an idle one, in bytes: during the upload, and during the downloads.
   */
  readonly uploadMoreBytes: number;
  readonly downloadMoreBytes: number;
}

/**
 * Uploads a large body, and then downloads the parts of a batch that is done, while another batch is being made. What
 * was uploaded and that batch are cancelled at the end.
 */
export const transfer = async (
  scope: Scope,
  { gateway, idleBytes }: Idle,
  clients: { readonly making: BatchClient; readonly sending: BatchClient },
  job: { readonly doneId: string; readonly uploadBytes: number; readonly rows: number },
): Promise<Transfers> => {
  const { making, sending } = clients;
  const memory = watchMemory(scope, gateway.pid);
  const beside = await making.send(ndjsonRows({ run: 'beside', rows: job.rows }));
  await making.begun(beside.id);
  memory.takePeak();
  const startMs = performance.now();
  const rows = Math.ceil(job.uploadBytes / (LONG_CHARACTERS + ROW_BYTES));
  const large = await sending.send(ndjsonRows({ run: 'large', rows, characters: LONG_CHARACTERS }));
  const uploadS = (performance.now() - startMs) / 1000;
  const uploadMoreBytes = memory.takePeak() - idleBytes;
  say(`${figure(job.uploadBytes / 1e6)} MB were uploaded in ${figure(uploadS)} s`);
  await sending.cancel(large.id);
  const downloadedBytes = await making.download(job.doneId);
  const downloadMoreBytes = memory.takePeak() - idleBytes;
  await making.cancel(beside.id);
  return { uploadedBytes: job.uploadBytes, uploadS, downloadedBytes, uploadMoreBytes, downloadMoreBytes };
};

/** How the single calls of another account fare beside a batch. */
export interface Singles {
  readonly aloneP99Ms: number;
  readonly besideP99Ms: number;
  readonly failures: number;
}

const SINGLES_PER_S = 20;
const SINGLE_CONNECTIONS = 32;

/** Measures the single calls of an account alone, and beside a batch of another account. */
export const singlesBeside = async (
  generator: Generator,
  url: string,
  aim: Aim,
  client: BatchClient,
  { rows, seconds }: { readonly rows: number; readonly seconds: number },
): Promise<Singles> => {
  let firstSerial = 0;
  const measure = async (forS: number) => {
    const result = await generator.open({
      url,
      mix: [['single plain', 1]],
      aim,
      firstSerial,
      connections: SINGLE_CONNECTIONS,
      ratePerS: SINGLES_PER_S,
      seconds: forS,
      underWayMax: 1000,
    });
    firstSerial = result.nextSerial;
    return result;
  };
  // The first calls of a gateway wait for compilation.
  await measure(3);
  const alone = await measure(seconds);
  const { id } = await client.send(ndjsonRows({ run: 'singles', rows }));
  await client.begun(id);
  const beside = await measure(seconds);
  const { finished_at: finishedAt } = await client.show(id);
  if (finishedAt !== null) say('the batch ended before the single calls did; use more rows');
  await client.cancel(id);
  const good = alone.tally.good + beside.tally.good;
  const asked = 2 * Math.round(SINGLES_PER_S * seconds);
  return {
    aloneP99Ms: alone.latencyMs.p99,
    besideP99Ms: beside.latencyMs.p99,
    failures: asked - good,
  };
};

/** How batches of different accounts share a gateway. */
export interface Sharing {
  /** Rows that each of two equal batches has made after some seconds, the one that was sent first before the other. */
  readonly made: readonly [number, number];
  /** Whether a small batch of the second account, sent while the large one of the first is made, ended first. */
  readonly smallFirst: boolean;
}

const SMALL_SHARE = 20;

/** Makes two equal batches of two accounts together, and then a large and a small one. */
export const shareBatches = async (
  one: BatchClient,
  other: BatchClient,
  { rows, seconds }: { readonly rows: number; readonly seconds: number },
): Promise<Sharing> => {
  const first = await one.send(ndjsonRows({ run: 'first', rows }));
  const second = await other.send(ndjsonRows({ run: 'second', rows }));
  await Promise.all([one.begun(first.id), other.begun(second.id)]);
  const begun = await Promise.all([one.show(first.id), other.show(second.id)]);
  await sleep(seconds * 1000);
  const later = await Promise.all([one.show(first.id), other.show(second.id)]);
  await other.cancel(second.id);
  const small = await other.send(ndjsonRows({ run: 'small', rows: Math.ceil(rows / SMALL_SHARE) }));
  await other.done(small.id);
  const large = await one.show(first.id);
  await one.cancel(first.id);
  return {
    made: [later[0].made - begun[0].made, later[1].made - begun[1].made],
    smallFirst: large.finished_at === null,
  };
};
