/** The file of a table: its rows, how it was read, and other ways to read it. */
import type { Fault } from '../../../api/client.ts';
import { ONCE, useRead } from '../../../api/query.ts';
import { Quiet, useAction } from '../../../ui/buttons.tsx';
import { type Options, SelectInput } from '../../../ui/fields.tsx';
import { count, formatSize } from '../../../ui/format.ts';
import { Dots } from '../../../ui/page.tsx';
import { Failure } from '../../../ui/states.tsx';
import { say } from '../../../words/say.ts';
import type { ChangeDraft, TableDraft } from '../draft.ts';
import { readAgain } from '../read.ts';
import { EncodingChoice, EncodingFields, isOfEncoding } from './encoding.tsx';
import { type FileKind, formatInWords } from './kind.ts';
import { countRows, type RowCount } from './rows.ts';

/** Counts the rows that will be sent, in the background. Those of a spreadsheet that is not held are unknown. */
export const useRowCount = ({ file, name, bytes, kind, read, isHeld, leftOut }: TableDraft): RowCount => {
  const isCounted = !isHeld && kind.format !== 'xlsx' && file !== null;
  const { data = null, error } = useRead(
    ['rows', name, bytes],
    async (signal) => (file === null ? 0 : countRows(file, kind, signal)),
    { ...ONCE, enabled: isCounted },
  );
  const all = isHeld && read !== null ? read.rows.length : data;
  if (!isHeld && (!isCounted || error !== null)) return 'unknown';
  return all === null ? null : all - leftOut.length;
};

const rowsInWords = (rows: RowCount): string => {
  if (rows === null) return say('counting rows …');
  return rows === 'unknown' ? say('its rows are counted when it is sent') : count(rows, 'row', 'rows');
};

const DELIMITERS: Options<string> = [
  [',', say('Comma')],
  [';', say('Semicolon')],
  ['\t', say('Tab')],
  ['|', say('Vertical bar')],
];

/** Reads the file in another way. */
const useReading = (draft: TableDraft, onDraft: (change: ChangeDraft) => void) => {
  const { busy, fault, run } = useAction();
  return {
    ...{ busy, fault },
    change: (changed: Partial<FileKind>) =>
      void run(async () => {
        const read = await readAgain(draft, { ...draft.kind, ...changed });
        onDraft(() => read);
      }),
  };
};

interface ReadingProps {
  readonly draft: TableDraft;
  readonly reading: ReturnType<typeof useReading>;
}

/** Shows how a file of CSV was read, and lets a person choose another way. */
const Reading = ({ draft, reading: { busy, fault, change } }: ReadingProps) => {
  const { kind, read, readings, edited } = draft;
  const encoding = read?.encoding ?? kind.encoding ?? 'utf-8';
  const delimiter = read?.delimiter ?? ',';
  const known = DELIMITERS.some(([each]) => each === delimiter);
  return (
    <div class="stack" inert={busy}>
      {readings.length > 0 && (
        <p class="notice plain">
          {say(
            'The file does not say its encoding. It was read as {encoding}. Choose another line if that one reads right.',
            { encoding },
          )}
        </p>
      )}
      <EncodingFields
        readings={readings}
        encoding={encoding}
        onEncoding={(chosen) => change({ encoding: chosen })}
      />
      {!kind.gzip && !encoding.startsWith('utf-16') && (
        <SelectInput
          look="narrow"
          label={say('Cells are separated by')}
          value={delimiter}
          options={known ? DELIMITERS : [...DELIMITERS, [delimiter, delimiter]]}
          onChoose={(chosen) => change({ delimiter: chosen })}
        />
      )}
      {edited.length > 0 && (
        <p class="muted small">{say('Reading the file in another way undoes your corrections.')}</p>
      )}
      {fault && <Failure fault={fault} />}
    </div>
  );
};

interface FileCardProps {
  readonly draft: TableDraft;
  readonly rows: RowCount;
  /** Why it could not be sent; `null`: nothing has failed. */
  readonly fault: Fault | null;
  readonly onDraft: (change: ChangeDraft) => void;
  readonly onOther: () => void;
}

/** Shows what the file is and how it was read and, where bytes further down are in no such encoding, asks for another. */
export const FileCard = ({ draft, rows, fault, onDraft, onOther }: FileCardProps) => {
  const { file, name, bytes, kind, readings } = draft;
  const reading = useReading(draft, onDraft);
  return (
    <>
      <section class="card" aria-label={say('File')}>
        <div class="chosen-file">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M6 2h8l5 5v15H6zM14 2v5h5M9 12h7M9 16h7" />
          </svg>
          <span class="file-name" role="status">
            <strong class="wrap">{name}</strong>
            <Dots facts={[formatInWords(kind), formatSize(bytes), rowsInWords(rows)]} />
          </span>
          <Quiet onClick={onOther}>{say('Choose another file')}</Quiet>
        </div>
        {kind.format === 'csv' && file !== null && (
          <details open={readings.length > 0}>
            <summary>{say('Encoding and separator')}</summary>
            <Reading draft={draft} reading={reading} />
          </details>
        )}
      </section>
      {isOfEncoding(fault) && (
        <EncodingChoice
          key={fault.details}
          fault={fault}
          onChoose={(encoding) => reading.change({ encoding })}
        />
      )}
    </>
  );
};
