/** Jobs that import links: every row is a link that was elsewhere, and is made here with a code that has no picture yet. */
import type { Design } from '../../workers/protocol.ts';
import type { Sql } from '../db/client.ts';
import { saveDesigns } from '../db/tables/codes/designs.ts';
import { ensureFolder } from '../db/tables/folders.ts';
import { claimLinks } from '../db/tables/link-jobs/links.ts';
import {
  addImported,
  countImported,
  findSkeletons,
  findSlugOwners,
  type ImportedLink,
  insertImported,
  listMade,
  removeImported,
  type SlugOwner,
} from '../db/tables/link-jobs/moved-links.ts';
import type { JobTurn } from '../db/tables/link-jobs/turns.ts';
import type { LinkRoute } from '../db/tables/links.ts';
import { OWN_SLUGS_MAX, type OwnSlug } from '../db/tables/slugs.ts';
import { eachInSlices } from '../execution/time-limits.ts';
import type { ReadLink } from '../link-imports/read.ts';
import type { MovedLink } from '../link-imports/row.ts';
import type { LinkParts } from '../links/edit.ts';
import { checkOwnSlug, SLUG_TAKEN, skeletonOf } from '../links/slug.ts';
import { ok, type Result, refused } from '../result.ts';
import type { JobRow, Outcome, RowFault, RowKind } from './kind.ts';

/** What is wrong with a field of a row. */
type Fault = Pick<RowFault, 'field' | 'message'>;

/** What importing needs. */
interface ImportParts {
  checkDestination(url: string): Result<string, string>;
  createSlug(): string;
  /** Returns what a link passes on, or what is wrong with what a row says about it. */
  readForward(written: unknown): Result<LinkRoute['forward'], Fault>;
  /** The design in which imported codes are drawn unless another is chosen. */
  readonly design: Design;
  /** How many links an account may import in all. */
  readonly maxLinks: number;
  /** The host of short links. */
  publicHost(): string;
}

/** What the call of an import says about its rows. */
export interface ImportTerms {
  /** The folder of links that name none. */
  readonly folder: string;
  /** The domain of all links, whatever their rows say; `null`: that of each row. */
  readonly domain: string | null;
}

/** Returns the line that is stored for a row. */
export const toImportLine = ({ link, called }: Omit<ReadLink, 'fileRow'>): string =>
  JSON.stringify(link.ok ? { link: link.value } : { fault: { ...called, ...link.fault } });

interface StoredLine {
  readonly link?: MovedLink;
  readonly fault?: RowFault;
}

/** A row that may become a link, if its slugs are free. */
interface Candidate {
  readonly row: number;
  readonly moved: MovedLink;
  readonly route: LinkRoute;
  /** `null`: one is made up. */
  readonly firstSlug: string | null;
  readonly own: OwnSlug | null;
  readonly others: readonly OwnSlug[];
}

const fault = (field: string, message: string): Result<never, Fault> => refused({ field, message });

const FIRST_SLUG = /^[0-9A-Za-z]{8}$/;

/** A path of short links below the host that all accounts share. */
const withoutPrefix = (slug: string): string => slug.replace(/^l\//, '');

const readOthers = (
  moved: MovedLink,
  known: readonly (string | null)[],
): Result<readonly OwnSlug[], Fault> => {
  const others: OwnSlug[] = [];
  for (const written of new Set(moved.otherSlugs)) {
    if (known.includes(written)) continue;
    const other = checkOwnSlug(written, null);
    if (!other.ok) return fault('other_slugs', other.fault);
    others.push(other.value);
  }
  if (others.length < OWN_SLUGS_MAX) return ok(others);
  return fault('other_slugs', `must be at most ${OWN_SLUGS_MAX - 1}`);
};

const toDate = (written: string | null): Date | null => (written === null ? null : new Date(written));

/** Reads what needs no look-up. */
const readCandidate = (
  { checkDestination, readForward, publicHost }: ImportParts,
  { domain }: ImportTerms,
  row: number,
  moved: MovedLink,
): Result<Candidate, Fault> => {
  const host = domain ?? moved.domain;
  if (host !== null && host !== publicHost())
    return fault(
      'domain',
      `is not a domain of your links here; send domain=${publicHost()} to move the links to that one`,
    );
  const slug = withoutPrefix(moved.slug);
  const { firstSlug } = moved;
  if (firstSlug !== null && !(FIRST_SLUG.test(firstSlug) && checkOwnSlug(firstSlug, null).ok))
    return fault('first_slug', 'is none that a link is made with here; leave it empty');
  const own = slug === firstSlug ? ok(null) : checkOwnSlug(slug, null);
  if (!own.ok) return fault('slug', own.fault);
  const others = readOthers(moved, [firstSlug, slug]);
  if (!others.ok) return others;
  const addresses: (string | null)[] = [];
  for (const field of ['destination', 'beforeDestination', 'afterDestination'] as const) {
    const written = moved[field];
    const checked = written === null ? ok(null) : checkDestination(written);
    if (!checked.ok) return fault(field.replace('D', '_d'), checked.fault);
    addresses.push(checked.value);
  }
  const [destination, beforeDestination, afterDestination] = addresses as [
    string,
    string | null,
    string | null,
  ];
  const forward = readForward(moved.forward);
  if (!forward.ok) return forward;
  const times = { activeFrom: toDate(moved.activeFrom), activeUntil: toDate(moved.activeUntil) };
  const unguarded = { rules: null, ruleSetId: null, visitLimit: null, passwordHash: null };
  const addressed = { destination, beforeDestination, afterDestination, forward: forward.value };
  const route = { ...addressed, ...times, ...unguarded };
  return ok({ row, moved, route, firstSlug, own: own.value, others: others.value });
};

const slugsOf = ({ firstSlug, own, others }: Candidate): readonly string[] => [
  ...(firstSlug === null ? [] : [firstSlug]),
  ...(own === null ? [] : [own.slug]),
  ...others.map(({ slug }) => slug),
];

const skeletonsOf = (candidate: Candidate): readonly string[] => slugsOf(candidate).map(skeletonOf);

/** Under what rows of a job are told apart: their slugs, and the looks of those that were chosen. */
const keysOf = (candidate: Candidate): readonly string[] => [
  ...slugsOf(candidate).map((slug) => `=${slug}`),
  ...slugsOf({ ...candidate, firstSlug: null }).map((slug) => `~${skeletonOf(slug)}`),
];

interface Taken {
  readonly owners: ReadonlyMap<string, SlugOwner>;
  readonly skeletons: ReadonlySet<string>;
}

const isTaken = ({ owners, skeletons }: Taken, slug: string): boolean =>
  owners.has(slug) || skeletons.has(skeletonOf(slug));

/** Returns what becomes of a row, as far as the slugs decide. */
const judge = (accountId: string, candidate: Candidate, taken: Taken): 'made' | 'unchanged' | Fault => {
  const { firstSlug, own, others, route } = candidate;
  const owner = taken.owners.get(own?.slug ?? firstSlug!);
  if (owner?.accountId === accountId) {
    if (!owner.isLive) return { field: 'slug', message: 'is that of a link which you have deleted' };
    if (owner.destination === route.destination) return 'unchanged';
    return {
      field: 'destination',
      message: 'is another one than your link with this slug has; change that link',
    };
  }
  if (own !== null && isTaken(taken, own.slug)) return { field: 'slug', message: SLUG_TAKEN };
  if (firstSlug !== null && isTaken(taken, firstSlug)) return { field: 'first_slug', message: SLUG_TAKEN };
  if (others.some(({ slug }) => isTaken(taken, slug))) return { field: 'other_slugs', message: SLUG_TAKEN };
  return 'made';
};

const findTaken = async (sql: Sql, candidates: readonly Candidate[]): Promise<Taken> => {
  const owners = await findSlugOwners(sql, candidates.flatMap(slugsOf));
  return {
    owners: new Map(owners.map((owner) => [owner.slug, owner])),
    skeletons: await findSkeletons(sql, candidates.flatMap(skeletonsOf)),
  };
};

const termsOf = ({ terms }: JobTurn): ImportTerms => terms as unknown as ImportTerms;

/** Makes the links of rows, and announces them: gateways may know their slugs as unknown ones. */
const makeLinks = async (
  { design, createSlug }: ImportParts,
  { sql, changes }: LinkParts,
  job: JobTurn,
  candidates: readonly Candidate[],
): Promise<void> => {
  const { accountId, keyId } = job;
  const [designId] = await saveDesigns(sql, accountId, [{ design, logo: null }]);
  const folders = new Map<string, string>();
  const links: ImportedLink[] = [];
  for (const { row, moved, route, firstSlug, own, others } of candidates) {
    const folder = moved.folder ?? termsOf(job).folder;
    const folderId = folders.get(folder) ?? (await ensureFolder(sql, accountId, folder)).id;
    folders.set(folder, folderId);
    const { name, externalId, tags, scans } = moved;
    links.push({
      ...{ ...route, own, others, folderId, name, externalId, tags, scans },
      position: row - 1,
      firstSlug: firstSlug ?? createSlug(),
      createdAt: toDate(moved.createdAt),
    });
  }
  const importer = { accountId, keyId, at: job.createdAt, designId: designId! };
  const made = await insertImported(sql, importer, links);
  if (made !== links.length) throw new Error('a slug of an import was taken meanwhile');
  if (job.allOrNothing)
    await claimLinks(
      sql,
      job.id,
      links.map(({ firstSlug, position }) => ({ firstSlug: `+${firstSlug}`, row: position + 1 })),
    );
  const slugs = candidates.flatMap(slugsOf);
  await changes.announce(sql, ...slugs.map((id) => ({ kind: 'link', id }) as const));
};

/** Handles rows that can be read. Calls `settle` for each of them. */
const handleRows = async (
  parts: ImportParts,
  step: LinkParts,
  job: JobTurn,
  candidates: readonly Candidate[],
  isDry: boolean,
  settle: (candidate: Candidate, outcome: 'made' | 'unchanged' | Fault) => void,
): Promise<void> => {
  const { sql } = step;
  const { accountId } = job;
  const keys = candidates.flatMap((one) => keysOf(one).map((key) => ({ firstSlug: key, row: one.row })));
  const repeated = await claimLinks(sql, job.id, keys);
  if (!isDry) await addImported(sql, accountId, 0);
  const imported = (await countImported(sql, accountId)) + (isDry ? job.made : 0);
  const taken = await findTaken(sql, candidates);
  const made: Candidate[] = [];
  for (const candidate of candidates) {
    const first = repeated.get(candidate.row);
    const outcome =
      first === undefined
        ? judge(accountId, candidate, taken)
        : { field: 'slug', message: `is taken by row ${first}, or looks like one of its slugs` };
    if (outcome === 'made' && imported + made.length >= parts.maxLinks)
      settle(candidate, {
        field: 'slug',
        message: `is one too many: an account may import ${parts.maxLinks} links in all`,
      });
    else {
      if (outcome === 'made') made.push(candidate);
      settle(candidate, outcome);
    }
  }
  if (isDry || made.length === 0) return;
  await makeLinks(parts, step, job, made);
  await addImported(sql, accountId, made.length);
};

/** Links that are removed again in one transaction. */
const LINKS_AT_A_TIME = 500;

/** Creates the kind of job that imports links. */
export const createImportKind = (parts: ImportParts): RowKind => ({
  async prepare(job, rows, isDry) {
    const outcomes = new Map<number, Outcome>();
    const candidates: Candidate[] = [];
    await eachInSlices(rows, ({ row, text }: JobRow) => {
      const { link, fault: own } = JSON.parse(text) as StoredLine;
      if (link === undefined) {
        outcomes.set(row, own!);
        return;
      }
      const read = readCandidate(parts, termsOf(job), row, link);
      if (read.ok) candidates.push(read.value);
      else outcomes.set(row, { slug: link.slug.slice(0, 100), externalId: link.externalId, ...read.fault });
    });
    return async (step) => {
      await handleRows(parts, step, job, candidates, isDry, ({ row, moved }, outcome) =>
        outcomes.set(
          row,
          typeof outcome === 'string'
            ? outcome
            : { slug: moved.slug.slice(0, 100), externalId: moved.externalId, ...outcome },
        ),
      );
      return { outcomes: rows.map(({ row }) => outcomes.get(row)!), keptBytes: 0 };
    };
  },
  async revert({ sql, changes }, job) {
    const firstSlugs = await listMade(sql, job.id, LINKS_AT_A_TIME);
    if (firstSlugs.length === 0) return 0;
    await changes.announce(sql, { kind: 'links-of', id: job.accountId });
    await removeImported(sql, job.id, job.accountId, firstSlugs);
    return firstSlugs.length;
  },
});
