/** Reads batches from the gateway. */
import type { Call } from '../../../clients/typescript/src/call.ts';
import { readLines } from '../../csv/lines.ts';
import type { DuplicateKind } from '../../duplicates/rules.ts';
import { withOptionNames } from '../api.ts';

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
  readonly position: number | null;
  readonly remaining_s: number | null;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly expires_at: string;
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
interface DuplicateLine {
  readonly row: number;
  readonly file_row: number;
  readonly external_id: string | null;
  readonly first_row: number;
  readonly first_file_row: number;
  readonly kind: DuplicateKind;
}

const GET = { method: 'GET', auth: 'key' } as const;
const MAX_LINE_BYTES = 64 * 1024;

/** Returns a batch. @throws {TesseraError} */
export const getBatch = async (call: Call, id: string): Promise<BatchBody> =>
  (await call({ ...GET, path: '/api/v1/batches/{id}' }, { path: { id } })).data as BatchBody;

const getLines = async <Line>(call: Call, id: string, name: string): Promise<readonly Line[]> => {
  const path = `/api/v1/batches/{id}/${name}`;
  const { data } = await call({ ...GET, path, answer: 'file', whole: true }, { path: { id } });
  const lines: Line[] = [];
  for await (const text of readLines(data as AsyncIterable<Buffer>, MAX_LINE_BYTES))
    lines.push(JSON.parse(text) as Line);
  return lines;
};

/** Returns the kept errors of a batch in the order of their rows: some 10,000 at most. */
export const getErrors = (call: Call, id: string): Promise<readonly ErrorLine[]> =>
  getLines<ErrorLine>(call, id, 'errors');

/** Returns the listed duplicates of a batch in the order of their rows: 10,000 at most. */
export const getDuplicates = (call: Call, id: string): Promise<readonly DuplicateLine[]> =>
  getLines<DuplicateLine>(call, id, 'duplicates');

/** Writes an error for the manifest and for people. */
export const formatError = ({ field, message }: ErrorLine): string =>
  withOptionNames(field === 'row' ? message : `${field}: ${message}`);
