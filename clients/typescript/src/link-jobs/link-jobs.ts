/** Link jobs as one call: it sends the rows and waits until they are handled. */
import type { Call, CallOptions } from '../call.ts';
import { type Code, TesseraError } from '../error.ts';
import type { RawBody } from '../request.ts';
import { ndjsonOf, type Rows } from '../rows.ts';
import type { Calls, Input, Schemas } from '../types.ts';
import { type FollowOptions, followLinkJob } from './follow.ts';

/** A link job: its state, its counts and its times. */
export type LinkJob = Schemas['LinkJob'];

/** A row of a job that changes links. */
export type LinkChangeRow = Schemas['LinkChangeRow'];

type MediaType = NonNullable<Input<'createLinkJob'>['contentType']>;

type Sent<Given, Row> = Omit<Given, 'body' | 'contentType'> &
  ({ readonly rows: Rows<Row> } | { readonly file: RawBody; readonly contentType: MediaType });

/** Changes of links: rows, or a file of them with its media type. */
export type LinkChanges = Sent<Input<'createLinkJob'>, LinkChangeRow>;

/** Links from elsewhere: rows with the fields of their service, or a file of them with its media type. */
export type MovedLinks = Sent<Input<'createLinkImport'>, object>;

/** Options of a call that sends a link job. `timeoutMs` of a try that sends rows is at least half an hour. */
export type LinkJobOptions = FollowOptions<LinkJob>;

/** The calls that make a link job. */
export interface LinkJobCalls {
  /**
   * Changes up to a million links, and returns the job when it has ended. `faults` counts rows that were left out, and
   * `listLinkJobFaults` has them. The job goes on when the caller stops waiting: `cancelLinkJob` ends it.
   *
   * @throws {TesseraError} `link_job_failed`, with the faults of its first rows, or `link_job_cancelled`.
   */
  changeLinks(changes: LinkChanges, options?: LinkJobOptions): Promise<LinkJob>;
  /** Imports up to a million links, as `changeLinks` changes them. @throws {TesseraError} as it does. */
  importLinks(links: MovedLinks, options?: LinkJobOptions): Promise<LinkJob>;
  /** Returns a link job when it has ended, in whatever way. @throws {TesseraError} */
  followLinkJob(id: string, options?: LinkJobOptions): Promise<LinkJob>;
}

const FAULTS_MAX = 100;
const SEND_TIMEOUT_MS = 1_800_000;

const inputOf = <Given>(sent: Sent<Given, object>) => {
  if ('rows' in sent) {
    const { rows, ...terms } = sent;
    return { ...terms, body: ndjsonOf(rows), contentType: 'application/x-ndjson' as const };
  }
  const { file, ...terms } = sent;
  return { ...terms, body: file };
};

/** Returns the faults of the first rows that have some. */
const faultsOf = async (calls: Calls, { id, faults }: LinkJob, options: CallOptions) => {
  if (faults === 0) return [];
  const { response } = await calls.listLinkJobFaults({ path: { id } }, options);
  const lines = (await response.text()).trim().split('\n').slice(0, FAULTS_MAX);
  return lines.map((line) => {
    const { row, field, message } = JSON.parse(line) as { row: number; field: string; message: string };
    return { field: `rows.${row}.${field}`, message };
  });
};

/** Returns the calls that make a link job. */
export const linkJobCalls = (call: Call, calls: Calls): LinkJobCalls => {
  const run = async (
    send: (options: CallOptions) => Promise<{ readonly data: LinkJob }>,
    { onProgress, ...options }: LinkJobOptions = {},
  ): Promise<LinkJob> => {
    const timeoutMs = Math.max(options.timeoutMs ?? 0, SEND_TIMEOUT_MS);
    const { id } = (await send({ ...options, timeoutMs })).data;
    const job = await followLinkJob<LinkJob>(call, id, { ...options, ...(onProgress && { onProgress }) });
    if (job.state === 'done') return job;
    const faults = await faultsOf(calls, job, options);
    throw new TesseraError(`link_job_${job.state}` as Code, { details: job.reason ?? '', faults });
  };
  return {
    changeLinks: (changes, options) => run((own) => calls.createLinkJob(inputOf(changes), own), options),
    importLinks: (links, options) => run((own) => calls.createLinkImport(inputOf(links), own), options),
    followLinkJob: (id, options) => followLinkJob(call, id, options),
  };
};
