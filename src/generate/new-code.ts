import type { Design } from '../../workers/protocol.ts';
import type { NewCode } from '../db/tables/codes/codes.ts';
import type { OwnSlug } from '../db/tables/slugs.ts';
import type { FoundLogo } from '../logo/outcome.ts';

export interface DrawnCode {
  readonly name?: string | null;
  readonly externalId?: string | null;
  readonly tags?: readonly string[];
  readonly content: string;
  /** The short link and where it leads; `null` when the code is not dynamic. */
  readonly slug: string | null;
  readonly destination: string | null;
  /** The slug that the account chose for the link, which the code encodes; absent or `null`: none. */
  readonly ownSlug?: OwnSlug | null;
  readonly design: Design;
  readonly found: FoundLogo | null;
}

/** Returns what is saved of a drawn code. @param position Its place among the codes that are saved together. */
export const toNewCode = (
  {
    name = null,
    externalId = null,
    tags = [],
    content,
    slug,
    destination,
    ownSlug = null,
    design,
    found,
  }: DrawnCode,
  { grade, warnings }: Pick<NewCode, 'grade' | 'warnings'>,
  position: number,
): NewCode => ({
  position,
  content,
  name,
  externalId,
  tags,
  link: slug === null || destination === null ? null : { slug, destination, own: ownSlug },
  design,
  logo: found === null ? null : { ...found.logo, sha256: Buffer.from(found.sha256, 'hex') },
  grade,
  warnings,
});
