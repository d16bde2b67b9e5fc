/** Checks the options of a preset as a call checks its own, so that what is stored can be drawn. */
import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Parts } from '../generate/parts.ts';
import { refuse } from '../generate/refusals.ts';
import { toDesign } from '../generate/request/design.ts';
import { toImageOption } from '../generate/request/options.ts';
import type { PictureOptions } from '../generate/request/picture-options.ts';
import { findLogo, isRemote } from '../generate/steps.ts';
import { planPicture } from '../generate/task.ts';
import type { FoundLogo } from '../logo/outcome.ts';

/** What checking needs. */
export type CheckParts = Pick<Parts, 'logos' | 'pool' | 'freeWork'>;

/** Options that can be drawn, and their logo apart. */
export interface Checked {
  /** Without `image`. */
  readonly options: object;
  /** A data URI; `null` without a logo. */
  readonly image: { readonly text: string; readonly sha256: Buffer } | null;
}

/** The shortest content of each mode, and of each kind of GS1 data: a design that cannot hold it holds nothing. */
const SHORTEST = { Numeric: '0', Alphanumeric: 'A', Byte: 'a', Kanji: '漢' } as const;
const SHORTEST_GS1 = { 'digital-link': 'HTTP://A/8004/0000', 'element-string': '(8002)0' } as const;

const shortestFor = ({ mode = 'Byte', gs1 }: PictureOptions['qrOptions'] & object): string =>
  gs1 === undefined ? SHORTEST[mode] : SHORTEST_GS1[gs1];

/** A call names its field; a preset has it within `options`. */
const inOptions = (error: unknown): never => {
  if (!(error instanceof AppError) || error.code !== 'invalid_body') throw error;
  throw new AppError(error.code, `options.${error.details}`);
};

/** A logo by URL is kept as it is now, as those of saved codes are. */
const toImage = (image: string, { logo }: FoundLogo): string => {
  if (!isRemote(image)) return image;
  const kept = toImageOption(logo).image;
  if (kept === undefined) throw refuse({ field: 'image', message: 'is too large; send a smaller logo' });
  return kept;
};

const check = async (parts: CheckParts, accountId: string, written: PictureOptions): Promise<Checked> => {
  const { image, ...options } = written;
  const found = await findLogo(parts, accountId, image, true);
  const text = shortestFor(options.qrOptions ?? {});
  const plan = planPicture(text, toDesign(options), found?.logo ?? null);
  if (!plan.ok) throw refuse(plan.fault);
  if (image === undefined || found === null) return { options, image: null };
  const kept = toImage(image, found);
  return { options, image: { text: kept, sha256: createHash('sha256').update(kept).digest() } };
};

/**
 * Returns validated options in the form in which they are stored. Finding the logo counts as free work.
 *
 * @throws {AppError} 400 when they cannot be drawn, 429 when the account has used up its free work, 503 when too many
 *   logos are being prepared.
 */
export const checkOptions = (
  parts: CheckParts,
  accountId: string,
  written: PictureOptions,
): Promise<Checked> => check(parts, accountId, written).catch(inOptions);
