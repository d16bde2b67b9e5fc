/** Draws a code with a slug that its account chose, before the link gets it. */
import type { Link } from '../../../../db/tables/links.ts';
import { fieldError } from '../../../../errors.ts';
import { noTimings } from '../../../../generate/parts.ts';
import type { NewSlug } from '../../../../links/edit.ts';
import { checkOwnSlug } from '../../../../links/own-slug.ts';
import { requireCode } from '../../../auth/require-found.ts';
import type { Need } from '../../services.ts';

/**
 * Checks a slug that was chosen for a link, and grades the picture of its code with it. A slug that the link has
 * already needs no drawing, and may be the one that it was made with. Drawing counts as free work.
 *
 * @throws {AppError} 400 when the slug is malformed, is reserved, or does not fit the symbol; 404 when the link is
 *   deleted.
 */
export const readNewSlug = async (
  { database: { sql }, redraw, freeWork }: Need<'database' | 'freeWork' | 'redraw'>,
  link: Link,
  written: string,
): Promise<NewSlug | null> => {
  if (written === link.slug) return null;
  const checked = checkOwnSlug(written);
  if (!checked.ok && written !== link.firstSlug) throw fieldError('slug', checked.fault);
  const chosen = checked.ok ? checked.value : { slug: written, skeleton: written };
  const code = await requireCode(sql, link.accountId, link.codeId);
  const sketched = redraw.sketch({ ...code, slug: written }, 'png');
  if (!sketched.ok) {
    const { field, message } = sketched.fault;
    throw fieldError('slug', `the code cannot be drawn with it: ${field} ${message}`);
  }
  freeWork.admit(link.accountId);
  const { grade, warnings } = await redraw.draw(link.accountId, sketched.value, noTimings());
  return { ...chosen, grade, warnings };
};
