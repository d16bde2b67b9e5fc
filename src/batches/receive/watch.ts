/** Aborts an upload that arrives too slowly or is not read to its end, whatever its reader does. */
import { AppError } from '../../errors.ts';
import { type Payer, payRest } from '../../payer/payer.ts';
import { PACE } from './limits.ts';

/** Watches one upload, from its first byte until `end`. */
export interface Watch {
  /** Bytes of the body received so far. */
  bytes(): number;
  /** For how long it has been up to the client to send bytes, of which none came. */
  silentMs(): number;
  /** Records that it is now up to the client to send bytes. */
  awaitBytes(): void;
  /** Records received bytes. */
  addBytes(bytes: number): void;
  /** Aborts the upload. Everything that waits for it fails with this error. */
  giveUp(reason: AppError): void;
  /** Settles as `work` does. @throws {AppError} if the upload is aborted first; `work` is then ignored. */
  guard<T>(work: Promise<T>): Promise<T>;
  /** Passes items through. @throws {AppError} when the upload is aborted, even if the source never answers. */
  read<T>(items: AsyncIterable<T>): AsyncGenerator<T>;
  end(): void;
}

const malformed = (rule: string): AppError => new AppError('malformed_body', `body: ${rule}`);

/** Starts watching an upload. Its account pays for each turn of the event loop in which bytes or items arrive. */
export const watchUpload = (payer: Payer): Watch => {
  const beginMs = performance.now();
  const waiting = new Set<(reason: AppError) => void>();
  let reason: AppError | null = null;
  let bytes = 0;
  let awaitedSinceMs: number | null = null;
  let awaitedMs = 0;
  let progressMs = beginMs;

  const giveUp = (why: AppError): void => {
    if (reason !== null) return;
    reason = why;
    for (const reject of waiting) reject(why);
  };

  const silentMsAt = (nowMs: number): number => (awaitedSinceMs === null ? 0 : nowMs - awaitedSinceMs);

  const look = (): void => {
    const nowMs = performance.now();
    const silentMs = silentMsAt(nowMs);
    if (silentMs > PACE.stallMs) giveUp(malformed('stopped coming'));
    else if (awaitedMs + silentMs > PACE.stallMs + bytes / PACE.bytesPerMs || nowMs - beginMs > PACE.maxMs)
      giveUp(malformed(`comes too slowly; send at least ${PACE.bytesPerMs * 1000} bytes a second`));
    else if (awaitedSinceMs === null && waiting.size > 0 && nowMs - progressMs > PACE.readMs)
      giveUp(malformed('takes too long to read'));
  };
  const looks = setInterval(look, PACE.stallMs / 10).unref();

  const noteProgress = (): void => {
    payRest(payer);
    progressMs = performance.now();
  };

  const guard = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      progressMs = performance.now();
      waiting.add(reject);
      const settle = (pass: () => void): void => {
        noteProgress();
        waiting.delete(reject);
        pass();
      };
      work.then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => settle(() => reject(error)),
      );
      if (reason !== null) reject(reason);
    });

  async function* read<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await guard(iterator.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // A source that hangs does not respond to this either.
      await guard(Promise.resolve(iterator.return?.()));
    }
  }

  return {
    bytes: () => bytes,
    silentMs: () => silentMsAt(performance.now()),
    awaitBytes() {
      awaitedSinceMs = performance.now();
    },
    addBytes(more) {
      bytes += more;
      noteProgress();
      awaitedMs += progressMs - (awaitedSinceMs ?? progressMs);
      awaitedSinceMs = null;
    },
    giveUp,
    guard,
    read,
    end: () => clearInterval(looks),
  };
};
