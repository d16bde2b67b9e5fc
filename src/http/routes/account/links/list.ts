import Type from 'typebox';
import { getLinks } from '../../../../db/tables/links.ts';
import type { LinkRules } from '../../../../generate/bulk/items.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { pageSchema, strict } from '../../../schemas/atoms.ts';
import { findListed, type ListParts, listQuery } from '../codes/listed.ts';
import { LinkBody, StatusField, toLinkBodies } from './body.ts';

const LinksQuery = Type.Object(
  {
    ...listQuery(
      'Only links that this text is a part of: of the content or name of the code, an own slug or the present destination, in upper or lower case.',
    ),
    status: Type.Optional({
      ...StatusField,
      description:
        'Only links that lead to their destination now (`active`), later (`scheduled`) or no longer (`expired`).',
    }),
  },
  strict,
);

/** Adds the route that lists short links. */
export const linkListRoute = ofAccount(
  { tag: 'Links', name: 'links' },
  (route, parts: ListParts & { readonly linkRules: LinkRules }) => {
    const { sql } = parts.database;

    route('GET /links', {
      operationId: 'listLinks',
      summary: 'Your short links, in the order that you choose',
      description:
        'With `search`, `tag` or `status`, or sorted by name or scans, a page may be short or empty even if `next_cursor` is not null, as in the list of codes.',
      querystring: LinksQuery,
      answer: pageSchema(LinkBody),
      fails: [404],
      handle: async ({ query }, { accountId }, reply) => {
        const { status } = query;
        const also = { isDynamic: true, ...(status !== undefined && { linkStatus: status }) };
        const { rows, next } = await findListed(parts, accountId, reply, query, also);
        const slugs = rows.flatMap(({ firstSlug }) => firstSlug ?? []);
        const links = new Map(
          (await getLinks(sql, accountId, slugs)).map((link) => [link.firstSlug, link] as const),
        );
        const listed = slugs.flatMap((slug) => links.get(slug) ?? []);
        return { data: await toLinkBodies(sql, listed, parts.linkRules.shortUrl), next_cursor: next };
      },
    });
  },
);
