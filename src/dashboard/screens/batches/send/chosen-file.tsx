import { ONCE, useRead } from '../../../api/query.ts';
import { Quiet } from '../../../ui/buttons.tsx';
import { count, formatSize } from '../../../ui/format.ts';
import { countRows, type RowCount } from './count-rows.ts';
import { type FileKind, formatInWords } from './file-kind.ts';

/** Counts the rows of a file in the background. Those of a spreadsheet are unknown. */
export const useRowCount = (file: File, kind: FileKind): RowCount => {
  const isKnown = kind.format !== 'xlsx';
  const { data, error } = useRead(
    ['rows', file.name, file.size, file.lastModified],
    (signal) => countRows(file, kind, { signal }),
    { ...ONCE, enabled: isKnown },
  );
  return isKnown && error === null ? (data ?? null) : 'unknown';
};

const rowsInWords = (rows: RowCount): string => {
  if (rows === null) return 'counting rows …';
  return rows === 'unknown' ? 'its rows are counted when it is sent' : count(rows, 'row');
};

interface ChosenFileProps {
  readonly file: File;
  readonly kind: FileKind;
  readonly rows: RowCount;
  /** Called when a person wants another file; without it none can be chosen now. */
  readonly onOther: (() => void) | null;
}

/** Shows the file that will be sent. */
export const ChosenFile = ({ file, kind, rows, onOther }: ChosenFileProps) => (
  <section class="card chosen-file" aria-label="File">
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M6 2h8l5 5v15H6zM14 2v5h5M9 12h7M9 16h7" />
    </svg>
    <span class="file-name">
      <strong class="wrap">{file.name}</strong>
      <span class="muted small" role="status">
        {formatInWords(kind)} · {formatSize(file.size)} · {rowsInWords(rows)}
      </span>
    </span>
    {onOther && <Quiet onClick={onOther}>Choose another file</Quiet>}
  </section>
);
