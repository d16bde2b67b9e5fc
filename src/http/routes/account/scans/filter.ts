/** Which scans a call is about: those of all links of its account, or of the ones that its query names. */
import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Sql } from '../../../../db/client.ts';
import { withTimeLimit } from '../../../../db/statements.ts';
import { idsOfBatch } from '../../../../db/tables/batches/batches.ts';
import { findOwnIds } from '../../../../db/tables/codes/chosen.ts';
import { findLinkDomain } from '../../../../db/tables/domains/served.ts';
import { getRuleSet } from '../../../../db/tables/rules/rule-sets.ts';
import {
  findHidden,
  findLinks,
  type LinkFilter,
  type LinkOfCode,
  type Scanned,
  type Span,
  type TooMuch,
} from '../../../../db/tables/scans/scanned.ts';
import { readHost } from '../../../../domains/host.ts';
import { AppError, fieldError } from '../../../../errors.ts';
import { SHARED } from '../../../../generate/save/domain.ts';
import type { Result } from '../../../../result.ts';
import { notFound, requireFolder, requireFound } from '../../../auth/require-found.ts';
import { Uuid } from '../../../schemas/atoms.ts';
import { codeFilters, readTag } from '../../../schemas/code.ts';
import type { Need } from '../../services.ts';
import { requireItem } from '../resolver/body.ts';

/** Codes that a query can name. */
const CODES_MAX = 100;

/** The query that names links. */
export const linkFilters = {
  folder_id: codeFilters.folder_id,
  tag: codeFilters.tag,
  batch_id: Type.Optional({ ...Uuid, description: 'Only those of this batch.' }),
  domain: Type.Optional(
    Type.String({ maxLength: 500, description: `Only those at this host of yours, or \`${SHARED}\`.` }),
  ),
  rule_set_id: Type.Optional({ ...Uuid, description: 'Only those that have this rule set now.' }),
  code_ids: Type.Optional(
    Type.String({
      maxLength: CODES_MAX * 37,
      description: `Only those of these codes, at most ${CODES_MAX}, with commas between them.`,
    }),
  ),
  rule: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Only scans that the rule of this name led.' }),
  ),
};

/** The query of reports. */
export const scanFilters = {
  ...linkFilters,
  item_id: Type.Optional({
    ...Uuid,
    description: 'Instead of all others: an item of the resolver.',
  }),
};

const LinksQuery = Type.Object(linkFilters);
const FilterQuery = Type.Object(scanFilters);

const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** @throws {AppError} 400 for a text that is no list of ids, 404 for codes that the account does not have. */
const readCodeIds = async (sql: Sql, accountId: string, text: string): Promise<readonly string[]> => {
  const ids = [...new Set(text.toLowerCase().split(','))];
  if (ids.length > CODES_MAX || !ids.every(isId))
    throw fieldError(
      'code_ids',
      `must be 1 to ${CODES_MAX} ids of codes with commas between them`,
      'invalid_query',
    );
  const own = await findOwnIds(sql, accountId, ids, 'outside the bin');
  if (own.size < ids.length) throw notFound('code');
  return ids;
};

const readDomainId = async (sql: Sql, accountId: string, written: string): Promise<string | null> => {
  if (written === SHARED) return null;
  const host = readHost(written);
  return requireFound('domain', host.ok ? await findLinkDomain(sql, accountId, host.value) : null).id;
};

/** Returns what a validated query filters links by. @throws {AppError} 400, or 404 for what the account does not have. */
export const readLinkFilter = async (
  sql: Sql,
  accountId: string,
  query: Static<typeof LinksQuery>,
): Promise<LinkFilter> => {
  const {
    folder_id: folderId,
    tag,
    batch_id: batchId,
    domain,
    rule_set_id: ruleSetId,
    code_ids: ids,
  } = query;
  if (folderId !== undefined) await requireFolder(sql, accountId, folderId);
  if (ruleSetId !== undefined) requireFound('rule set', await getRuleSet(sql, accountId, ruleSetId));
  return {
    accountId,
    ...(folderId !== undefined && { folderId }),
    ...(ruleSetId !== undefined && { ruleSetId }),
    ...(tag !== undefined && { tag: readTag(tag, 'invalid_query') }),
    ...(batchId !== undefined && {
      between: requireFound('batch', await idsOfBatch(sql, accountId, batchId)),
    }),
    ...(domain !== undefined && { domainId: await readDomainId(sql, accountId, domain) }),
    ...(ids !== undefined && { codeIds: await readCodeIds(sql, accountId, ids) }),
  };
};

const HOW: Readonly<Record<TooMuch['what'], string>> = {
  links: 'short links would have to be counted: choose a folder, a tag, a batch or some codes with fewer',
  scans: 'scans would have to be looked through for those of the rule: choose a shorter time',
};

const tooMuch = ({ what, max }: TooMuch): AppError =>
  new AppError('invalid_query', `More than ${max.toLocaleString('en')} ${HOW[what]}.`);

/** Returns what was found. @throws {AppError} 400 when it is too much. */
const accepted = async <T>(found: Promise<Result<T, TooMuch>>): Promise<T> => {
  const result = await found;
  if (result.ok) return result.value;
  throw tooMuch(result.fault);
};

/** The most that a statement of a report may take. */
const TIME_LIMIT_MS = 3000;

/** What a report reads. */
export interface Reported {
  readonly sql: Sql;
  readonly scanned: Scanned;
  /** `null`: it is not about certain links. */
  readonly links: readonly LinkOfCode[] | null;
}

/** What a report needs. */
export type ReportParts = Need<'database' | 'scanReports' | 'scanStore'>;

/** What a report asks for. */
interface ReportTerms {
  readonly query: Static<typeof FilterQuery>;
  readonly span: Span;
  /** `if named`: without filters, those of all links that the account has or had are counted together. */
  readonly links: 'if named' | 'scanned' | 'all';
}

/**
 * Finds whose scans a report is about, and reads it. Reports of some links wait in the account's line, and each of their
 * statements has a time limit.
 *
 * @throws {AppError} 400 or 503 when that would be too much, 404 for what the account does not have.
 */
export const readReport = async <T>(
  { database: { sql }, scanReports, scanStore }: ReportParts,
  accountId: string,
  reply: FastifyReply,
  { query, span, links: which }: ReportTerms,
  read: (reported: Reported) => Promise<T>,
): Promise<T> => {
  const { item_id: itemId, rule, ...named } = query;
  const filter = await readLinkFilter(sql, accountId, named);
  const isNamed = Object.keys(filter).length > 1;
  if (itemId !== undefined) {
    if (isNamed || rule !== undefined)
      throw fieldError('item_id', 'must be sent without other filters', 'invalid_query');
    const { slug } = await requireItem(sql, accountId, itemId);
    return read({ sql, scanned: { slug }, links: null });
  }
  if (!isNamed && rule === undefined && which === 'if named')
    return read({ sql, scanned: { accountId }, links: null });
  const { max } = scanStore;
  return scanReports.run(accountId, reply, () =>
    withTimeLimit(sql, TIME_LIMIT_MS, async (tx) => {
      if (!isNamed && rule === undefined && which === 'scanned' && scanStore.countsAccounts) {
        const except = await accepted(findHidden(tx, accountId, max.links));
        return read({ sql: tx, scanned: { accountId, except }, links: null });
      }
      const isAll = !isNamed && rule !== undefined && which !== 'all';
      const links = isAll
        ? null
        : await accepted(findLinks(tx, filter, which === 'all' ? 'all' : 'scanned', max.links));
      const slugs = links?.map(({ slug }) => slug) ?? null;
      if (rule === undefined) return read({ sql: tx, scanned: { slugs: slugs ?? [] }, links });
      if ((await scanStore.countOf(tx, accountId, span)) > max.scans)
        throw tooMuch({ what: 'scans', max: max.scans });
      return read({ sql: tx, scanned: { accountId, slugs, rule }, links });
    }),
  );
};
