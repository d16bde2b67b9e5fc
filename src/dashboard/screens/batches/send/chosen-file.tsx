import { useEffect, useState } from 'preact/hooks';
import { count, size } from '../../../ui/format.ts';
import { countRows } from './count-rows.ts';
import { type FileKind, formatInWords } from './file-kind.ts';

/** The rows of a file: `null` while they are counted, or `unknown`: only the service can count them. */
export type RowCount = number | null | 'unknown';

/** Counts the rows of a file in the background. Those of a spreadsheet are unknown. */
export const useRowCount = (file: File, kind: FileKind): RowCount => {
  const [rows, setRows] = useState<RowCount>(null);
  useEffect(() => {
    const abort = new AbortController();
    setRows(kind.format === 'xlsx' ? 'unknown' : null);
    if (kind.format === 'xlsx') return;
    countRows(file, kind, { signal: abort.signal }).then(
      (found) => !abort.signal.aborted && setRows(found),
      () => !abort.signal.aborted && setRows('unknown'),
    );
    return () => abort.abort();
  }, [file, kind]);
  return rows;
};

const rowsInWords = (rows: RowCount): string => {
  if (rows === null) return 'counting rows …';
  return rows === 'unknown' ? 'its rows are counted when it is sent' : count(rows, 'row');
};

/** Shows the file that will be sent. */
export const ChosenFile = ({
  file,
  kind,
  rows,
  onOther,
}: {
  readonly file: File;
  readonly kind: FileKind;
  readonly rows: RowCount;
  /** Called when a person wants another file; without it none can be chosen now. */
  readonly onOther: (() => void) | null;
}) => (
  <section class="card chosen-file" aria-label="File">
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M6 2h8l5 5v15H6zM14 2v5h5M9 12h7M9 16h7" />
    </svg>
    <span class="file-name">
      <strong class="wrap">{file.name}</strong>
      <span class="muted small" role="status">
        {formatInWords(kind)} · {size(file.size)} · {rowsInWords(rows)}
      </span>
    </span>
    {onOther && (
      <button type="button" class="quiet" onClick={onOther}>
        Choose another file
      </button>
    )}
  </section>
);
