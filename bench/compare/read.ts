/** Reads reports that earlier runs saved. */
import { readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sourceOf } from '../files.ts';
import { VERSION } from '../reports/files.ts';
import type { BenchReport, CapacityReport } from '../reports/report.ts';

/** A report that was read. */
export type SavedReport =
  | ({ readonly kind: 'bench' } & BenchReport)
  | ({ readonly kind: 'capacity' } & CapacityReport);

const ajv = new Ajv2020({ allErrors: false, strict: false }).addSchema(
  JSON.parse(readFileSync(sourceOf('reports/schema.json'), 'utf8')),
  'report',
);

/** In bytes. A report of all scenarios takes less than one megabyte. */
const BYTES_MAX = 64e6;
/** Three years of one report a day. */
const REPORTS_MAX = 1000;

/** A report that cannot be read. The message names it and the reason. */
export class ReportFault extends Error {}

const parsed = (file: string, json: string): { readonly version?: unknown } => {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as never;
  } catch {
    throw new ReportFault(`${file} is not JSON: give bench.json or capacity.json of a report`);
  }
  throw new ReportFault(`${file} is not a report: give bench.json or capacity.json`);
};

const kindOf = (value: object): SavedReport['kind'] | null => {
  if ('measured' in value && 'latencies' in value) return 'bench';
  return 'found' in value && 'slo' in value ? 'capacity' : null;
};

/** Parses a report. @throws {ReportFault} When it is not a report, has another version, or lacks a field. */
export const parseReport = (file: string, json: string): SavedReport => {
  const value = parsed(file, json);
  const kind = kindOf(value);
  if (kind === null) throw new ReportFault(`${file} is not a report of npm run bench or npm run capacity`);
  if (value.version !== VERSION)
    throw new ReportFault(
      `${file} is a report of version ${value.version ?? 'unknown'}, and this build reads version ${VERSION}: measure again`,
    );
  const check = ajv.getSchema(`report#/$defs/${kind}`)!;
  const [fault] = check(value) ? [] : check.errors!;
  if (fault !== undefined)
    throw new ReportFault(`${file} is not a complete report: ${fault.instancePath || '/'} ${fault.message}`);
  return { ...value, kind } as unknown as SavedReport;
};

const readReport = async (file: string): Promise<SavedReport> => {
  const { size } = await stat(file);
  if (size > BYTES_MAX) throw new ReportFault(`${file} has ${size} bytes, which is too large for a report`);
  return parseReport(file, await readFile(file, 'utf8'));
};

/** The files that runs write. Other files in a folder are ignored. */
const filesIn = async (path: string): Promise<readonly string[]> => {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new ReportFault(`there is no file or folder ${path}`);
  if (!found.isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  const files = names.filter((name) => /^(bench|capacity).*\.json$/.test(basename(name))).sort();
  if (files.length === 0)
    throw new ReportFault(`${path} has no report: there is no bench*.json and no capacity*.json`);
  return files.map((name) => join(path, name));
};

/**
 * Reads reports, the oldest first. From a folder it takes all `bench*.json` and `capacity*.json`, at any depth.
 *
 * @throws {ReportFault} When a path does not exist or is not a report, or when there are too many.
 */
export const readReports = async (paths: readonly string[]): Promise<SavedReport[]> => {
  const files = (await Promise.all(paths.map(filesIn))).flat();
  if (files.length > REPORTS_MAX)
    throw new ReportFault(`there are ${files.length} reports; the maximum is ${REPORTS_MAX}`);
  const reports: SavedReport[] = [];
  for (const file of files) reports.push(await readReport(file));
  return reports.sort((a, b) => a.at.localeCompare(b.at));
};
