/** The body of a call that saves one code. */

import type { Static } from 'typebox';
import Type from 'typebox';
import { TAG_MAX_CHARACTERS, TAGS_MAX } from '../../db/tables/names.ts';
import { LINE } from '../../validation/formats.ts';
import { Data, PictureOptions, strict } from './picture-options.ts';

/** The id that an account has for a code in a system of its own. */
export const ExternalId = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: LINE,
  description: 'Your own id for the code; several may have the same one.',
});

/** Tags of a code. `toTags` checks them. */
export const Tags = Type.Array(Type.String({ maxLength: 200 }), {
  title: 'Tags',
  maxItems: TAGS_MAX,
  description: `At most ${TAGS_MAX}, each once: trimmed, 1 to ${TAG_MAX_CHARACTERS} characters.`,
});

/** Body of `POST /api/v1/codes`. */
export const CodeRequest = Type.Object(
  {
    data: Data,
    ...PictureOptions.properties,
    dynamic: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Encode a short link to `data`; its destination can be changed later.',
      }),
    ),
    slug: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'A slug of your own for the short link of a dynamic code.',
      }),
    ),
    name: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Your name for the code: trimmed, 1 to 200 characters.' }),
    ),
    folder_id: Type.Optional(Type.String({ format: 'uuid', description: 'One of your folders.' })),
    folder_name: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'A folder of this name is made or reused. If this and `folder_id` are absent: `Codes`.',
      }),
    ),
    tags: Type.Optional(Tags),
    external_id: Type.Optional(ExternalId),
    external_id_unique: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Refuses the call with a 409 when one of your codes has this `external_id`. Codes in the bin do not count.',
      }),
    ),
  },
  {
    ...strict,
    title: 'CodeRequest',
    examples: [
      {
        data: 'https://example.com/menu',
        dynamic: true,
        name: 'Menu, table 7',
        folder_name: 'Tables',
        tags: ['summer', 'terrace'],
        external_id: 'table-7',
        width: 600,
        height: 600,
      },
    ],
  },
);
/** A validated body of `POST /api/v1/codes`. */
export type CodeRequest = Static<typeof CodeRequest>;
