/** The new design of a saved code, before it is written. */
import type { FastifyReply } from 'fastify';
import type { StoredCode } from '../../../../db/tables/codes/codes.ts';
import type { GradeTerms } from '../../../../generate/parts.ts';
import { NO_PICTURE } from '../../../../generate/redraw.ts';
import { refuse } from '../../../../generate/refusals.ts';
import { findDynamicGs1Fault } from '../../../../generate/request/gs1.ts';
import { toImageOption } from '../../../../generate/request/options.ts';
import type { PictureOptions } from '../../../../generate/request/picture-options.ts';
import type { RunCheck } from '../../../limits/places.ts';
import type { Need } from '../../services.ts';

/** What drawing a saved code in another design needs. */
export type RestyleParts = Need<'linkRules' | 'redraw' | 'restyle'> & { readonly runCheck: RunCheck };

/** Returns the logo of a saved code, or `null`. */
export const savedLogo = async (
  { redraw }: Need<'redraw'>,
  accountId: string,
  { logoSha256 }: Pick<StoredCode, 'logoSha256'>,
) => (logoSha256 === null ? null : ((await redraw.findLogo(accountId, logoSha256.toString('hex'))) ?? null));

/**
 * Returns a design that a saved code can be drawn in, with its logo and grade.
 *
 * @param kept The saved logo: it is taken if the options name it exactly as it was shown, so that not even rounding
 *   changes it. `null`: the code has none.
 * @throws {AppError} What `createRestyle` throws, and 400 for a code that has no picture yet.
 */
export const restyleCode = async (
  { linkRules, restyle, runCheck }: RestyleParts,
  reply: FastifyReply,
  accountId: string,
  code: StoredCode,
  options: PictureOptions,
  kept: Awaited<ReturnType<typeof savedLogo>>,
  terms: GradeTerms,
) => {
  if (code.grade === null) throw refuse(NO_PICTURE);
  const gs1Fault = code.slug === null ? null : findDynamicGs1Fault(options.qrOptions ?? {});
  if (gs1Fault !== null) throw refuse(gs1Fault);
  const text = code.slug === null ? code.content : linkRules.shortUrl(code.slug, code.place);
  const isKept =
    kept !== null && options.image !== undefined && toImageOption(kept.logo).image === options.image;
  const drawn = await runCheck(reply, accountId, (timings) =>
    restyle({ text, options, kept: isKept ? kept : null }, accountId, terms, timings),
  );
  const { found } = drawn;
  const logo = found === null ? null : { ...found.logo, sha256: Buffer.from(found.sha256, 'hex') };
  return { ...drawn, logo };
};
