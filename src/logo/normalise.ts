import { createHash } from 'node:crypto';
import { markAsUntransferable } from 'node:worker_threads';
import type { LogoVector } from '../../workers/protocol.ts';
import { createAdmission } from '../limits/admission.ts';
import type { Log } from '../log.ts';
import { ok } from '../result.ts';
import { normaliseBitmap } from './bitmap.ts';
import {
  type Allowance,
  BUSY,
  createOutcomes,
  type LogoOutcome,
  refuse,
  SPENT,
  THREAD_START_MS,
} from './outcome.ts';
import { type Size, sniff } from './sniff.ts';
import { createSvgRaster, type SvgOutcome } from './svg/raster.ts';

/** Bounds of decoding, and who counts what it costs. */
export interface NormaliseOptions {
  readonly cacheMaxBytes: number;
  /** A drawing that takes more processor time is stopped and refused. */
  readonly svgTimeoutMs: number;
  /** A drawing that has not ended by then is stopped, and may be sent again. */
  readonly svgWaitMs: number;
  /** Bound on the rasteriser's memory; a multiple of 64 KiB. */
  readonly svgMaxMemoryBytes: number;
  readonly allowance: Allowance;
}

/** The part of the log that finding logos needs. */
export type LogoLog = Pick<Log, 'debug' | 'warn'>;

/** A logo that is not decoded yet. */
export interface LogoSourceBytes {
  /** Hash of what was sent. The same id means the same logo. */
  readonly id: string;
  readonly isSvg: boolean;
  readonly accountId: string;
  /** The call costs no units, so the work counts against the allowance even when the logo can be used. */
  readonly isFree: boolean;
  /** Called at the logo's turn, so that logos that wait hold no decoded copies. `null`: not base64. */
  readonly load: () => Buffer | null;
}

/** How long a fault of a logo is kept. One that a busy machine may have caused is not kept. */
const FAULT_TTL_MS = 30_000;
const SVG_IDLE_MS = 60_000;

/** A whole bulk call of a hundred different logos may wait. */
const WAITING = { maxWaiting: 512, maxWaitingPerKey: 128, maxWaitMs: 10_000 };
/** Two decoders of 64 MiB each leave two of libuv's four threads for everything else. */
const BITMAP_LIMITS = { maxRunning: 2, ...WAITING };
const SVG_LIMITS = { maxRunning: 1, ...WAITING };

const NO_BASE64 = refuse('syntax', 'data URI is not well-formed base64');
const NO_IMAGE = refuse('type', 'is not a PNG, JPEG, WebP, GIF or SVG');
const COMPRESSED = refuse('type', 'is compressed (svgz); send the SVG itself');
const TOO_SLOW = refuse('svg', 'takes too long to draw; simplify it, its filters above all, or send a PNG');
const NOT_DRAWN = refuse('svg', 'could not be drawn; simplify it or send a PNG');

const resolved = (
  png: Uint8Array,
  { widthPx, heightPx }: Size,
  vector: LogoVector | null = null,
): LogoOutcome => {
  const sha256 = createHash('sha256')
    .update(png)
    .update(`${widthPx} ${heightPx}${vector === null ? '' : JSON.stringify(vector)}`)
    .digest('hex');
  markAsUntransferable(png.buffer);
  return ok({ sha256, logo: { png, widthPx, heightPx, ...(vector === null ? {} : { vector }) } });
};

/** Returns the refusal of an SVG that was not drawn. */
const refuseSvg = (outcome: Exclude<SvgOutcome, { outcome: 'drawn' }>): LogoOutcome => {
  if (outcome.outcome === 'starved') return BUSY;
  if (outcome.outcome === 'timed out') return TOO_SLOW;
  if (outcome.outcome === 'broken') return NOT_DRAWN;
  return outcome.isSvg ? refuse('svg', `SVG ${outcome.message}`) : NO_IMAGE;
};

/**
 * Creates a normaliser, which turns the bytes of a logo into a small PNG. Each content is decoded once for all
 * requests, and the result is kept within `cacheMaxBytes`. Bitmaps and SVGs wait apart, so a slow SVG delays no bitmap.
 */
export const createNormaliser = (options: NormaliseOptions, log: LogoLog) => {
  const raster = createSvgRaster({
    timeoutMs: options.svgTimeoutMs,
    waitMs: options.svgWaitMs,
    maxMemoryBytes: options.svgMaxMemoryBytes,
    idleMs: SVG_IDLE_MS,
  });
  const bitmapLimiter = createAdmission(BITMAP_LIMITS);
  const svgLimiter = createAdmission(SVG_LIMITS);

  const fromSvg = async (bytes: Buffer, { id, accountId }: LogoSourceBytes): Promise<LogoOutcome> => {
    const outcome = await raster.draw(bytes);
    if (outcome.outcome === 'drawn') return resolved(outcome.png, outcome.natural, outcome.vector);
    if (outcome.outcome !== 'refused')
      log.warn({ accountId, logo: id, ...outcome }, 'SVG logo took too long; killed its thread');
    return refuseSvg(outcome);
  };

  const decode = async (source: LogoSourceBytes): Promise<LogoOutcome> => {
    const bytes = source.load();
    if (!bytes) return NO_BASE64;
    const type = sniff(bytes);
    if (type === null) return NO_IMAGE;
    if (type === 'gzip') return COMPRESSED;
    // Browsers, too, recognise bitmaps by their first bytes alone, but never read one as an SVG or the reverse.
    if (source.isSvg !== (type === 'svg')) {
      return refuse(
        'type',
        `is labelled ${source.isSvg ? 'SVG' : 'a bitmap'} but holds ${type.toUpperCase()}`,
      );
    }
    if (type === 'svg') return fromSvg(bytes, source);
    const drawn = await normaliseBitmap(bytes, type);
    return drawn.ok ? resolved(drawn.value.png, drawn.value.natural) : drawn;
  };

  const { allowance } = options;

  /** Decodes a logo, and counts the cost when no unit pays for it. */
  const decodeCounted = async (source: LogoSourceBytes): Promise<LogoOutcome> => {
    const { accountId, isFree } = source;
    if (allowance.isSpent(accountId)) return SPENT;
    const startedMs = performance.now();
    const outcome = await decode(source);
    const restartMs = outcome === TOO_SLOW || outcome === NOT_DRAWN ? THREAD_START_MS : 0;
    // On a busy machine most of the time is waiting.
    const tookMs = Math.min(performance.now() - startedMs, options.svgTimeoutMs);
    if (isFree || !outcome.ok) allowance.spend(accountId, tookMs + restartMs);
    return outcome;
  };

  const outcomes = createOutcomes({ maxBytes: options.cacheMaxBytes, faultTtlMs: FAULT_TTL_MS, allowance });

  const load = async (source: LogoSourceBytes): Promise<LogoOutcome> => {
    const limiter = source.isSvg ? svgLimiter : bitmapLimiter;
    return (await limiter.run(source.accountId, () => decodeCounted(source))) ?? BUSY;
  };

  return {
    normalise: (source: LogoSourceBytes): Promise<LogoOutcome> =>
      outcomes.find(source.id, source.accountId, () => load(source)),
    stats: () => ({
      ...outcomes.stats(),
      bitmaps: bitmapLimiter.stats(),
      svgs: { ...svgLimiter.stats(), ...raster.stats() },
    }),
    close: async (): Promise<void> => {
      bitmapLimiter.close();
      svgLimiter.close();
      await raster.close();
    },
  };
};

/** Decodes logos; see `createNormaliser`. */
export type Normaliser = ReturnType<typeof createNormaliser>;
