/** Schemas and bodies of saved codes, and of what accounts find them by: tags, and ids of their own. */

import Type, { type Static } from 'typebox';
import type { Sql } from '../../db/client.ts';
import type { StoredCode } from '../../db/tables/codes/codes.ts';
import type { CodeFilter } from '../../db/tables/codes/walks.ts';
import { toCodeName, toTag } from '../../db/tables/names.ts';
import { type ScanCounts, scanTotals } from '../../db/tables/scans/scans.ts';
import { hostAt, type ShortUrl } from '../../domains/place.ts';
import { fieldError } from '../../errors.ts';
import { ExternalId, Tags } from '../../generate/request/code-request.ts';
import { PictureOptions } from '../../generate/request/picture-options.ts';
import { readTags } from '../../generate/save/request.ts';
import { orNull } from '../../stored-json.ts';
import { Version, versionOf } from '../files/versions.ts';
import { fieldsOf, Grade, strict, Timestamp, Uuid, Warnings } from './atoms.ts';
import { withDefaultsFilledIn } from './openapi/document.ts';

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

/** A code in a list. */
export const CodeBody = Type.Object(
  {
    id: Uuid,
    name: orNull(Type.String({ description: 'Your name for it; null: none.' })),
    ...labelFields,
    content: Type.String({ description: 'What was sent as `data`.' }),
    dynamic: Type.Boolean(),
    slug: orNull(Type.String({ description: 'The slug of its short link; null: it is not dynamic.' })),
    domain: orNull(
      Type.String({
        description: 'The own domain of its short link; null: that of the service, or no link.',
      }),
    ),
    short_url: orNull(
      Type.String({ description: 'Its short link, which the code encodes; null: it is not dynamic.' }),
    ),
    destination: orNull(Type.String({ description: 'The current destination.' })),
    scan_count: Type.Integer({ description: 'Scans of its short link by people.' }),
    width: Type.Integer(),
    height: Type.Integer(),
    grade: orNull(Grade, { description: 'null: its link was imported, and it has no picture yet.' }),
    warnings: Warnings,
    created_at: Timestamp,
    etag: Version,
    folder_id: Uuid,
  },
  { title: 'Code' },
);

/** A code with the options that draw it again. */
export const CodeWithDesign = Type.Object(
  { ...CodeBody.properties, design: withDefaultsFilledIn(PictureOptions, 'Design') },
  { title: 'CodeWithDesign' },
);

/** What may change about a code, apart from its design. An absent field stays as it is. */
export const CodePatch = Type.Object(
  {
    name: Type.Optional(
      orNull(Type.String({ maxLength: 1000 }), {
        description: 'Trimmed, 1 to 200 characters; null: no name.',
      }),
    ),
    folder_id: Type.Optional({ ...Uuid, description: 'One of your folders.' }),
    ...labelChanges,
  },
  { ...strict, minProperties: 1, title: 'CodePatch', examples: [{ name: 'Poster at the harbour' }] },
);

/** The most codes that one call may choose. */
export const CHOSEN_MAX = 1000;

/** The limit of a body with so many ids. */
export const CHOSEN_BODY_BYTES = 64 * 1024;

/** An id, for examples. */
export const EXAMPLE_ID = '9d1e8f6a-3c1d-4b52-9f0e-6a7f5c2b8d41';

/** The ids of chosen codes. */
const Ids = Type.Array(Uuid, {
  minItems: 1,
  maxItems: CHOSEN_MAX,
  description: 'Ids of your codes. If any of them is not yours, the whole call fails with a 404.',
});

/** The fields by which codes are chosen: one of them. `chosenIds` reads them. */
export const chosenFields = {
  ids: Type.Optional(Ids),
  tag: Type.Optional({
    ...TagFilter,
    description: `Instead of \`ids\`: your codes with this tag, at most ${CHOSEN_MAX}.`,
  }),
};

/** A request about chosen codes. */
export const ChosenCodes = Type.Object(chosenFields, {
  ...strict,
  title: 'ChosenCodes',
  examples: [{ ids: [EXAMPLE_ID] }],
});

/** A request about codes that are chosen by their ids alone. */
export const ChosenIds = Type.Object(
  { ids: Ids },
  { ...strict, title: 'ChosenIds', examples: [{ ids: [EXAMPLE_ID] }] },
);

/** Returns the chosen ids, each once. */
export const idsOf = ({ ids }: { readonly ids: readonly string[] }): readonly string[] => [
  ...new Set(ids.map((id) => id.toLowerCase())),
];

/** Returns a code's name as it is stored; `null`: none. @throws {AppError} 400. */
export const readCodeName = (text: string | null): string | null => {
  if (text === null) return null;
  const checked = toCodeName(text);
  if (!checked.ok) throw fieldError('name', checked.fault);
  return checked.value;
};

/** Returns the version of a code. Its link has one of its own. */
export const codeVersion = ({ name, externalId, tags, folderId, design, logoSha256 }: StoredCode): string =>
  versionOf({ name, externalId, tags, folderId, design, logo: logoSha256?.toString('hex') });

const toCodeBody = (code: StoredCode, shortUrl: ShortUrl, counts: ScanCounts | undefined) => ({
  ...fieldsOf(
    code,
    'id',
    'folderId',
    'name',
    'externalId',
    'tags',
    'content',
    'dynamic',
    'slug',
    'destination',
  ),
  ...fieldsOf(code, 'grade', 'warnings', 'createdAt'),
  domain: hostAt(code.place),
  short_url: code.slug === null ? null : shortUrl(code.slug, code.place),
  scan_count: counts?.people ?? 0,
  width: code.widthPx,
  height: code.heightPx,
  etag: codeVersion(code),
});

/** Returns the bodies of codes with the numbers of their scans, which are read in one query. */
export const withScans = async (sql: Sql, codes: readonly StoredCode[], shortUrl: ShortUrl) => {
  const slugs = codes.flatMap(({ firstSlug }) => firstSlug ?? []);
  const totals = await scanTotals(sql, slugs);
  return codes.map((code) => toCodeBody(code, shortUrl, totals.get(code.firstSlug ?? '')));
};
