/** Sends a file as a batch, beside an example of its codes. */
import type { FileFormat } from '../../../../../workers/lists.ts';
import { Fault } from '../../../api/client.ts';
import type { Batch, BatchOptions } from '../../../api/shapes.ts';
import { GradeChip } from '../../../ui/grade.tsx';
import { Failure } from '../../../ui/states.tsx';
import type { Preview } from '../../designer/preview.tsx';
import { type FileKind, mediaTypeOf, toHeader } from './file.ts';
import type { ColumnsQuery } from './mapping.ts';
import { type Follow, type Upload, Uploading, type UploadState, upload, useUpload } from './uploading.tsx';

export interface BatchChoice {
  readonly folderName: string;
  readonly formats: readonly FileFormat[];
  readonly onError: 'skip' | 'stop';
  /** Options of the design; those of a row win. */
  readonly design: BatchOptions;
  readonly columns: ColumnsQuery;
}

/** A longer design, with a logo in it, does not fit into a header. */
const DESIGN_HEADER_MAX = 6000;

/**
 * Returns the body of the request and the headers that describe it.
 *
 * @throws {Fault} For a design that cannot be sent.
 */
const toRequest = (
  file: File,
  kind: FileKind,
  design: BatchChoice['design'],
): Pick<Upload, 'headers' | 'body'> => {
  const type = mediaTypeOf(kind);
  const json = toHeader(design);
  const packed: Record<string, string> = kind.gzip ? { 'content-encoding': 'gzip' } : {};
  if (json.length <= DESIGN_HEADER_MAX) {
    const chosen: Record<string, string> = json === '{}' ? {} : { design: json };
    return { body: file, headers: { 'content-type': type, ...packed, ...chosen } };
  }
  if (kind.gzip)
    throw new Fault(
      400,
      'This logo is too large to send with a compressed file',
      'decompress the file, or give the address of the logo',
    );
  const form = new FormData();
  form.append('design', json);
  // A blob of a file refers to it and copies nothing.
  form.append('rows', new Blob([file], { type }), file.name);
  return { body: form, headers: {} };
};

/** What is sent besides the file, and what the file is. */
type SentChoice = BatchChoice & { readonly kind: FileKind };

/** Sends a file as a batch. Sending it again under the same key makes nothing twice. @throws {Fault} */
const sendBatch = async (
  file: File,
  { kind, folderName, formats, onError, design, columns }: SentChoice,
  { idempotencyKey, ...follow }: Follow,
): Promise<Batch> => {
  const { headers, body } = toRequest(file, kind, design);
  const query = new URLSearchParams({
    folder_name: folderName,
    formats: formats.join(','),
    on_error: onError,
    ...columns,
  });
  return upload<Batch>({
    path: `api/v1/batches?${query}`,
    headers: { ...headers, 'idempotency-key': idempotencyKey },
    body,
    ...follow,
  });
};

/** Sends one file as a batch and reports it to `onSent`. */
export const useBatchUpload = (file: File, onSent: (batch: Batch) => void) =>
  useUpload<SentChoice, Batch>(file, (choice, follow) => sendBatch(file, choice, follow), onSent);

const Example = ({ preview: { picture, check, fault } }: { readonly preview: Preview }) => (
  <>
    <div class={`stage ${fault === null ? '' : 'stale'}`}>
      {picture === null ? (
        <p class="muted">Drawing …</p>
      ) : (
        <img src={picture} alt="Example of a code" width={240} height={240} />
      )}
    </div>
    {check !== null && (
      <p>
        <GradeChip grade={check.grade} />
      </p>
    )}
  </>
);

interface StartPaneProps {
  readonly preview: Preview;
  readonly upload: UploadState<unknown>;
  /** Why the batch cannot be sent; otherwise `null`. */
  readonly obstacle: string | null;
  readonly cost: string;
  readonly onStart: () => void;
  readonly onStop: () => void;
}

/** Shows an example of the codes and what they cost, and sends the file with a button. */
export const StartPane = ({ preview, upload, obstacle, cost, onStart, onStop }: StartPaneProps) => (
  <section class="card start" aria-label="Start">
    <Example preview={preview} />
    {upload.kind === 'sending' ? (
      <Uploading progress={upload.progress} onStop={onStop} />
    ) : (
      <>
        {upload.kind === 'failed' && <Failure fault={upload.fault} />}
        <button type="button" class="primary large" disabled={obstacle !== null} onClick={onStart}>
          Start the batch
        </button>
        <p class="muted small" role="status">
          {obstacle ?? cost}
        </p>
      </>
    )}
  </section>
);
