/** The slugs that visitors asked of a domain in vain. */
import Type, { type Static } from 'typebox';
import { UNKNOWN_SLUGS_MAX, type UnknownSlug } from '../../../db/tables/domains/unknown-slugs.ts';
import { fieldsOf, strict, Timestamp } from '../atoms.ts';

export const UnknownQuery = Type.Object(
  { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: UNKNOWN_SLUGS_MAX, default: 100 })) },
  strict,
);

export const UnknownSlugsBody = Type.Object(
  {
    requests: Type.Integer({
      description: 'All requests for unknown slugs, also for those that are not listed.',
    }),
    data: Type.Array(
      Type.Object(
        { slug: Type.String(), requests: Type.Integer(), first_at: Timestamp, last_at: Timestamp },
        { title: 'UnknownSlug' },
      ),
    ),
  },
  { title: 'UnknownSlugs' },
);

export const toUnknownBody = (
  requests: number,
  slugs: readonly UnknownSlug[],
): Static<typeof UnknownSlugsBody> => ({
  requests,
  data: slugs.map((slug) => fieldsOf(slug, 'slug', 'requests', 'firstAt', 'lastAt')),
});
