/** What accounts find their codes by: tags, and ids of their own. */

import Type, { type Static } from 'typebox';
import { toTag } from '../../../db/tables/code-lists/tags.ts';
import type { CodeFilter } from '../../../db/tables/code-lists/walks.ts';
import { fieldError } from '../../../errors.ts';
import { ExternalId, Tags } from '../../../generate/request/code-request.ts';
import { readTags } from '../../../generate/save/asked.ts';
import { orNull } from '../../../stored-json.ts';
import { Uuid } from '../atoms.ts';

/** The fields in answers about codes and links. */
export const labelFields = {
  external_id: orNull(Type.String({ description: 'Your own id for it; null: none.' })),
  tags: Type.Array(Type.String()),
};

/** The fields in requests that change them. */
export const labelChanges = {
  external_id: Type.Optional(orNull(ExternalId)),
  tags: Type.Optional(Tags),
};

/** Returns the changes that a validated body asks for. @throws {AppError} 400 for a tag that a code cannot have. */
export const readLabelChanges = ({
  external_id: externalId,
  tags,
}: {
  readonly external_id?: string | null;
  readonly tags?: readonly string[];
}) => ({
  ...(externalId !== undefined && { externalId }),
  ...(tags !== undefined && { tags: readTags(tags) }),
});

/** A tag by which codes are found. */
export const TagFilter = Type.String({ maxLength: 200 });

/** Returns a tag as it is stored. @throws {AppError} 400 when no code can have it. */
export const readTag = (text: string, code: 'invalid_body' | 'invalid_query'): string => {
  const tag = toTag(text);
  if (!tag.ok) throw fieldError('tag', tag.fault, code);
  return tag.value;
};

/** The filters of lists of codes and links. */
export const codeFilters = {
  folder_id: Type.Optional({ ...Uuid, description: 'Only those of this folder.' }),
  tag: Type.Optional({ ...TagFilter, description: 'Only those with this tag.' }),
  external_id: Type.Optional({ ...ExternalId, description: 'Only those with this id of your own.' }),
};

const FilterQuery = Type.Object(codeFilters);

/** Returns what a validated query filters by. @throws {AppError} 400 when no code can have the tag. */
export const readCodeFilters = ({
  folder_id: folderId,
  tag,
  external_id: externalId,
}: Static<typeof FilterQuery>): Pick<CodeFilter, 'folderId' | 'tag' | 'externalId'> => ({
  ...(folderId !== undefined && { folderId }),
  ...(tag !== undefined && { tag: readTag(tag, 'invalid_query') }),
  ...(externalId !== undefined && { externalId }),
});
