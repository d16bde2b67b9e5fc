import { useState } from 'preact/hooks';
import type { BatchPreview } from '../../../api/shapes.ts';
import { useLoad } from '../../../ui/use-load.ts';
import type { FileKind } from '../send/file-kind.ts';
import { loadPreview } from './load-preview.ts';
import { faultOf, guessOf, type Mapping, toQuery } from './mapping.ts';

/** Columns as they were chosen on an earlier screen. */
export interface ChosenColumns {
  readonly preview: BatchPreview;
  readonly mapping: Mapping;
}

/** More rows than a person looks at, so that the rows of a short spreadsheet are counted. */
const XLSX_ROWS = 1000;

/** Loads the columns of a file that has some, and holds what a person makes of them. */
export const useColumns = (file: File, kind: FileKind, chosen: ChosenColumns | null) => {
  const load = useLoad(
    async (signal) => {
      if (chosen !== null) return chosen.preview;
      if (kind.format === 'ndjson') return null;
      return loadPreview(file, kind, kind.format === 'xlsx' ? { rows: XLSX_ROWS, signal } : { signal });
    },
    [file, kind],
  );
  const [own, setMapping] = useState<Mapping | null>(chosen?.mapping ?? null);
  const preview = load.data ?? null;
  const mapping = own ?? (preview === null ? [] : guessOf(preview));
  return {
    load,
    preview,
    mapping,
    setMapping,
    hindered: preview === null ? null : faultOf(preview, mapping),
    query: preview === null ? {} : toQuery(preview, mapping),
    /** The rows of a spreadsheet that is read whole; `null`: not known. */
    rows: kind.format === 'xlsx' && preview !== null && !preview.more ? preview.rows.length : null,
  };
};
