/** Sends a file as a batch, and shows how far that is. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FileFormat } from '../../../../../workers/lists.ts';
import { asFault, BASE, Fault, newIdempotencyKey, toRefusal, toUnreachable } from '../../../api/client.ts';
import type { Batch, BatchOptions } from '../../../api/shapes.ts';
import { Button } from '../../../ui/buttons.tsx';
import { formatDuration, formatSize, percent } from '../../../ui/format.ts';
import { useLeaveWarning } from '../../../ui/hooks.ts';
import { Failure, ProgressBar } from '../../../ui/states.tsx';
import { GradeChip, type Preview } from '../../designer/preview.tsx';
import { type FileKind, mediaTypeOf, toHeader } from './file.ts';
import type { ColumnsQuery } from './mapping.ts';

/** What is sent, and how the page follows it. */
interface Upload {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The browser reads a file while it sends it, and never holds all of it. */
  readonly body: Blob | FormData;
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number, totalBytes: number) => void;
}

/**
 * Posts a body and returns the JSON of a successful answer. `fetch` does not report upload progress.
 *
 * @throws {Fault} For every other answer, and when none comes.
 * @throws {DOMException} `AbortError` when the signal aborts.
 */
const upload = <T,>({ path, headers, body, signal, onProgress }: Upload): Promise<T> =>
  new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const answer = async (): Promise<T> => {
      const headers = { 'retry-after': xhr.getResponseHeader('retry-after') ?? '' };
      const response = new Response(xhr.responseText, { status: xhr.status, headers });
      if (!response.ok) throw await toRefusal(response);
      return (await response.json()) as T;
    };
    xhr.open('POST', `${BASE}${path}`);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    xhr.onload = () => answer().then(resolve, reject);
    xhr.onerror = () => reject(toUnreachable());
    xhr.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'));
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(body);
  });

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

/** Sends a file as a batch. Sending it again under the same key makes nothing twice. @throws {Fault} */
const sendBatch = async (
  file: File,
  kind: FileKind,
  { folderName, formats, onError, design, columns }: BatchChoice,
  { idempotencyKey, ...follow }: Pick<Upload, 'signal' | 'onProgress'> & { readonly idempotencyKey: string },
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

interface Progress {
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Estimated by the pace so far; `null` at the beginning. */
  readonly remainingS: number | null;
}

/** An upload that has not begun, is under way, or was refused. */
type UploadState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sending'; readonly progress: Progress }
  | { readonly kind: 'failed'; readonly fault: Fault; readonly as: FileKind };

/** The browser reports progress up to twenty times a second, and each time the screen is drawn. */
const SHOW_EVERY_MS = 250;
/** The pace of the first second says little. */
const SETTLED_MS = 1000;

const progressOf = (startedMs: number, sentBytes: number, totalBytes: number): Progress => {
  const ms = performance.now() - startedMs;
  const remainingS = ms < SETTLED_MS ? null : ((totalBytes - sentBytes) / sentBytes) * (ms / 1000);
  return { sentBytes, totalBytes, remainingS };
};

/**
 * Sends one file as a batch and reports it to `onSent`. Leaving the page stops the upload, so the browser asks first.
 * The same choice is sent again under the same key, so that a lost answer makes no second batch.
 */
export const useUpload = (file: File, kind: FileKind, onSent: (batch: Batch) => void) => {
  const [state, setState] = useState<UploadState>({ kind: 'ready' });
  const abort = useRef<AbortController | null>(null);
  const sent = useRef({ choice: '', idempotencyKey: '' });
  useLeaveWarning(state.kind === 'sending');
  useEffect(() => () => abort.current?.abort(), []);

  const start = async (choice: BatchChoice): Promise<void> => {
    const running = new AbortController();
    abort.current = running;
    const text = JSON.stringify([choice, kind]);
    if (sent.current.choice !== text) sent.current = { choice: text, idempotencyKey: newIdempotencyKey() };
    const startedMs = performance.now();
    let shownMs = Number.NEGATIVE_INFINITY;
    const show = (sentBytes: number, totalBytes: number): void => {
      const nowMs = performance.now();
      if (nowMs - shownMs < SHOW_EVERY_MS && sentBytes < totalBytes) return;
      shownMs = nowMs;
      setState({ kind: 'sending', progress: progressOf(startedMs, sentBytes, totalBytes) });
    };
    show(0, file.size);
    try {
      const { signal } = running;
      const { idempotencyKey } = sent.current;
      onSent(await sendBatch(file, kind, choice, { signal, onProgress: show, idempotencyKey }));
    } catch (error) {
      setState(
        running.signal.aborted ? { kind: 'ready' } : { kind: 'failed', fault: asFault(error), as: kind },
      );
    }
  };

  return { state, start, stop: () => abort.current?.abort() };
};

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

interface UploadingProps {
  readonly progress: Progress;
  readonly onStop: () => void;
}

const Uploading = ({ progress: { sentBytes, totalBytes, remainingS }, onStop }: UploadingProps) => {
  const isSent = sentBytes === totalBytes;
  return (
    <>
      <div class="batch-headline">
        <strong>{percent(totalBytes === 0 ? 0 : sentBytes / totalBytes)}</strong>
        <span role="status">{isSent ? 'Storing the last rows …' : 'Uploading. Keep this page open.'}</span>
      </div>
      <ProgressBar share={isSent ? null : sentBytes / totalBytes} label="Upload" />
      <p class="muted small">
        {formatSize(sentBytes)} of {formatSize(totalBytes)}
        {!isSent && remainingS !== null && ` · about ${formatDuration(remainingS)} left`}
      </p>
      <Button onClick={onStop}>Stop</Button>
    </>
  );
};

interface StartPaneProps {
  readonly preview: Preview;
  readonly upload: UploadState;
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
