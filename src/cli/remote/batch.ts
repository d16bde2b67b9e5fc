/** Reads batches from the gateway. */
import { readLines } from '../../csv/lines.ts';
import type { DuplicateKind } from '../../duplicates/rules.ts';
import { errorOf, explain, withOptionNames } from '../api.ts';
import { commandError } from '../fault.ts';
import { hasStatus, type Patient } from '../patient.ts';

/** The fields of a batch that the command line uses. */
export interface BatchBody {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly formats: readonly string[];
  readonly rows: number;
  readonly encoding: string | null;
  readonly empty_rows: number;
  readonly first_empty_rows: number[];
  readonly errors: number;
  readonly duplicates: number;
  readonly made: number;
  readonly failed: number;
  readonly refunded: number;
  readonly position: number | null;
  readonly remaining_s: number | null;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly expires_at: string;
}

/** A part that can be downloaded. */
export interface PartBody {
  readonly n: number;
  readonly codes: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** A line of a batch's errors. */
export interface ErrorLine {
  readonly row: number;
  readonly file_row: number | null;
  readonly external_id: string | null;
  readonly field: string;
  readonly message: string;
}

/** A line of a batch's duplicates. */
export interface DuplicateLine {
  readonly row: number;
  readonly file_row: number;
  readonly external_id: string | null;
  readonly first_row: number;
  readonly first_file_row: number;
  readonly kind: DuplicateKind;
}

/** Returns the path of a batch in the API. */
export const toBatchPath = (id: string): string => `/api/v1/batches/${encodeURIComponent(id)}`;

const get = async <T>({ api, ask }: Patient, path: string): Promise<T> => {
  const answer = await ask({ method: 'GET', path }, hasStatus(200, 404));
  if (answer.status === 404 && errorOf(answer) !== null)
    throw commandError(
      'the gateway does not know this batch: it may have expired, or belongs to another account',
    );
  if (answer.status === 404) throw commandError(explain(api.url, answer));
  return answer.body as T;
};

/** Returns a batch. @throws {CliFault} when no batch has this id. */
export const getBatch = (patient: Patient, id: string): Promise<BatchBody> => get(patient, toBatchPath(id));

/** Returns the parts that are made so far, in order. */
export const getParts = async (patient: Patient, id: string): Promise<readonly PartBody[]> =>
  (await get<{ data: readonly PartBody[] }>(patient, `${toBatchPath(id)}/parts`)).data;

const MAX_LINE_BYTES = 64 * 1024;

const getLines = <Line>({ api, persist }: Patient, id: string, name: string): Promise<readonly Line[]> =>
  persist(async () => {
    const { body, ok } = await api.open({ method: 'GET', path: `${toBatchPath(id)}/${name}` });
    if (!ok || body === null) throw new Error(`the gateway did not send the ${name}`);
    const chunks = body as unknown as AsyncIterable<Buffer>;
    const lines: Line[] = [];
    for await (const { text } of readLines(chunks, MAX_LINE_BYTES, 'take'))
      lines.push(JSON.parse(text) as Line);
    return lines;
  });

/** Returns the kept errors of a batch in the order of their rows: some 10,000 at most. */
export const getErrors = (patient: Patient, id: string): Promise<readonly ErrorLine[]> =>
  getLines<ErrorLine>(patient, id, 'errors');

/** Returns the listed duplicates of a batch in the order of their rows: 10,000 at most. */
export const getDuplicates = (patient: Patient, id: string): Promise<readonly DuplicateLine[]> =>
  getLines<DuplicateLine>(patient, id, 'duplicates');

/** Writes an error for the manifest and for people. */
export const formatError = ({ field, message }: ErrorLine): string =>
  withOptionNames(field === 'row' ? message : `${field}: ${message}`);
