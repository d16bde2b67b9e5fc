/** Link jobs: sent, followed to their end, and told to people. */
import type { Call } from '../../../clients/typescript/src/call.ts';
import { followLinkJob } from '../../../clients/typescript/src/link-jobs/follow.ts';
import { readLines } from '../../csv/lines.ts';
import { pluralise } from '../../texts.ts';
import { keyOf, print, readBaseUrl } from '../admin.ts';
import { createPatientCall, explained, withOptionNames } from '../api.ts';
import type { KeyOptions } from '../options.ts';
import {
  commandError,
  createStatus,
  formatCount,
  formatFields,
  type Status,
  type Terminal,
  toPrintable,
} from '../terminal.ts';

/** The fields of a link job that the command line uses. */
export interface LinkJobBody {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string | null;
  readonly dry_run: boolean;
  readonly all_or_nothing: boolean;
  readonly undoes: string | null;
  readonly encoding: string | null;
  readonly empty_rows: number;
  readonly left_out: readonly { readonly column: string | null; readonly rows: number }[];
  readonly rows: number;
  readonly handled: number;
  readonly made: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly faults: number;
  readonly undoable: boolean;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly expires_at: string | null;
}

interface FaultLine {
  readonly row: number;
  readonly file_row: number | null;
  readonly slug: string | null;
  readonly external_id: string | null;
  readonly field: string;
  readonly message: string;
}

const FAULTS_SHOWN = 20;
const LINE_MAX_BYTES = 64 * 1024;

/** Returns the lines of a job's faults. @throws {TesseraError} */
export const openFaults = async (call: Call, id: string): Promise<AsyncGenerator<string>> => {
  const path = '/api/v1/link-jobs/{id}/faults';
  const ask = { method: 'GET', path, auth: 'key', answer: 'file', whole: true } as const;
  const { data } = await call(ask, { path: { id } });
  return readLines(data as AsyncIterable<Buffer>, LINE_MAX_BYTES);
};

const firstFaults = async (call: Call, { id, faults }: LinkJobBody): Promise<readonly FaultLine[]> => {
  const first: FaultLine[] = [];
  if (faults === 0) return first;
  for await (const line of await openFaults(call, id)) {
    first.push(JSON.parse(line) as FaultLine);
    if (first.length === FAULTS_SHOWN) break;
  }
  return first;
};

const describe = ({ id, state, rows, handled }: LinkJobBody): string => {
  const done = `${formatCount(handled)} of ${pluralise(rows, 'row')}`;
  return `Link job ${id}: ${state}${rows > 0 ? `, ${done}` : ''}`;
};

/** Names the columns of which an import takes nothing; `null`: none. */
const leftOutOf = ({ left_out: columns }: LinkJobBody): string | null => {
  const named = columns.map(
    ({ column, rows }) => `${column ?? 'further columns'} (${pluralise(rows, 'row')})`,
  );
  return named.length === 0 ? null : named.join(', ');
};

/** Shows a job for people, without what it does not have. */
export const formatJob = (job: LinkJobBody): string => {
  const about = [
    ['id', job.id],
    ['kind', job.kind],
    ['state', job.state],
    ['reason', job.reason],
    ['dry run', job.dry_run || null],
    ['all or nothing', job.all_or_nothing || null],
    ['undoes', job.undoes],
    ['encoding', job.encoding === 'utf-8' ? null : job.encoding],
    ['rows', job.rows],
    ['empty rows', job.empty_rows || null],
    ['left out', leftOutOf(job)],
    ['handled', job.finished_at === null ? job.handled : null],
    ['made', job.kind === 'import' ? job.made : null],
    ['changed', job.kind === 'import' ? null : job.changed],
    ['unchanged', job.unchanged],
    ['faults', job.faults],
    ['undoable', job.undoable],
    ['created', job.created_at],
    ['finished', job.finished_at],
    ['listed until', job.expires_at],
  ] as const;
  return formatFields(about.filter(([, value]) => value !== null));
};

const formatFault = ({ row, file_row: fileRow, slug, external_id: id, field, message }: FaultLine) => {
  const place = fileRow === null ? `row ${row}` : `row ${fileRow} of the file`;
  const said = [slug ?? id, field === 'row' ? null : field, message].filter((part) => part !== null);
  return `  ${place}: ${toPrintable(withOptionNames(said.join(': ')))}\n`;
};

/** A job that has ended, and the first rows with faults. */
interface EndedJob {
  readonly job: LinkJobBody;
  readonly faults: readonly FaultLine[];
}

const formatFaults = ({ job, faults }: EndedJob): string => {
  if (job.faults === 0) return '';
  const more = job.faults - faults.length;
  return [
    `${pluralise(job.faults, 'row has a fault', 'rows have faults')}:\n`,
    ...faults.map(formatFault),
    ...(more > 0 ? [`  … and ${formatCount(more)} more; see link-jobs faults ${job.id}\n`] : []),
  ].join('');
};

/** Prints a job that has ended, and decides the exit code. @throws {CliFault} unless all its rows are in order. */
const conclude = (ended: EndedJob, options: KeyOptions, terminal: Terminal): void => {
  const { job } = ended;
  print(terminal, options, job, formatJob(job) + formatFaults(ended));
  if (job.state !== 'done')
    throw commandError(`the link job ended as ${job.state}: ${toPrintable(job.reason ?? '')}`);
  if (job.faults > 0)
    throw commandError(
      `${pluralise(job.faults, 'row has a fault and was', 'rows have faults and were')} left out`,
    );
};

/** Begins a job, or finds one. */
type Begin = (call: Call, status: Status) => Promise<LinkJobBody>;

/**
 * Begins a job, follows it to its end, and prints it.
 *
 * @throws {CliFault} when it cannot begin, or ends otherwise than with all rows in order.
 */
export const runJob = async (begin: Begin, options: KeyOptions, terminal: Terminal): Promise<void> => {
  const url = readBaseUrl(options, terminal);
  const key = keyOf(options, terminal);
  const signal = terminal.onInterrupt();
  const call = createPatientCall(url, key, signal, terminal.err);
  const status = createStatus(terminal.err);
  let id: string | null = null;
  const run = async (): Promise<EndedJob> => {
    const begun = await begin(call, status);
    id = begun.id;
    status.show(`Link job ${id} goes on if this command ends.`, true);
    const onProgress = (job: LinkJobBody) => status.show(describe(job));
    const job = await followLinkJob<LinkJobBody>(call, id, { signal, onProgress });
    return { job, faults: await firstFaults(call, job) };
  };
  const ended = await run()
    .catch((error: unknown) => {
      if (!signal.aborted) throw explained(url, error);
      throw commandError(
        id === null
          ? 'interrupted; see link-jobs list for jobs that were begun'
          : `interrupted; the link job goes on: see link-jobs show ${id}, or link-jobs cancel ${id}`,
      );
    })
    .finally(status.end);
  conclude(ended, options, terminal);
};
