/** The columns and first rows of a file, as the service reads them, and what a person makes of them. */
import { useState } from 'preact/hooks';
import { askRaw } from '../../../api/client.ts';
import { ONCE, useRead } from '../../../api/query.ts';
import type { BatchOptions, BatchPreview } from '../../../api/shapes.ts';
import { type FileKind, mediaTypeOf, toHeader } from '../send/file-kind.ts';
import { beginningOf } from './beginning.ts';
import { type ColumnsQuery, guessOf, type Mapping } from './mapping.ts';

/** The first rows of most files are far shorter, and this is sent in a moment. */
const BEGINNING_BYTES = 256 * 1024;
/** More rows than a person looks at, so that the rows of a short spreadsheet are counted. */
const XLSX_ROWS = 1000;

interface PreviewOptions {
  /** How many rows are asked for. */
  readonly rows?: number;
  /** About how much of CSV is sent: whole rows. An XLSX file is sent whole, since it cannot be read otherwise. */
  readonly bytes?: number;
  /** What all rows have; with it, the service says what their codes would say. */
  readonly design?: BatchOptions;
  readonly query?: ColumnsQuery;
  readonly signal?: AbortSignal;
}

/**
 * Returns the columns and first rows of a file of CSV or XLSX.
 *
 * @throws {Fault} When the service cannot read it.
 */
export const loadPreview = async (
  file: File,
  kind: FileKind,
  { rows = 5, bytes = BEGINNING_BYTES, design, query = {}, signal }: PreviewOptions = {},
): Promise<BatchPreview> => {
  const answer = await askRaw(
    `api/v1/batches/preview?${new URLSearchParams({ rows: `${rows}`, ...query })}`,
    {
      method: 'POST',
      headers: { 'content-type': mediaTypeOf(kind), ...(design && { design: toHeader(design) }) },
      body: kind.format === 'xlsx' ? file : await beginningOf(file, kind, bytes),
      ...(signal && { signal }),
    },
  );
  return (await answer.json()) as BatchPreview;
};

/** Columns as they were chosen on an earlier screen. */
export interface ChosenColumns {
  readonly preview: BatchPreview;
  readonly mapping: Mapping;
}

/** Loads the columns of a file that has some, and holds what a person makes of them. */
export const useColumns = (file: File, kind: FileKind, chosen: ChosenColumns | null) => {
  const load = useRead(
    ['columns', file.name, file.size, file.lastModified, kind.encoding],
    async (signal) => {
      if (chosen !== null) return chosen.preview;
      if (kind.format === 'ndjson') return null;
      return loadPreview(file, kind, kind.format === 'xlsx' ? { rows: XLSX_ROWS, signal } : { signal });
    },
    ONCE,
  );
  const [own, setMapping] = useState<Mapping | null>(chosen?.mapping ?? null);
  const preview = load.data ?? null;
  const mapping = own ?? (preview === null ? [] : guessOf(preview));
  return {
    load,
    preview,
    mapping,
    setMapping,
    /** The rows of a spreadsheet that is read whole; `null`: not known. */
    rows: kind.format === 'xlsx' && preview !== null && !preview.more ? preview.rows.length : null,
  };
};
