import type { Config } from '../config/config.ts';
import type { Parts } from '../generate/parts.ts';
import { createFreeWork } from '../limits/free-work.ts';
import type { Log } from '../log.ts';
import { createLogoFitter } from '../logo/fit.ts';
import { createLogoSource } from '../logo/source.ts';
import type { Quota } from '../quota/quota.ts';
import { createRenderPool } from '../render/pool.ts';
import { createResultCache } from '../render/result-cache.ts';
import { createWebpWriter } from '../render/webp.ts';

const RESULT_CACHE_MAX_BYTES = 64 * 1024 * 1024;
const LOGO_CACHE_MAX_BYTES = 64 * 1024 * 1024;
const FITTED_LOGOS_MAX_BYTES = 32 * 1024 * 1024;

/**
 * Builds what every use case draws with, and starts the render threads: wait for `pool.ready` before the first request.
 */
export const createDrawing = (config: Config, quota: Quota, log: Log, onStuck: () => void) => {
  const freeWork = createFreeWork(config.freeWorkMsPerSecond);
  const logoOptions = { ...config.logo, cacheMaxBytes: LOGO_CACHE_MAX_BYTES, allowance: freeWork };
  return {
    quota,
    freeWork,
    pool: createRenderPool({ ...config.render, onStuck }, log),
    cache: createResultCache({ maxBytes: RESULT_CACHE_MAX_BYTES }),
    logos: createLogoSource(logoOptions, log),
    fitLogo: createLogoFitter(FITTED_LOGOS_MAX_BYTES),
    webp: createWebpWriter(),
    log,
    // A reservation must outlive the work that it pays for.
    deadlineMs: config.quota.reservationTtlMs / 2,
  } satisfies Parts;
};

/** The result of `createDrawing`. */
export type Drawing = ReturnType<typeof createDrawing>;
