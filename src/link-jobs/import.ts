/** Jobs that import links: every row is a link that was elsewhere, and is made here with a code that has no picture yet. */
import type { Design } from '../../workers/protocol.ts';
import { lockAccount, type Sql } from '../db/client.ts';
import { saveDesigns } from '../db/tables/codes/designs.ts';
import type { NamedDomain } from '../db/tables/domains/served.ts';
import { ensureFolder } from '../db/tables/folders.ts';
import { claimLinks, listClaimed } from '../db/tables/link-jobs/links.ts';
import {
  addImported,
  countImported,
  findSkeletons,
  findSlugOwners,
  type ImportedLink,
  insertImported,
  removeImported,
  type SlugOwner,
} from '../db/tables/link-jobs/moved-links.ts';
import type { JobTurn } from '../db/tables/link-jobs/turns.ts';
import { deleteUnusedSets } from '../db/tables/rules/rule-sets.ts';
import { targetKey } from '../db/tables/slugs.ts';
import { eachInSlices } from '../execution/time-limits.ts';
import type { MovedLink } from '../link-imports/row.ts';
import type { LinkParts } from '../links/edit.ts';
import { SLUG_TAKEN, skeletonOf } from '../links/slug.ts';
import {
  type Candidate,
  type CandidateParts,
  type Fault,
  type ImportTerms,
  keysOf,
  readCandidate,
  skeletonsOf,
  slugsOf,
  toDate,
} from './candidates.ts';
import type { JobRow, Outcome, RowFault, RowKind } from './kind.ts';
import { createRowPasswords, PASSWORD_TOO_MANY } from './passwords.ts';
import { listMadeSets, resolveRuleSets } from './rule-sets.ts';

/** What importing needs. */
interface ImportParts extends CandidateParts {
  createSlug(): string;
  /** The design in which imported codes are drawn unless another is chosen. */
  readonly design: Design;
  /** How many links an account may import in all. */
  readonly maxLinks: number;
  listDomains(accountId: string): Promise<readonly NamedDomain[]>;
}

interface StoredLine {
  readonly link?: MovedLink;
  readonly fault?: RowFault;
}

/** What is noted with a slug in front of a link that a job of all or nothing has made. */
const MADE = '+';

interface Taken {
  readonly owners: ReadonlyMap<string, SlugOwner>;
  readonly skeletons: ReadonlySet<string>;
}

const isTaken = ({ owners, skeletons }: Taken, slug: string, domainId: string | null): boolean =>
  owners.has(targetKey(slug, domainId)) || (domainId === null && skeletons.has(skeletonOf(slug)));

/** Returns what becomes of a row, as far as the slugs decide. */
const judge = (accountId: string, candidate: Candidate, taken: Taken): 'made' | 'unchanged' | Fault => {
  const { firstSlug, domainId, own, others, route } = candidate;
  const owner = taken.owners.get(targetKey(own?.slug ?? firstSlug!, domainId));
  if (owner?.accountId === accountId && owner.linkDomainId === domainId) {
    if (!owner.isLive) return { field: 'slug', message: 'is that of a link which you have deleted' };
    if (owner.destination === route.destination) return 'unchanged';
    return {
      field: 'destination',
      message: 'is another one than your link with this slug has; change that link',
    };
  }
  if (own !== null && isTaken(taken, own.slug, domainId)) return { field: 'slug', message: SLUG_TAKEN };
  if (firstSlug !== null && (isTaken(taken, firstSlug, null) || isTaken(taken, firstSlug, domainId)))
    return { field: 'first_slug', message: SLUG_TAKEN };
  if (others.some(({ slug }) => isTaken(taken, slug, domainId)))
    return { field: 'other_slugs', message: SLUG_TAKEN };
  return 'made';
};

const findTaken = async (sql: Sql, candidates: readonly Candidate[]): Promise<Taken> => {
  const [owners, skeletons] = await Promise.all([
    findSlugOwners(sql, candidates.flatMap(slugsOf)),
    findSkeletons(sql, candidates.flatMap(skeletonsOf)),
  ]);
  return {
    owners: new Map(owners.map((owner) => [targetKey(owner.slug, owner.domainId), owner])),
    skeletons,
  };
};

const termsOf = ({ terms }: JobTurn): ImportTerms => terms as unknown as ImportTerms;

/** A row that becomes a link. */
interface MadeCandidate {
  readonly candidate: Candidate;
  readonly ruleSetId: string | null;
}

/** Makes the links of rows, and announces them: gateways may know their slugs as unknown ones. */
const makeLinks = async (
  { design, createSlug }: ImportParts,
  { sql, changes }: LinkParts,
  job: JobTurn,
  made: readonly MadeCandidate[],
  whenWaiting: () => void,
): Promise<void> => {
  const { accountId, keyId } = job;
  const [designId] = await saveDesigns(sql, accountId, [{ design, logo: null }]);
  const folders = new Map<string, string>();
  const links: ImportedLink[] = [];
  for (const { candidate, ruleSetId } of made) {
    const { row, moved, route, firstSlug, domainId, own, others } = candidate;
    const folder = moved.folder ?? termsOf(job).folder;
    const folderId = folders.get(folder) ?? (await ensureFolder(sql, accountId, folder)).id;
    folders.set(folder, folderId);
    const { name, externalId, tags, scans } = moved;
    links.push({
      route,
      ruleSetId,
      position: row - 1,
      firstSlug: firstSlug ?? createSlug(),
      domainId,
      own,
      others,
      folderId,
      name,
      externalId,
      tags,
      createdAt: toDate(moved.createdAt),
      scans,
    });
  }
  const importer = { accountId, keyId, at: job.createdAt, designId: designId! };
  const insertion = insertImported(sql, importer, links);
  whenWaiting();
  if ((await insertion) !== links.length) throw new Error('a slug of an import was taken meanwhile');
  if (job.allOrNothing)
    await claimLinks(
      sql,
      job.id,
      links.map(({ firstSlug, position }) => ({ firstSlug: MADE + firstSlug, row: position + 1 })),
    );
  const slugs = made.flatMap(({ candidate }) => slugsOf(candidate));
  await changes.announce(
    sql,
    ...slugs.map(({ slug, domainId }) => ({ kind: 'link', id: targetKey(slug, domainId) }) as const),
  );
};

/** Handles rows that can be read. Calls `settle` for each of them. */
const handleRows = async (
  parts: ImportParts,
  step: LinkParts,
  job: JobTurn,
  candidates: readonly Candidate[],
  isDry: boolean,
  settle: (candidate: Candidate, outcome: 'made' | 'unchanged' | Fault) => void,
  whenWaiting: () => void,
): Promise<void> => {
  const { sql } = step;
  const { accountId } = job;
  const findRuleSet = await resolveRuleSets(sql, job, candidates, isDry);
  const keys = candidates.flatMap((one) => keysOf(one).map((key) => ({ firstSlug: key, row: one.row })));
  const lookUps = Promise.all([
    claimLinks(sql, job.id, keys),
    isDry ? countImported(sql, accountId) : addImported(sql, accountId, 0),
    findTaken(sql, candidates),
  ]);
  if (isDry) whenWaiting();
  const [repeated, kept, taken] = await lookUps;
  const imported = kept + (isDry ? job.made : 0);
  const made: MadeCandidate[] = [];
  for (const candidate of candidates) {
    const first = repeated.get(candidate.row);
    const outcome =
      first === undefined
        ? judge(accountId, candidate, taken)
        : { field: 'slug', message: `is taken by row ${first}, or looks like one of its slugs` };
    const ruleSet = candidate.ruleSet === null ? null : findRuleSet(candidate.ruleSet);
    if (outcome === 'made' && ruleSet !== null && typeof ruleSet !== 'string') settle(candidate, ruleSet);
    else if (outcome === 'made' && imported + made.length >= parts.maxLinks)
      settle(candidate, {
        field: 'slug',
        message: `is one too many: an account may import ${parts.maxLinks} links in all`,
      });
    else {
      if (outcome === 'made') made.push({ candidate, ruleSetId: ruleSet as string | null });
      settle(candidate, outcome);
    }
  }
  if (isDry || made.length === 0) return;
  await makeLinks(parts, step, job, made, whenWaiting);
  await addImported(sql, accountId, made.length);
};

/** Replaces the passwords of rows with hashes. Calls `settle` for a row whose password is one too many. */
const withHashes = async (
  candidates: readonly Candidate[],
  isDry: boolean,
  settle: (candidate: Candidate, fault: Fault) => void,
): Promise<readonly Candidate[]> => {
  const hashOf = createRowPasswords(isDry);
  const hashed: Candidate[] = [];
  for (const candidate of candidates) {
    const { password, route } = candidate;
    const passwordHash = password === null ? null : await hashOf(password, null);
    if (password === null) hashed.push(candidate);
    else if (passwordHash === null) settle(candidate, { field: 'password', message: PASSWORD_TOO_MANY });
    else hashed.push({ ...candidate, route: { ...route, passwordHash } });
  }
  return hashed;
};

/** Links that are removed again in one transaction. */
const LINKS_AT_A_TIME = 500;

/** Creates the kind of job that imports links. */
export const createImportKind = (parts: ImportParts): RowKind => ({
  async prepare(job, rows, isDry) {
    const outcomes = new Map<number, Outcome>();
    const readable: Candidate[] = [];
    const named = await parts.listDomains(job.accountId);
    const domains = new Map(named.map((domain) => [domain.host, domain]));
    await eachInSlices(rows, ({ row, text }: JobRow) => {
      const { link, fault: own } = JSON.parse(text) as StoredLine;
      if (link === undefined) {
        outcomes.set(row, own!);
        return;
      }
      const read = readCandidate(parts, termsOf(job), domains, row, link);
      if (read.ok) readable.push(read.value);
      else outcomes.set(row, { slug: link.slug.slice(0, 100), externalId: link.externalId, ...read.fault });
    });
    const settle = ({ row, moved }: Candidate, outcome: 'made' | 'unchanged' | Fault) =>
      outcomes.set(
        row,
        typeof outcome === 'string'
          ? outcome
          : { slug: moved.slug.slice(0, 100), externalId: moved.externalId, ...outcome },
      );
    const candidates = await withHashes(readable, isDry, settle);
    return async (step, whenWaiting) => {
      await handleRows(parts, step, job, candidates, isDry, settle, whenWaiting);
      return { outcomes: rows.map(({ row }) => outcomes.get(row)!), keptBytes: 0 };
    };
  },
  async revert({ sql, changes }, job) {
    const firstSlugs = await listClaimed(sql, job.id, MADE, LINKS_AT_A_TIME);
    if (firstSlugs.length === 0) {
      const sets = await listMadeSets(sql, job.id);
      if (sets.length > 0) {
        await lockAccount(sql, job.accountId);
        await deleteUnusedSets(sql, job.accountId, sets);
      }
      return 0;
    }
    await changes.announce(sql, { kind: 'links-of', id: job.accountId });
    await removeImported(sql, job.id, job.accountId, firstSlugs);
    return firstSlugs.length;
  },
});
