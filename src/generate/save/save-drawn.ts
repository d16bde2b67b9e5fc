/** Saves drawn codes: what single calls and bulk calls have in common. */
import type { Design } from '../../../workers/protocol.ts';
import { isIndeterminate } from '../../db/faults.ts';
import type { NewCode } from '../../db/tables/codes/codes.ts';
import type { BulkStore, NotSaved, Saved, Saving } from '../../db/tables/saving.ts';
import type { OwnSlug } from '../../db/tables/slugs.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import type { Graded } from '../quality/graded.ts';
import { tookTooLong } from '../refusals.ts';
import { type FolderChoice, unknownFolder } from './request.ts';

export interface DrawnCode extends Graded {
  /** Its place among the codes of its call or batch. */
  readonly position: number;
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

/** Returns what is saved of a drawn code. */
export const toNewCode = (code: DrawnCode): NewCode => {
  const { name = null, externalId = null, tags = [], ownSlug = null } = code;
  const { position, content, slug, destination, design, found, grade, warnings } = code;
  return {
    ...{ position, content, name, externalId, tags, design, grade, warnings },
    link: slug === null || destination === null ? null : { slug, destination, own: ownSlug },
    logo: found === null ? null : { ...found.logo, sha256: Buffer.from(found.sha256, 'hex') },
  };
};

/** Nothing is saved, because these slugs are taken. */
export type SlugsTaken = Extract<NotSaved, { readonly kind: 'slugs taken' }>;

/** What became of codes. Those whose slug or external id is taken are not saved; for the others see `Made`. */
export type Attempt =
  | { readonly kind: 'saved'; readonly saved: Saved }
  | SlugsTaken
  | Extract<NotSaved, { readonly kind: 'id taken' }>
  | { readonly kind: 'answered before' }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/**
 * Saves the codes of a call.
 *
 * @param fields Those that name the folder.
 * @throws {AppError} 400 when the folder is gone, 503 when the units went back meanwhile.
 */
export const saveDrawn = async (
  store: Pick<BulkStore, 'save'>,
  saving: Omit<Saving, 'codes'>,
  drawn: readonly DrawnCode[],
  fields: FolderChoice['fields'],
): Promise<Attempt> => {
  const saved = await store.save({ ...saving, codes: drawn.map(toNewCode) }).catch((cause: unknown) => {
    if (isIndeterminate(cause)) return { cause };
    throw cause;
  });
  if ('cause' in saved) return { kind: 'unknown', cause: saved.cause };
  if (saved.ok) return { kind: 'saved', saved: saved.value };
  const { fault } = saved;
  switch (fault.kind) {
    case 'saved before':
      return { kind: 'answered before' };
    case 'given up':
      throw tookTooLong();
    case 'folder gone':
      throw unknownFolder({ fields });
    default:
      return fault;
  }
};
