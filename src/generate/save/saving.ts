/** What calls that save codes have in common, single ones and bulk calls. */
import type { Design } from '../../../workers/protocol.ts';
import { isIndeterminate } from '../../db/faults.ts';
import type { NewCode } from '../../db/tables/codes/codes.ts';
import { toFolderName } from '../../db/tables/names.ts';
import type { BulkStore, Folder, NotSaved, Saved, Saving } from '../../db/tables/saving.ts';
import type { OwnSlug } from '../../db/tables/slugs.ts';
import { type AppError, type ErrorCode, fieldError } from '../../errors.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import { tookTooLong } from '../refusals.ts';

/** How a request names its folder: the fields, and what they say. */
export interface FolderChoice {
  readonly fields: { readonly id: string; readonly name: string };
  readonly id: string | undefined;
  /** A folder of this name is made when the codes are saved, if it is missing. */
  readonly name: string | undefined;
  /** The name when the request says nothing. */
  readonly usual: string;
  /** The code of its faults; absent: that of a body. */
  readonly code?: ErrorCode;
}

/** The same text whether the folder is missing or another account's, so that nobody can probe for folders. */
const unknownFolder = ({ fields, code }: Pick<FolderChoice, 'fields' | 'code'>): AppError =>
  fieldError(fields.id, 'must be the id of one of your folders', code);

/** Returns the folder of a call. One that is given by its id must exist. @throws {AppError} 400. */
export const chooseFolder = async (
  store: Pick<BulkStore, 'hasFolder'>,
  accountId: string,
  choice: FolderChoice,
): Promise<Folder> => {
  const { fields, id, name, usual, code } = choice;
  if (id !== undefined && name !== undefined)
    throw fieldError(fields.name, `must not be given together with ${fields.id}`, code);
  if (id !== undefined) {
    if (await store.hasFolder(accountId, id)) return { id };
    throw unknownFolder(choice);
  }
  const checked = toFolderName(name ?? usual);
  if (!checked.ok) throw fieldError(fields.name, checked.fault, code);
  return { name: checked.value };
};

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
  { name = null, externalId = null, tags = [], ownSlug = null, ...code }: DrawnCode,
  { grade, warnings }: Pick<NewCode, 'grade' | 'warnings'>,
  position: number,
): NewCode => {
  const { content, slug, destination, design, found } = code;
  return {
    ...{ position, content, name, externalId, tags, design, grade, warnings },
    link: slug === null || destination === null ? null : { slug, destination, own: ownSlug },
    logo: found === null ? null : { ...found.logo, sha256: Buffer.from(found.sha256, 'hex') },
  };
};

/** What became of codes. Those whose slug or external id is taken are not saved; for the others see `Kept`. */
export type Attempt =
  | { readonly kind: 'saved'; readonly saved: Saved }
  | Extract<NotSaved, { readonly kind: 'slugs taken' | 'id taken' }>
  | { readonly kind: 'answered before' }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/**
 * Saves the codes of a call.
 *
 * @param fields Those that name the folder.
 * @throws {AppError} 400 when the folder is gone, 503 when the units went back meanwhile.
 */
export const trySave = async (
  store: Pick<BulkStore, 'save'>,
  saving: Saving,
  fields: FolderChoice['fields'],
): Promise<Attempt> => {
  const saved = await store.save(saving).catch((cause: unknown) => {
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
