import { useEffect, useRef, useState } from 'preact/hooks';
import type { Fault } from '../../../api/client.ts';
import { newIdempotencyKey } from '../../../api/idempotency-key.ts';
import type { Batch } from '../../../api/shapes.ts';
import { asFault } from '../../../ui/use-load.ts';
import type { FileKind } from './file-kind.ts';
import { type BatchChoice, sendBatch } from './send-batch.ts';

/** How far an upload is. */
export interface Progress {
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Estimated by the pace so far; `null` at the beginning. */
  readonly remainingS: number | null;
}

/** An upload that has not begun, is under way, or was refused. */
export type UploadState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sending'; readonly progress: Progress }
  | { readonly kind: 'failed'; readonly fault: Fault };

/** The browser tells progress up to twenty times a second, and each time the screen is drawn. */
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
  const isSending = state.kind === 'sending';

  useEffect(() => {
    if (!isSending) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isSending]);
  useEffect(() => () => abort.current?.abort(), []);

  const start = async (choice: BatchChoice): Promise<void> => {
    const running = new AbortController();
    abort.current = running;
    const text = JSON.stringify(choice);
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
      setState(running.signal.aborted ? { kind: 'ready' } : { kind: 'failed', fault: asFault(error) });
    }
  };

  return { state, start, stop: () => abort.current?.abort() };
};
