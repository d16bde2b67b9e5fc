/** Sends a table as a batch, beside an example of its codes and what they cost. */
import { Fault } from '../../api/client.ts';
import type { Batch, BatchOptions } from '../../api/shapes.ts';
import { Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { GradeChip } from '../codes/grade.tsx';
import type { Preview } from '../designer/preview.tsx';
import type { PrintChoice } from '../print/choice.ts';
import { Picture } from '../print/dialog.tsx';
import type { Trial } from '../print/sized.ts';
import type { Settings, TableDraft } from './draft.ts';
import { type FileKind, mediaTypeOf, toHeader } from './file/kind.ts';
import { type Follow, type Upload, Uploading, type UploadState, upload } from './file/uploading.tsx';
import type { ColumnsQuery } from './mapping.ts';
import { rowsToSend } from './read.ts';

/** A longer design, with a logo in it, does not fit into a header. */
const DESIGN_HEADER_MAX = 6000;

/**
 * Returns the body of the request and the headers that describe it.
 *
 * @throws {Fault} For a design that cannot be sent.
 */
const toRequest = (body: Blob, kind: FileKind, design: BatchOptions): Pick<Upload, 'headers' | 'body'> => {
  const type = mediaTypeOf(kind);
  const json = toHeader(design);
  const packed: Record<string, string> = kind.gzip ? { 'content-encoding': 'gzip' } : {};
  if (json.length <= DESIGN_HEADER_MAX)
    return { body, headers: { 'content-type': type, ...packed, ...(json !== '{}' && { design: json }) } };
  if (kind.gzip)
    throw new Fault(
      400,
      say('This logo is too large to send with a compressed file'),
      say('decompress the file, or give the address of the logo'),
    );
  const form = new FormData();
  form.append('design', json);
  // A blob of a file refers to it and copies nothing.
  form.append('rows', new Blob([body], { type }), 'rows');
  return { body: form, headers: {} };
};

/** What is sent besides the rows, and how often these have been changed. */
export interface SentChoice
  extends Pick<Settings, 'folderName' | 'onError'>,
    Pick<PrintChoice, 'formats'>,
    Pick<TableDraft, 'changes'> {
  readonly kind: FileKind;
  /** Options of the design; those of a row win. */
  readonly design: BatchOptions;
  /** About columns, and about rows that repeat an earlier one. */
  readonly query: ColumnsQuery;
}

/** Sends a table as a batch. Sending it again under the same key makes nothing twice. @throws {Fault} */
export const sendTable = async (
  draft: TableDraft,
  { folderName, formats, onError, design, query }: SentChoice,
  { idempotencyKey, ...follow }: Follow,
): Promise<Batch> => {
  const rows = await rowsToSend(draft);
  if (rows === null) throw new Fault(400, say('The file is not here any more'), say('choose it again'));
  const { headers, body } = toRequest(rows.body, rows.kind, design);
  const parameters = new URLSearchParams({
    folder_name: folderName,
    formats: formats.join(','),
    on_error: onError,
    ...query,
  });
  return upload<Batch>({
    path: `api/v1/batches?${parameters}`,
    headers: { ...headers, 'idempotency-key': idempotencyKey },
    body,
    ...follow,
  });
};

interface SendPaneProps {
  readonly preview: Preview;
  readonly trial: Trial;
  readonly upload: UploadState<unknown>;
  /** What the button does, for example `Make 20 codes`. */
  readonly action: string;
  /** Why the table cannot be sent; otherwise `null`. */
  readonly obstacle: string | null;
  readonly cost: string;
  /** What to look at before it is sent; '': nothing. */
  readonly warning: string;
  readonly onStart: () => void;
  readonly onStop: () => void;
}

/** Shows an example of the codes and what they cost, and sends the table with a button. */
export const SendPane = ({
  preview: { picture, check, fault },
  trial,
  upload,
  action,
  obstacle,
  cost,
  warning,
  onStart,
  onStop,
}: SendPaneProps) => (
  <section class="card start" aria-label={say('Send')}>
    <Picture trial={{ picture: trial.picture, fault: fault ?? trial.fault }} picture={picture} />
    {check !== null && (
      <p>
        <GradeChip grade={check.grade} />
      </p>
    )}
    {upload.kind === 'sending' ? (
      <Uploading progress={upload.progress} onStop={onStop} />
    ) : (
      <>
        {upload.kind === 'failed' && <Failure fault={upload.fault} />}
        {warning !== '' && <p class="notice">{warning}</p>}
        <button type="button" class="primary large" disabled={obstacle !== null} onClick={onStart}>
          {action}
        </button>
        <p class="muted small" role="status">
          {obstacle ?? cost}
        </p>
      </>
    )}
  </section>
);
