/** The rows of link jobs, and the body of a job in answers. */
import Type, { type Static } from 'typebox';
import type { LinkJob } from '../../db/tables/link-jobs/jobs.ts';
import { toFolderName } from '../../db/tables/names.ts';
import { AppError, fieldError } from '../../errors.ts';
import { ExternalId, Tags } from '../../generate/request/code-request.ts';
import type { CandidateParts } from '../../link-jobs/candidates.ts';
import type { ReadChangeRow } from '../../link-jobs/change.ts';
import type { RowFault } from '../../link-jobs/kind.ts';
import { isSlug } from '../../links/slug.ts';
import { ok, okOrThrow, type Result, refused } from '../../result.ts';
import { orNull } from '../../stored-json.ts';
import { createTokenBound } from '../../validation/json.ts';
import { fieldsOf, strict, Timestamp } from './atoms.ts';
import { readLabelChanges } from './code.ts';
import { ForwardWritten, readForward } from './forward.ts';
import { guardChanges, readLinkPatch, routeChanges } from './link.ts';
import { RuleSetName, Rules, readRules } from './rules/rules.ts';
import { createCheck } from './validation.ts';

/** A row of a job that changes links. */
export const LinkChangeRow = Type.Object(
  {
    slug: Type.Optional(Type.String({ maxLength: 64, description: 'Any slug of the link.' })),
    external_id: Type.Optional({
      ...ExternalId,
      description:
        'Instead of `slug`: your own id for the code of the link. Only one of your links may have it.',
    }),
    ...routeChanges,
    ...guardChanges,
    rule_set: Type.Optional(
      orNull(RuleSetName, { description: 'Instead of `rule_set_id`: the name of the set; null: none.' }),
    ),
    tags: Type.Optional(Tags),
  },
  { ...strict, title: 'LinkChangeRow' },
);

/** The columns of which a table of such rows must have one. */
export const LINK_NAMES = ['slug', 'external_id'];

const isParsable = createTokenBound(LinkChangeRow);

const parse = (text: string): unknown => {
  try {
    return isParsable(text) ? JSON.parse(text) : null;
  } catch {
    return null;
  }
};

/** What a row calls its link, as far as it can be told. */
const namesOf = (row: object): Pick<RowFault, 'slug' | 'externalId'> => {
  const { slug, external_id: id } = row as Record<string, unknown>;
  return {
    slug: typeof slug === 'string' && isSlug(slug) ? slug : null,
    externalId: typeof id === 'string' && /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(id) ? id : null,
  };
};

/** Does something that refuses a field of a row with an `AppError`. */
const asFault = <T>(read: () => T): Result<T, Pick<RowFault, 'field' | 'message'>> => {
  try {
    return ok(read());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [field = 'row', ...message] = error.details.split(': ');
    return refused({ field, message: message.join(': ') });
  }
};

/** Creates what reads the lines of rows that change links. */
export const createChangeRowReader = (
  checkDestination: Parameters<typeof readLinkPatch>[1],
): ReadChangeRow => {
  const check = createCheck(LinkChangeRow, () => false);
  return (text, isTable) => {
    const row = parse(text);
    if (isTable && Array.isArray(row)) {
      const [, field, message, externalId] = row as string[];
      return refused({ ...namesOf({ external_id: externalId }), field: field!, message: message! });
    }
    const names = namesOf(Object(row));
    const refuse = (field: string, message: string) => refused({ ...names, field, message });
    const fault = check(row);
    if (fault !== null) return refuse(fault.field, fault.message);
    const { slug, external_id, tags, rule_set, ...fields } = row as Static<typeof LinkChangeRow>;
    if ((slug === undefined) === (external_id === undefined))
      return refuse('slug', 'send one of slug and external_id');
    if (slug !== undefined && !isSlug(slug)) return refuse('slug', 'there is no such short link');
    if (tags === undefined && rule_set === undefined && Object.keys(fields).length === 0)
      return refuse('row', 'changes nothing; send a field besides the name of the link');
    if (rule_set !== undefined && fields.rule_set_id !== undefined)
      return refuse('rule_set', 'send one of rule_set and rule_set_id');
    const { password } = fields;
    const read = asFault(() => ({
      slug: slug ?? null,
      externalId: external_id ?? null,
      route: {
        ...readLinkPatch(fields, checkDestination),
        ...(password === null && { passwordHash: null }),
      },
      ruleSet: rule_set,
      password: password ?? null,
      tags: readLabelChanges(tags === undefined ? {} : { tags }).tags ?? null,
    }));
    return read.ok ? read : refuse(read.fault.field, read.fault.message);
  };
};

const Count = Type.Integer();

/** A link job, in answers. */
export const LinkJobBody = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: 'Also the `change_id` in the histories of the links that it changes.',
    }),
    kind: Type.Enum(['change', 'import', 'undo']),
    state: Type.Enum(['receiving', 'checking', 'running', 'reverting', 'done', 'failed', 'cancelled'], {
      description:
        '`checking`: its rows are checked, and nothing changes. `reverting`: it will fail or be cancelled, and what it has changed is brought back.',
    }),
    reason: orNull(Type.String({ description: 'Why it ends in a state other than `done`.' })),
    dry_run: Type.Boolean(),
    all_or_nothing: Type.Boolean(),
    undoes: orNull(Type.String({ format: 'uuid', description: 'The job that it undoes; null: none.' })),
    encoding: orNull(
      Type.String({ description: 'The encoding of the file, as the WHATWG Encoding Standard names it.' }),
    ),
    empty_rows: Type.Integer({ description: 'Rows without text, which are left out.' }),
    first_empty_rows: Type.Array(Type.Integer(), {
      description: 'The first of them, as `file_row` counts: from 1, with the header row and empty rows.',
    }),
    rows: Count,
    handled: Type.Integer({ description: 'Rows that are handled in the present state.' }),
    made: Type.Integer({ description: 'Links that are made, or in a dry run would be.' }),
    changed: Type.Integer({ description: 'Links that are changed, or in a dry run would be.' }),
    left_out: Type.Array(
      Type.Object(
        {
          column: orNull(
            Type.String({
              description: 'As the file has it, with a dot before an inner field; null: further columns.',
            }),
          ),
          rows: Type.Integer({ description: 'Rows that have a value there.' }),
        },
        { title: 'LeftOutColumn' },
      ),
      {
        description: 'Columns, or fields of JSON, that an import leaves out although rows have values there.',
      },
    ),
    unchanged: Type.Integer({ description: 'Rows whose links have these fields already.' }),
    faults: Type.Integer({ description: 'Rows that cannot be handled; `listLinkJobFaults` has the first.' }),
    undoable: Type.Boolean({ description: 'Whether `undoLinkJob` would bring anything back.' }),
    created_at: Timestamp,
    started_at: orNull(Timestamp),
    finished_at: orNull(Timestamp),
    expires_at: orNull(
      Type.String({
        format: 'date-time',
        description: 'It is listed, and can be undone, until then; null: it has not ended.',
      }),
    ),
  },
  { title: 'LinkJob' },
);

export const toLinkJobBody = (job: LinkJob) => ({
  ...fieldsOf(
    job,
    'id',
    'kind',
    'reason',
    'allOrNothing',
    'undoes',
    'encoding',
    'emptyRows',
    'firstEmptyRows',
    'rows',
    'handled',
    'made',
    'changed',
  ),
  ...fieldsOf(job, 'unchanged', 'faults', 'createdAt', 'startedAt', 'finishedAt', 'expiresAt'),
  state:
    job.ending !== null && job.state === 'running' && job.allOrNothing ? ('reverting' as const) : job.state,
  dry_run: job.isDryRun,
  left_out: job.leftOut.map(({ column, rows }) => ({ column, rows })),
  undoable: job.isUndoable,
});

/** What is unchecked in a link of a file. */
const Guards = Type.Object({
  forward: orNull(ForwardWritten),
  rules: guardChanges.rules,
  rule_set: orNull(Type.Object({ name: RuleSetName, rules: orNull(Rules) }, strict)),
  visit_limit: guardChanges.visit_limit,
  password: guardChanges.password,
});

/** Creates what reads the fields of a moved link that decide about visits, with the first fault. */
export const createGuardReader = (
  checkDestination: Parameters<typeof readLinkPatch>[1],
): CandidateParts['readGuard'] => {
  const check = createCheck(Guards, () => false);
  return ({ forward, rules, ruleSet, visitLimit, password }) => {
    const rule_set = typeof ruleSet === 'string' ? { name: ruleSet, rules: null } : ruleSet;
    const written = { forward, rules, rule_set, visit_limit: visitLimit, password };
    const fault = check(written);
    if (fault !== null) return refused({ field: fault.field, message: fault.message });
    return asFault(() => {
      const fields = written as Static<typeof Guards>;
      const { visit_limit = null, password: wanted = null } = fields;
      return {
        forward: readForward(fields.forward),
        rules: fields.rules ? readRules(fields.rules, checkDestination, 'rules') : null,
        visitLimit: visit_limit,
        password: wanted,
        ruleSet: fields.rule_set && {
          name: okOrThrow(toFolderName(fields.rule_set.name), (wrong) => fieldError('rule_set.name', wrong)),
          rules:
            fields.rule_set.rules && readRules(fields.rule_set.rules, checkDestination, 'rule_set.rules'),
        },
      };
    });
  };
};
