/** Sends a file, and shows how far that is. */
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  asFault,
  BASE,
  type Fault,
  newIdempotencyKey,
  toRefusal,
  toUnreachable,
} from '../../../api/client.ts';
import { Button } from '../../../ui/buttons.tsx';
import { formatDuration, formatSize, percent } from '../../../ui/format.ts';
import { useLeaveWarning } from '../../../ui/kept/leaving.tsx';
import { ProgressBar } from '../../../ui/states.tsx';
import { say } from '../../../words/say.ts';

/** What is sent, and how the page follows it. */
export interface Upload {
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
export const upload = <T,>({ path, headers, body, signal, onProgress }: Upload): Promise<T> =>
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
    xhr.onabort = () => reject(new DOMException(say('The upload was stopped'), 'AbortError'));
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(body);
  });

interface Progress {
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Estimated by the pace so far; `null` at the beginning. */
  readonly remainingS: number | null;
}

/** An upload that has not begun, is under way, or was refused. */
export type UploadState<C> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sending'; readonly progress: Progress }
  | { readonly kind: 'failed'; readonly fault: Fault; readonly choice: C };

/** The browser reports progress up to twenty times a second, and each time the screen is drawn. */
const SHOW_EVERY_MS = 250;
/** The pace of the first second says little. */
const SETTLED_MS = 1000;

const progressOf = (startedMs: number, sentBytes: number, totalBytes: number): Progress => {
  const ms = performance.now() - startedMs;
  const remainingS = ms < SETTLED_MS ? null : ((totalBytes - sentBytes) / sentBytes) * (ms / 1000);
  return { sentBytes, totalBytes, remainingS };
};

/** What a sender passes on to `upload`, and the key under which it sends. */
export type Follow = Pick<Upload, 'signal' | 'onProgress'> & { readonly idempotencyKey: string };

/**
 * Sends a file with what a person chose, and reports the answer to `onSent`. Leaving the page stops the upload, so the
 * browser asks first. The same choice is sent again under the same key, so that a lost answer makes nothing twice.
 */
export const useUpload = <C, T>(
  { size }: Pick<Blob, 'size'>,
  send: (choice: C, follow: Follow) => Promise<T>,
  onSent: (answer: T) => void,
) => {
  const [state, setState] = useState<UploadState<C>>({ kind: 'ready' });
  const abort = useRef<AbortController | null>(null);
  const sent = useRef({ choice: '', idempotencyKey: '' });
  useLeaveWarning(state.kind === 'sending');
  useEffect(() => () => abort.current?.abort(), []);

  const start = async (choice: C): Promise<void> => {
    const running = new AbortController();
    abort.current = running;
    const text = JSON.stringify(choice);
    if (sent.current.choice !== text) sent.current = { choice: text, idempotencyKey: newIdempotencyKey() };
    const startedMs = performance.now();
    let shownMs = Number.NEGATIVE_INFINITY;
    const onProgress = (sentBytes: number, totalBytes: number): void => {
      const nowMs = performance.now();
      if (nowMs - shownMs < SHOW_EVERY_MS && sentBytes < totalBytes) return;
      shownMs = nowMs;
      setState({ kind: 'sending', progress: progressOf(startedMs, sentBytes, totalBytes) });
    };
    onProgress(0, size);
    try {
      const { signal } = running;
      const { idempotencyKey } = sent.current;
      const answer = await send(choice, { signal, onProgress, idempotencyKey });
      setState({ kind: 'ready' });
      onSent(answer);
    } catch (error) {
      setState(
        running.signal.aborted ? { kind: 'ready' } : { kind: 'failed', fault: asFault(error), choice },
      );
    }
  };

  return { state, start, stop: () => abort.current?.abort() };
};

interface UploadingProps {
  readonly progress: Progress;
  readonly onStop: () => void;
}

/** Shows how far an upload is, and stops it. */
export const Uploading = ({ progress: { sentBytes, totalBytes, remainingS }, onStop }: UploadingProps) => {
  const isSent = sentBytes === totalBytes;
  return (
    <>
      <div class="batch-headline">
        <strong>{percent(totalBytes === 0 ? 0 : sentBytes / totalBytes)}</strong>
        <span role="status">
          {isSent ? say('Storing the last rows …') : say('Uploading. Keep this page open.')}
        </span>
      </div>
      <ProgressBar share={isSent ? null : sentBytes / totalBytes} label={say('Upload')} />
      <p class="muted small">
        {say('{size} of {all}', { size: formatSize(sentBytes), all: formatSize(totalBytes) })}
        {!isSent &&
          remainingS !== null &&
          ` · ${say('about {time} left', { time: formatDuration(remainingS) })}`}
      </p>
      <Button onClick={onStop}>{say('Stop')}</Button>
    </>
  );
};
