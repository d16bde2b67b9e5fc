/** Rule sets: rules by name that many short links share. */
import Type, { type Static } from 'typebox';
import { lockAccount, type Sql } from '../../../../db/client.ts';
import type { Principal } from '../../../../db/tables/accounts/keys.ts';
import { boundHistory, readCompleteSince } from '../../../../db/tables/histories.ts';
import { toFolderName } from '../../../../db/tables/names.ts';
import {
  countLinksOf,
  countRuleSets,
  deleteRuleSet,
  getRuleSet,
  insertRuleSet,
  isRuleSetNameTaken,
  listRuleSetHistory,
  listRuleSets,
  RULE_SETS_MAX,
  type RuleSet,
  type RuleSetChange,
  updateRuleSet,
} from '../../../../db/tables/rules/rule-sets.ts';
import { AppError, fieldError } from '../../../../errors.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { assertFound, requireFound } from '../../../auth/require-found.ts';
import { checkOf, IfMatchHeaders, Version, versionOf, withVersion } from '../../../files/versions.ts';
import {
  fieldsOf,
  IdParams,
  NotModified,
  PageQuery,
  strict,
  Timestamp,
  Uuid,
} from '../../../schemas/atoms.ts';
import {
  ChangedBy,
  historySchema,
  toChangedBy,
  toHistoryBody,
  toHistoryPage,
} from '../../../schemas/history.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import { RuleSetName, Rules, readRules } from '../../../schemas/rules/rules.ts';
import { pagesOf } from '../../route.ts';
import type { Need } from '../../services.ts';

const EXAMPLE = { name: 'android', when: { device: ['android'] }, destination: 'https://example.com/play' };

const NewRuleSet = Type.Object(
  { name: RuleSetName, rules: Rules },
  { ...strict, title: 'NewRuleSet', examples: [{ name: 'App stores', rules: [EXAMPLE] }] },
);

const RuleSetPatch = Type.Object(
  { name: Type.Optional(RuleSetName), rules: Type.Optional(Rules) },
  { ...strict, minProperties: 1, title: 'RuleSetPatch', examples: [{ rules: [EXAMPLE] }] },
);

const DryRun = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'true: only checks, and shows how it would be.' }),
    ),
  },
  strict,
);

const RuleSetBody = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    rules: Rules,
    created_at: Timestamp,
    updated_at: Timestamp,
    etag: Version,
  },
  { title: 'RuleSet' },
);

const WholeRuleSet = Type.Object(
  {
    ...RuleSetBody.properties,
    links: Type.Integer({ description: 'Short links that have it, those in the bin included.' }),
  },
  { title: 'RuleSetWithLinks' },
);

const RuleSetChangeBody = Type.Object(
  { name: Type.String(), rules: Rules, at: Timestamp, key: ChangedBy },
  { title: 'RuleSetChange' },
);

type WrittenRules = Static<typeof Rules>;

const ruleSetVersion = ({ name, rules }: RuleSet): string => versionOf({ name, rules });

const toBody = (set: RuleSet) => ({
  ...fieldsOf(set, 'id', 'name', 'createdAt', 'updatedAt'),
  rules: set.rules as WrittenRules,
  etag: ruleSetVersion(set),
});

const withLinks = async (sql: Sql, set: RuleSet) => ({
  ...toBody(set),
  links: await countLinksOf(sql, set.id),
});

const toChangeBody = (change: RuleSetChange) => ({
  ...fieldsOf(change, 'name', 'at'),
  rules: change.rules as WrittenRules,
  key: toChangedBy(change),
});

const readName = (text: string): string => {
  const checked = toFolderName(text);
  if (!checked.ok) throw fieldError('name', checked.fault);
  return checked.value;
};

const requireFreeName = async (
  tx: Sql,
  accountId: string,
  name: string,
  id: string | null,
): Promise<void> => {
  if (!(await isRuleSetNameTaken(tx, accountId, name, id))) return;
  throw fieldError('name', 'another of your rule sets has this name; choose another one', 'name_taken');
};

const requireSet = async (tx: Sql, { accountId }: Principal, id: string): Promise<RuleSet> =>
  requireFound('rule set', await getRuleSet(tx, accountId, id));

/** Adds the routes that list, show and make rule sets, and show their histories. */
export const ruleSetRoutes = ofAccount(
  { tag: 'Links', name: 'rule-sets' },
  (route, { database, linkRules: { checkDestination } }: Need<'database' | 'linkRules'>) => {
    const { sql } = database;
    route('GET /rule-sets', {
      operationId: 'listRuleSets',
      summary: 'Your rule sets, newest first',
      description: 'The call for one says how many short links have it.',
      ...pagesOf(RuleSetBody, toBody, ({ accountId }, page) => listRuleSets(sql, accountId, page)),
    });

    route('GET /rule-sets/:id', {
      operationId: 'getRuleSet',
      summary: 'A rule set, and how many short links have it',
      description: 'To give it to links, set their `rule_set_id`, also of many at once.',
      params: IdParams,
      answer: withHeaders(WholeRuleSet, 'ETag'),
      answers: { 304: withHeaders(NotModified, 'ETag') },
      handle: async ({ params: { id } }, caller, reply) =>
        withVersion(reply, await withLinks(sql, await requireSet(sql, caller, id))),
    });

    route('POST /rule-sets', {
      operationId: 'createRuleSet',
      summary: `Save rules under a name; at most ${RULE_SETS_MAX} sets per account`,
      description: 'Many short links can share them; a change then applies to all of these.',
      body: NewRuleSet,
      answer: WholeRuleSet,
      status: 201,
      fails: [409],
      change: async ({ body }, caller) => {
        const terms = { name: readName(body.name), rules: readRules(body.rules, checkDestination, 'rules') };
        return async ({ sql: tx }) => {
          await lockAccount(tx, caller.accountId);
          await requireFreeName(tx, caller.accountId, terms.name, null);
          if ((await countRuleSets(tx, caller.accountId)) >= RULE_SETS_MAX) {
            const advice = `An account may have ${RULE_SETS_MAX} rule sets; delete one that is no longer used.`;
            throw new AppError('limit_reached', advice);
          }
          return { ...toBody(await insertRuleSet(tx, caller, terms)), links: 0 };
        };
      },
    });

    route('GET /rule-sets/:id/history', {
      operationId: 'listRuleSetChanges',
      summary: 'The names and rules that a rule set has had, current ones first',
      description: 'To go back to an entry, send its fields to `updateRuleSet`.',
      params: IdParams,
      querystring: PageQuery,
      answer: historySchema(RuleSetChangeBody),
      handle: async ({ params: { id }, query }, caller) => {
        const page = toHistoryPage(query);
        await requireSet(sql, caller, id);
        const rows = await listRuleSetHistory(sql, caller.accountId, id, page);
        return toHistoryBody(rows, page, toChangeBody, await readCompleteSince(sql, 'ruleSets', id));
      },
    });
  },
);

/** Adds the routes that change and delete rule sets. */
export const ruleSetChangeRoutes = ofAccount(
  { tag: 'Links', name: 'rule-sets' },
  (route, { linkRules: { checkDestination } }: Need<'linkRules'>) => {
    route('PATCH /rule-sets/:id', {
      operationId: 'updateRuleSet',
      summary: 'Change a rule set, for all short links that have it',
      description:
        'Fields that are left out stay as they are; `rules` replaces all rules. Every gateway applies it within a second. The history keeps the change; to undo it, send the earlier fields.',
      params: IdParams,
      querystring: DryRun,
      headers: IfMatchHeaders,
      body: RuleSetPatch,
      answer: withHeaders(WholeRuleSet, 'ETag'),
      fails: [409, 412],
      change: async (request, caller, reply) => {
        const { body, params, query } = request;
        const { accountId } = caller;
        const change = {
          ...(body.name !== undefined && { name: readName(body.name) }),
          ...(body.rules !== undefined && { rules: readRules(body.rules, checkDestination, 'rules') }),
        };
        const check = checkOf(request);
        return async ({ sql: tx, changes, histories }) => {
          await lockAccount(tx, accountId);
          const set = await requireSet(tx, caller, params.id);
          check(ruleSetVersion(set));
          const next = { ...set, ...change };
          await requireFreeName(tx, accountId, next.name, set.id);
          const isSame = ruleSetVersion(next) === ruleSetVersion(set);
          if (query.dry_run === true || isSame) return withVersion(reply, await withLinks(tx, next));
          const changed = await updateRuleSet(tx, caller, set.id, next);
          await boundHistory(tx, histories, accountId, 'ruleSets', [set.id]);
          await changes.announce(tx, { kind: 'links-of', id: accountId });
          return withVersion(reply, await withLinks(tx, changed));
        };
      },
    });

    route('DELETE /rule-sets/:id', {
      operationId: 'deleteRuleSet',
      summary: 'Delete a rule set that no short link has',
      description: 'A set that links have, those in the bin included, is not deleted: 409.',
      params: IdParams,
      headers: IfMatchHeaders,
      fails: [409, 412],
      change: async (request, caller) => {
        const check = checkOf(request);
        const { id } = request.params;
        return async ({ sql: tx }) => {
          await lockAccount(tx, caller.accountId);
          const set = await requireSet(tx, caller, id);
          check(ruleSetVersion(set));
          const links = await countLinksOf(tx, id);
          if (links > 0) {
            const advice = `Short links that have it, perhaps in the bin: ${links}; set their rule_set_id to null first.`;
            throw new AppError('in_use', advice);
          }
          assertFound('rule set', await deleteRuleSet(tx, caller.accountId, id));
        };
      },
    });
  },
);
