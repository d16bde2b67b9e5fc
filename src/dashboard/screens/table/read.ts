/** Reads files by the service, and asks it what is wrong with their rows. */
import { asFault, askRaw } from '../../api/client.ts';
import type { BatchOptions, BatchPreview, QrRequest } from '../../api/shapes.ts';
import { folderNameOf } from '../batches/words.ts';
import { FOR_SCREENS } from '../print/choice.ts';
import { type TableDraft, writeRows } from './draft.ts';
import { type FileKind, mediaTypeOf, preselect, toHeader } from './file/kind.ts';
import { beginningOf, withDelimiter, withoutRows } from './file/rows.ts';
import type { ColumnsQuery } from './mapping.ts';

/** The most bytes of CSV, and the most rows, of which the service says what they are. */
const READ_MAX = { bytes: 8_000_000, rows: 10_000 } as const;
/** What it is asked to read of a longer file. */
const BEGINNING = { bytes: 1_000_000, rows: 100 } as const;

interface PreviewOptions {
  readonly rows: number;
  /** What all rows have; with it, the service says what their codes would say. */
  readonly design?: BatchOptions;
  readonly query?: ColumnsQuery;
  readonly signal?: AbortSignal;
}

const preview = async (
  body: Blob,
  kind: FileKind,
  { rows, design, query = {}, signal }: PreviewOptions,
): Promise<BatchPreview> => {
  const answer = await askRaw(
    `api/v1/batches/preview?${new URLSearchParams({ rows: `${rows}`, ...query })}`,
    {
      method: 'POST',
      headers: { 'content-type': mediaTypeOf(kind), ...(design && { design: toHeader(design) }) },
      body,
      ...(signal && { signal }),
    },
  );
  return (await answer.json()) as BatchPreview;
};

/** Returns the first rows of a file, and whether they are all: an XLSX file can only be read whole. */
const partOf = async (file: Blob, kind: FileKind) => {
  if (kind.format === 'xlsx') return { body: file, isWhole: true };
  const { read, isWhole } = await beginningOf(file, kind, READ_MAX.bytes);
  return { body: isWhole ? read : (await beginningOf(read, kind, BEGINNING.bytes)).read, isWhole };
};

const readAs = async (file: File, kind: FileKind) => {
  const { delimiter } = kind;
  const { body, isWhole } = await partOf(delimiter ? await withDelimiter(file, delimiter) : file, kind);
  const read = await preview(body, kind, isWhole ? READ_MAX : BEGINNING);
  const isHeld = isWhole && !read.more;
  if (kind.format !== 'xlsx') return { kind, read, isHeld };
  // The last cells of a row of a spreadsheet may be missing, which CSV does not allow.
  const rows = read.rows.map((cells) => read.columns.map((_, at) => cells[at] ?? ''));
  return { kind, read: { ...read, rows }, isHeld };
};

/**
 * Reads a file. Where its encoding is not clear, it is read in that of the browser's languages.
 *
 * @throws {Fault} When the service cannot read it.
 */
const readFile = async (file: File, kind: FileKind) => {
  if (kind.format === 'ndjson') return { kind, read: null, isHeld: false, readings: [] };
  try {
    return { ...(await readAs(file, kind)), readings: [] };
  } catch (error) {
    const { readings } = asFault(error);
    if (readings.length === 0 || kind.encoding !== undefined) throw error;
    const encoding = preselect(readings, navigator.languages);
    return { ...(await readAs(file, { ...kind, encoding })), readings };
  }
};

/** Returns a new draft of a file. @param request An example of its codes, without a preset. @throws {Fault} */
export const openFile = async (file: File, kind: FileKind, request: QrRequest): Promise<TableDraft> => {
  const read = await readFile(file, kind);
  return {
    ...{ file, name: file.name, bytes: file.size },
    ...read,
    ...{ changes: 0, edited: [], leftOut: [], found: [], content: {}, request },
    mapping: read.read?.columns.map(({ field }) => field) ?? [],
    settings: {
      ...{ folderName: folderNameOf(file.name), files: FOR_SCREENS, onError: 'skip' },
      ...{ duplicates: 'refuse-keys', unique: '' },
    },
  };
};

/** Reads the file of a draft in another way, which undoes corrections of rows. @throws {Fault} */
export const readAgain = async (draft: TableDraft, kind: FileKind): Promise<TableDraft> => {
  if (draft.file === null) return draft;
  const { readings, ...read } = await readFile(draft.file, kind);
  const isSame = read.read?.columns.length === draft.mapping.length;
  return {
    ...draft,
    ...read,
    readings: readings.length > 0 ? readings : draft.readings,
    ...{ changes: draft.changes + 1, edited: [], leftOut: [] },
    mapping: isSame ? draft.mapping : (read.read?.columns.map(({ field }) => field) ?? []),
  };
};

/** What rows that are held are written as. */
const HELD: FileKind = { format: 'csv', gzip: false };

/** Returns the rows as they are sent, with all corrections, and what they are; `null`: the file is not here. */
export const rowsToSend = async (draft: TableDraft): Promise<{ body: Blob; kind: FileKind } | null> => {
  const { file, kind, read, isHeld, leftOut } = draft;
  if (isHeld && read !== null) return { body: new Blob([writeRows(read, leftOut)]), kind: HELD };
  if (file === null) return null;
  const left = await withoutRows(file, kind, new Set(leftOut));
  const plain = left === file ? kind : { ...kind, gzip: false };
  return { body: kind.delimiter ? await withDelimiter(left, kind.delimiter) : left, kind: plain };
};

/** Asks what the codes of the first rows will say, and what is wrong with rows. @throws {Fault} */
export const checkRows = async (
  draft: TableDraft,
  asked: Pick<PreviewOptions, 'design' | 'query' | 'signal'>,
): Promise<BatchPreview | null> => {
  const rows = await rowsToSend(draft);
  if (rows === null) return null;
  const { body } = await partOf(rows.body, rows.kind);
  return preview(body, rows.kind, { rows: 5, ...asked });
};
