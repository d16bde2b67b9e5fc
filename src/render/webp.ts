import { setTimeout as sleep } from 'node:timers/promises';
import sharp, { type Sharp } from 'sharp';
import { AppError } from '../errors.ts';
import { createAdmission } from '../limits/admission.ts';

/** Two pictures of 64 MiB leave two of libuv's four threads for everything else. */
const LIMITS = {
  maxRunning: 2,
  maxRunningPerKey: 1,
  maxWaiting: 64,
  maxWaitingPerKey: 16,
  maxWaitMs: 10_000,
};

/**
 * Creates a writer of lossless WebP, and of smaller PNGs, from PNGs that were drawn here. The number of pictures in
 * progress is bounded.
 */
export const createWebpWriter = () => {
  const limiter = createAdmission(LIMITS);

  const convert = async (
    accountId: string,
    timings: { drawnMs: number },
    picture: Sharp,
    busy: string,
  ): Promise<Uint8Array> => {
    const converted = await limiter.run(accountId, async () => {
      const startedMs = performance.now();
      const bytes = await picture.toBuffer();
      timings.drawnMs += performance.now() - startedMs;
      return bytes;
    });
    if (converted === null) throw new AppError('overloaded', busy, { retryAfterS: 1 });
    return converted;
  };

  return {
    /**
     * Adds what that took to the drawn milliseconds.
     *
     * @throws {AppError} 503 when too many are under way.
     */
    write: (png: Uint8Array, accountId: string, timings: { drawnMs: number }): Promise<Uint8Array> => {
      const picture = sharp(png).webp({ lossless: true, effort: 2 });
      const busy = 'Too many WebP pictures are under way; try again, or ask for PNG.';
      return convert(accountId, timings, picture, busy);
    },
    /** Returns a PNG whose longer side is at most as long. As `write` otherwise. */
    shrink: (
      png: Uint8Array,
      sidePx: number,
      accountId: string,
      timings: { drawnMs: number },
    ): Promise<Uint8Array> => {
      const size = { width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: true } as const;
      return convert(
        accountId,
        timings,
        sharp(png).resize(size).png(),
        'Too many previews are under way; try again.',
      );
    },
    close: (): void => limiter.close(),
  };
};

/** Writes WebP; see `createWebpWriter`. */
export type WebpWriter = ReturnType<typeof createWebpWriter>;

const BUSY_PAUSE_MS = 500;
const BUSY_TRIES = 60;

/**
 * Writes a WebP for background work.
 *
 * @param onDrawn Called with the milliseconds that it took.
 * @throws When the queue of the writer stays full for half a minute.
 */
export const writePatiently = async (
  webp: Pick<WebpWriter, 'write'>,
  png: Uint8Array,
  accountId: string,
  onDrawn: (drawnMs: number) => void = () => {},
): Promise<Uint8Array> => {
  for (let tries = 0; tries < BUSY_TRIES; tries += 1) {
    const timings = { drawnMs: 0 };
    const bytes = await webp.write(png, accountId, timings).catch((error: unknown) => {
      if (error instanceof AppError) return null;
      throw error;
    });
    onDrawn(timings.drawnMs);
    if (bytes !== null) return bytes;
    await sleep(BUSY_PAUSE_MS);
  }
  throw new Error('the queue of the WebP writer was full for half a minute');
};
