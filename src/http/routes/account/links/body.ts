/** Short links as answers have them. */
import Type from 'typebox';
import type { Sql } from '../../../../db/client.ts';
import { LINK_STATUSES, type LinkStatus } from '../../../../db/tables/code-lists/walks.ts';
import type { Link, LinkRoute } from '../../../../db/tables/links.ts';
import { scanTotals } from '../../../../db/tables/scans/scans.ts';
import { Version, versionOf } from '../../../files/versions.ts';
import { fieldsOf, Timestamp, Uuid } from '../../../schemas/atoms.ts';
import { labelFields } from '../../../schemas/codes/labels.ts';
import { routeFields, toRouteFields } from '../../../schemas/link.ts';
import { scanTotalFields, toScanTotals } from '../../../schemas/scans.ts';

/** Whether a link leads to its destination. */
export const StatusField = Type.Enum([...LINK_STATUSES], {
  description: '`scheduled`: before `active_from`. `expired`: from `active_until` on. `active`: otherwise.',
});

/** A short link. */
export const LinkBody = Type.Object(
  {
    slug: Type.String({
      description: 'The slug that the code encodes. Earlier slugs also lead to the link.',
    }),
    ...routeFields,
    status: StatusField,
    short_url: Type.String({ description: 'What the code encodes.' }),
    code_id: Uuid,
    folder_id: Uuid,
    ...labelFields,
    ...scanTotalFields,
    created_at: Timestamp,
    updated_at: Timestamp,
    etag: Version,
  },
  { title: 'Link' },
);

/** Returns the version of what calls may change about a link. */
export const linkVersion = (link: Link): string =>
  versionOf({ ...fieldsOf(link, 'slug', 'externalId', 'tags'), ...toRouteFields(link) });

const statusOf = ({ activeFrom, activeUntil }: LinkRoute, now: Date): LinkStatus => {
  if (activeFrom !== null && activeFrom > now) return 'scheduled';
  return activeUntil !== null && activeUntil <= now ? 'expired' : 'active';
};

/** Returns the bodies of links with the numbers of their scans, which are read in one query. */
export const toLinkBodies = async (sql: Sql, links: readonly Link[], shortUrl: (slug: string) => string) => {
  const totals = await scanTotals(
    sql,
    links.map(({ firstSlug }) => firstSlug),
  );
  const now = new Date();
  return links.map((link) => ({
    ...fieldsOf(link, 'slug', 'codeId', 'folderId', 'externalId', 'tags', 'createdAt', 'updatedAt'),
    ...toRouteFields(link),
    status: statusOf(link, now),
    short_url: shortUrl(link.slug),
    ...toScanTotals(totals.get(link.firstSlug)),
    etag: linkVersion(link),
  }));
};
