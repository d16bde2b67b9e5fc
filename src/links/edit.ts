/** Changes one link, or many at once, all or none. */
import { randomUUID } from 'node:crypto';
import { inTransaction, type Sql } from '../db/client.ts';
import type { Database } from '../db/database.ts';
import { changeCodes, type LabelChange } from '../db/tables/codes/chosen.ts';
import { setGrade } from '../db/tables/codes/designs.ts';
import { boundHistory } from '../db/tables/histories.ts';
import {
  getLink,
  getLinks,
  type Link,
  type LinkRoute,
  listRoutesBefore,
  lockLinks,
  routeOf,
  saveLinks,
} from '../db/tables/links.ts';
import { holdRuleSet } from '../db/tables/rules/rule-sets.ts';
import { announceLinks, claimSlug, type OwnSlug } from '../db/tables/slugs.ts';
import { ok, type Result, refused } from '../result.ts';
import { sameForward } from './forward.ts';

/** A slug for a link, and how well its code is read with it. */
export interface NewSlug extends OwnSlug {
  /** `null`: the code has no picture yet. */
  readonly grade: number | null;
  readonly warnings: string;
}

interface Edit {
  readonly accountId: string;
  /** The key that edits the link; the history shows it. */
  readonly keyId: string;
  /** Any slug of the link. */
  readonly slug: string;
  /** What changes. `checkDestination` returned each address. */
  readonly change: Partial<LinkRoute>;
  /** What changes about its code. */
  readonly labels: LabelChange;
  /** The slug that its code is to encode from now on; `null`: the present one. */
  readonly newSlug: NewSlug | null;
  /** Called with the link as it is, while no other edit can change it. What it throws ends the edit. */
  readonly check: (link: Link) => void;
}

/**
 * Why a link was not changed. `missing`: it is unknown, deleted or another account's. `disordered`: it would end before
 * it starts. `no rule set`: the account has none with this id. `taken`, `too many`: as `claimSlug` says.
 */
export type EditFault = 'missing' | 'disordered' | 'no rule set' | 'taken' | 'too many';

/** What is wrong with a rule set that the account does not have, in the words of a fault. */
export const NO_RULE_SET = 'there is no such rule set';

/** Whether links lead to the same addresses at the same times. */
export const sameRoute = (a: LinkRoute, b: LinkRoute): boolean =>
  a.destination === b.destination &&
  a.activeFrom?.getTime() === b.activeFrom?.getTime() &&
  a.activeUntil?.getTime() === b.activeUntil?.getTime() &&
  a.beforeDestination === b.beforeDestination &&
  a.afterDestination === b.afterDestination &&
  JSON.stringify(a.rules) === JSON.stringify(b.rules) &&
  a.ruleSetId === b.ruleSetId &&
  a.visitLimit === b.visitLimit &&
  a.passwordHash === b.passwordHash &&
  sameForward(a.forward, b.forward);

/** Whether the start lies before the end, if both are set. */
export const isOrdered = ({ activeFrom, activeUntil }: LinkRoute): boolean =>
  activeFrom === null || activeUntil === null || activeFrom < activeUntil;

/** Whether a change names a rule set that the account does not have. Otherwise it stays until the transaction ends. */
const lacksRuleSet = async (
  tx: Sql,
  accountId: string,
  { ruleSetId }: Partial<LinkRoute>,
): Promise<boolean> => typeof ruleSetId === 'string' && !(await holdRuleSet(tx, accountId, ruleSetId));

/** What changing links needs. */
export type LinkParts = Pick<Database, 'sql' | 'changes' | 'histories'>;

/**
 * Changes where and when a link leads, the slug that its code encodes, and the labels of that code. Its other slugs
 * continue to lead to it. Every gateway follows within a second, because the same transaction announces the change.
 * Edits of one link take turns, so none undoes another's fields. Writes nothing when nothing changes.
 */
export const editLink = async (
  { sql, changes, histories }: LinkParts,
  { accountId, keyId, slug, change, labels, newSlug, check }: Edit,
): Promise<Result<Link, EditFault>> => {
  const named = await getLink(sql, accountId, slug);
  if (named === null) return refused('missing');
  const { firstSlug } = named;
  return sql.begin(async (tx) => {
    await lockLinks(tx, [firstSlug]);
    const link = await getLink(tx, accountId, firstSlug);
    if (link === null) return refused('missing');
    check(link);
    const next = { ...link, ...change, ...labels, slug: newSlug?.slug ?? link.slug };
    if (!isOrdered(next)) return refused('disordered');
    if (await lacksRuleSet(tx, accountId, change)) return refused('no rule set');
    if (newSlug !== null && next.slug !== link.slug) {
      // A refusal ends the transaction without a rollback, so nothing is written before the last possible one.
      const claim = await claimSlug(tx, link, newSlug);
      if (!claim.ok) return claim;
      await setGrade(tx, link.accountId, link.codeId, newSlug);
    }
    if (Object.keys(labels).length > 0) await changeCodes(tx, accountId, [link.codeId], labels);
    if (sameRoute(link, next) && next.slug === link.slug) return ok(next);
    await saveLinks(tx, [next], { keyId, changeId: null });
    await boundHistory(tx, histories, accountId, 'links', [firstSlug]);
    await announceLinks(tx, changes, [firstSlug]);
    const [edited] = await getLinks(tx, accountId, [firstSlug]);
    return ok(edited ?? next);
  });
};

/** The most links that are changed at once. */
export const LINKS_AT_ONCE_MAX = 1000;

/** What a change of many links did. */
export interface ManyEdited {
  /** The id for undoing the change; `null`: it changed nothing. */
  readonly changeId: string | null;
  readonly links: number;
  /** The other links had these fields already. */
  readonly changed: number;
}

/** The link that cannot be changed, and why. */
export interface ManyFault {
  /** '' for `no rule set`. */
  readonly slug: string;
  readonly why: EditFault;
}

/** Whose links are changed. */
export interface ManyEditor {
  readonly accountId: string;
  /** The key that edits them; the history shows it. */
  readonly keyId: string;
}

/**
 * Writes the routes of links, notes them in the histories, and announces them. Must be called in a transaction that has
 * locked the links and verified that they are the account's and ordered.
 *
 * @param changeId What links that are changed together have in common; `null`: nothing.
 */
export const saveRoutes = async (
  { sql: tx, changes, histories }: LinkParts,
  { accountId, keyId }: ManyEditor,
  links: readonly Link[],
  changeId: string | null,
): Promise<void> => {
  const firstSlugs = links.map(({ firstSlug }) => firstSlug);
  await saveLinks(tx, links, { keyId, changeId });
  await boundHistory(tx, histories, accountId, 'links', firstSlugs);
  await announceLinks(tx, changes, firstSlugs);
};

/** Writes what `nextOf` returns for each of the links, and announces it. */
const editAll = (
  parts: LinkParts,
  editor: ManyEditor,
  firstSlugs: readonly string[],
  nextOf: (link: Link) => Link,
  change: Partial<LinkRoute> = {},
): Promise<Result<ManyEdited, ManyFault>> =>
  inTransaction(parts.sql, async (tx) => {
    await lockLinks(tx, firstSlugs);
    if (await lacksRuleSet(tx, editor.accountId, change))
      return refused({ slug: '', why: 'no rule set' as const });
    const links = await getLinks(tx, editor.accountId, firstSlugs);
    const found = new Set(links.map(({ firstSlug }) => firstSlug));
    const missing = firstSlugs.find((slug) => !found.has(slug));
    if (missing !== undefined) return refused({ slug: missing, why: 'missing' as const });
    const next = links.flatMap((link) => {
      const changed = nextOf(link);
      return sameRoute(link, changed) ? [] : [changed];
    });
    const disordered = next.find((link) => !isOrdered(link));
    if (disordered !== undefined) return refused({ slug: disordered.slug, why: 'disordered' as const });
    if (next.length === 0) return ok({ changeId: null, links: links.length, changed: 0 });
    const changeId = randomUUID();
    await saveRoutes({ ...parts, sql: tx }, editor, next, changeId);
    return ok({ changeId, links: links.length, changed: next.length });
  });

/**
 * Changes where and when links lead. Every gateway follows within a second. The history of each link records it.
 *
 * @param firstSlugs The slugs that the links were made with, each once, at most `LINKS_AT_ONCE_MAX`.
 */
export const editLinks = (
  parts: LinkParts,
  editor: ManyEditor,
  firstSlugs: readonly string[],
  change: Partial<LinkRoute>,
): Promise<Result<ManyEdited, ManyFault>> =>
  editAll(parts, editor, firstSlugs, (link) => ({ ...link, ...change }), change);

/**
 * Undoes a change of many links: each leads where it led before, whatever was changed since. Slugs are not changed, and
 * links that were deleted since are skipped. The undo is itself a change of many, so it can be undone. Returns `null`
 * when the account has no such change, its history is no longer complete, or it has more than `LINKS_AT_ONCE_MAX` links.
 */
export const undoChange = async (
  parts: LinkParts,
  editor: ManyEditor,
  changeId: string,
): Promise<Result<ManyEdited, ManyFault> | null> => {
  const limit = LINKS_AT_ONCE_MAX + 1;
  const earlier = await listRoutesBefore(parts.sql, editor.accountId, changeId, limit);
  if (earlier.length === 0 || earlier.length === limit) return null;
  const routes = new Map(earlier.map((link) => [link.firstSlug, routeOf(link)]));
  return editAll(parts, editor, [...routes.keys()], (link) => ({ ...link, ...routes.get(link.firstSlug) }));
};
