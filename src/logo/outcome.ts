import type { Fault, Logo } from '../../workers/protocol.ts';
import { type Refused, type Result, refused } from '../result.ts';

/**
 * Where a logo was turned away; also the metric label.
 *
 * `busy` is the only one that is ours (503 and a refund). `spent`: too much was done in vain for the account (429).
 * Everything else is the caller's (400).
 */
export type LogoStage = 'syntax' | 'type' | 'size' | 'decode' | 'svg' | 'fetch' | 'busy' | 'spent';

/** Why a logo is not used. `field` is `image`; callers put the item's path before it. */
export interface LogoFault extends Fault {
  readonly stage: LogoStage;
}

/** A logo and what identifies it. */
export interface FoundLogo {
  /**
   * `png` is shared by every request that uses the logo, and marked as not transferable. `widthPx` and
   * `heightPx` are the natural size (upright; user units of an SVG, so fractions occur), which decides how the
   * logo is placed. The PNG has that aspect ratio to within half a pixel, at most 1024 px a side.
   */
  readonly logo: Logo;
  /** Identifies `logo`: of the PNG and the natural size, hexadecimal. */
  readonly sha256: string;
}

export type LogoOutcome = Result<FoundLogo, LogoFault>;

export const refuse = (stage: LogoStage, message: string): Refused<LogoFault> =>
  refused({ stage, field: 'image', message });

/** Not the caller's fault; never kept in a cache. */
export const BUSY = refuse('busy', 'too many logos are being prepared; try again in a moment');

/** The account has had too many logos prepared for nothing; never kept in a cache. */
export const SPENT = refuse('spent', 'too many logos of this account failed; wait, and correct them');

/** Roughly what an outcome and its key occupy in a cache. */
export const outcomeBytes = (outcome: LogoOutcome, key: string): number =>
  500 + key.length + (outcome.ok ? outcome.value.logo.png.byteLength : 0);
