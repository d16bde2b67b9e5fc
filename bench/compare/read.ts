/** Reads reports that earlier runs saved. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Value } from 'typebox/value';
import { VERSION } from '../page/files.ts';
import { type Saved, SavedBench, SavedCapacity } from './schema.ts';

/** A report and the file that it was read from. */
export type SavedReport = Saved & { readonly file: string };

/** Bytes: a report of all scenarios has less than one megabyte. */
const BYTES_MAX = 64e6;
/** Reports of a trend: three years of one a day. */
const REPORTS_MAX = 1000;

/** A report that cannot be read; the message says which and why. */
export class ReportFault extends Error {}

const parsed = (file: string, text: string): { readonly version?: unknown } => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as never;
  } catch {
    throw new ReportFault(`${file} is no JSON: give bench.json or capacity.json of a report`);
  }
  throw new ReportFault(`${file} is no report: give bench.json or capacity.json of one`);
};

const kindOf = (value: object): Saved['kind'] | null => {
  if ('measured' in value && 'latencies' in value) return 'bench';
  return 'found' in value && 'slo' in value ? 'capacity' : null;
};

/** Returns the report in a text. @throws {ReportFault} When it is none, of another version, or lacks a field. */
export const parseReport = (file: string, text: string): SavedReport => {
  const value = parsed(file, text);
  const kind = kindOf(value);
  if (kind === null)
    throw new ReportFault(`${file} is a report of neither npm run bench nor npm run capacity`);
  if (value.version !== VERSION)
    throw new ReportFault(
      `${file} is a report of version ${value.version ?? 'unknown'}, and this build reads version ${VERSION}: measure again`,
    );
  const schema = kind === 'bench' ? SavedBench : SavedCapacity;
  const [fault] = Value.Errors(schema, value);
  if (fault !== undefined)
    throw new ReportFault(`${file} is no whole report: ${fault.instancePath || '/'} ${fault.message}`);
  return { ...value, kind, file } as unknown as SavedReport;
};

const readReport = async (file: string): Promise<SavedReport> => {
  const { size } = await stat(file);
  if (size > BYTES_MAX) throw new ReportFault(`${file} has ${size} bytes, which no report has`);
  return parseReport(file, await readFile(file, 'utf8'));
};

/** Names of the files that runs write. Others in a folder are left out. */
const isNamedAsReport = (name: string): boolean => /^(bench|capacity)[^/]*\.json$/.test(basename(name));

const filesIn = async (path: string): Promise<readonly string[]> => {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new ReportFault(`there is no file or folder ${path}`);
  if (!found.isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  const files = names.filter(isNamedAsReport).sort();
  if (files.length === 0)
    throw new ReportFault(`${path} has no report: no bench*.json and no capacity*.json`);
  return files.map((name) => join(path, name));
};

/**
 * Reads reports, the oldest first. Of a folder it takes all `bench*.json` and `capacity*.json`, at any depth.
 *
 * @throws {ReportFault} When a path does not exist or is no report, or when there are too many.
 */
export const readReports = async (paths: readonly string[]): Promise<SavedReport[]> => {
  const files = (await Promise.all(paths.map(filesIn))).flat();
  if (files.length > REPORTS_MAX)
    throw new ReportFault(`these are ${files.length} reports; at most ${REPORTS_MAX} are read`);
  const reports: SavedReport[] = [];
  for (const file of files) reports.push(await readReport(file));
  return reports.sort((a, b) => a.at.localeCompare(b.at));
};
