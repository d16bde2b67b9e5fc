/** Bodies of short links, and their list. */
import Type, { type Static } from 'typebox';
import type { Sql } from '../../../db/client.ts';
import type { LinkStatus, LinkTraits } from '../../../db/tables/codes/link-traits.ts';
import { getLinks, type Link } from '../../../db/tables/links.ts';
import { getRuleSet } from '../../../db/tables/rules/rule-sets.ts';
import { scanTotals } from '../../../db/tables/scans/scans.ts';
import { hostAt, type ShortUrl } from '../../../domains/place.ts';
import { SHARED } from '../../../generate/save/domain.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { requireDomainId, requireFound } from '../../auth/require-found.ts';
import { versionOf } from '../../files/versions.ts';
import { fieldsOf, pageSchema, strict, Uuid } from '../../schemas/atoms.ts';
import { LinkBody, LinkStatusField, toRouteFields } from '../../schemas/link.ts';
import { toScanTotals } from '../../schemas/scans.ts';
import type { Need } from '../services.ts';
import { findListed, type ListParts, linkListQuery } from './codes/lists.ts';

/** Returns the version of what calls may change about a link. */
export const linkVersion = (link: Link): string =>
  versionOf({
    ...fieldsOf(link, 'slug', 'externalId', 'tags', 'passwordHash'),
    ...toRouteFields(link),
  });

/** @param people Whom the link has led since it was made here. */
const statusOf = (link: Link, people: number, now: Date): LinkStatus => {
  const { activeFrom, activeUntil, visitLimit, importedScans } = link;
  if (activeFrom !== null && activeFrom > now) return 'scheduled';
  if (activeUntil !== null && activeUntil <= now) return 'expired';
  return visitLimit !== null && people + importedScans >= visitLimit ? 'limit_reached' : 'active';
};

/** Returns the bodies of links with the numbers of their scans, which are read in one query. */
export const toLinkBodies = async (sql: Sql, links: readonly Link[], shortUrl: ShortUrl) => {
  const totals = await scanTotals(
    sql,
    links.map(({ firstSlug }) => firstSlug),
  );
  const now = new Date();
  return links.map((link) => ({
    ...fieldsOf(link, 'slug', 'codeId', 'folderId', 'folder', 'name', 'externalId', 'tags'),
    ...fieldsOf(link, 'createdAt', 'updatedAt', 'importedScans'),
    ...toRouteFields(link),
    status: statusOf(link, totals.get(link.firstSlug)?.people ?? 0, now),
    domain: hostAt(link.place),
    short_url: shortUrl(link.slug, link.place),
    ...toScanTotals(totals.get(link.firstSlug)),
    etag: linkVersion(link),
  }));
};

const LinksQuery = Type.Object(
  {
    ...linkListQuery,
    status: Type.Optional({ ...LinkStatusField, description: 'Only those with it.' }),
    domain: Type.Optional(
      Type.String({
        maxLength: 500,
        description: `A host of yours; \`${SHARED}\`: none of them.`,
      }),
    ),
    rule_set_id: Type.Optional({ ...Uuid, description: 'Only those with this set.' }),
    has_rules: Type.Optional(
      Type.Boolean({ description: 'Only those with rules, own or of a set; false: without.' }),
    ),
  },
  strict,
);

/** Returns what a validated query asks of links. @throws {AppError} 404 for a domain or rule set that is not the account's. */
const readLinkFilters = async (
  sql: Sql,
  accountId: string,
  { status, domain, rule_set_id: ruleSetId, has_rules: hasRules }: Static<typeof LinksQuery>,
): Promise<LinkTraits> => {
  if (ruleSetId !== undefined) requireFound('rule set', await getRuleSet(sql, accountId, ruleSetId));
  return {
    ...(status !== undefined && { linkStatus: status }),
    ...(domain !== undefined && {
      domainId: domain === SHARED ? null : await requireDomainId(sql, accountId, domain),
    }),
    ...(ruleSetId !== undefined && { ruleSetId }),
    ...(hasRules !== undefined && { hasRules }),
  };
};

/** Adds the route that lists short links. */
export const linkListRoute = ofAccount(
  { tag: 'Links', name: 'links' },
  (route, parts: ListParts & Need<'linkRules'>) => {
    const { sql } = parts.database;

    route('GET /links', {
      operationId: 'listLinks',
      summary: 'Your short links, in the order that you choose',
      description: 'As in the list of codes, a page may be short or empty even if `next_cursor` is not null.',
      querystring: LinksQuery,
      answer: pageSchema(LinkBody),
      fails: [404],
      handle: async ({ query }, { accountId }, reply) => {
        const also = { isDynamic: true, ...(await readLinkFilters(sql, accountId, query)) };
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
