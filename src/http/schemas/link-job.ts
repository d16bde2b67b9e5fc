/** The rows of link jobs, and the body of a job in answers. */
import Type, { type Static } from 'typebox';
import type { LinkJob } from '../../db/tables/link-jobs/jobs.ts';
import type { Forward } from '../../db/tables/links.ts';
import { AppError } from '../../errors.ts';
import { ExternalId, Tags } from '../../generate/request/code-request.ts';
import type { ReadChangeRow } from '../../link-jobs/change.ts';
import type { RowFault } from '../../link-jobs/kind.ts';
import { isSlug } from '../../links/slug.ts';
import { ok, type Result, refused } from '../../result.ts';
import { orNull } from '../../stored-json.ts';
import { createTokenBound } from '../../validation/json.ts';
import { fieldsOf, strict, Timestamp } from './atoms.ts';
import { readLabelChanges } from './code.ts';
import { ForwardWritten, readForward } from './forward.ts';
import { readLinkPatch, routeChanges } from './link.ts';
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
    const { slug, external_id, tags, ...fields } = row as Static<typeof LinkChangeRow>;
    if ((slug === undefined) === (external_id === undefined))
      return refuse('slug', 'send one of slug and external_id');
    if (slug !== undefined && !isSlug(slug)) return refuse('slug', 'there is no such short link');
    if (tags === undefined && Object.keys(fields).length === 0)
      return refuse('row', 'changes nothing; send a field besides the name of the link');
    try {
      const route = readLinkPatch(fields, checkDestination);
      const labels = readLabelChanges(tags === undefined ? {} : { tags });
      return ok({ slug: slug ?? null, externalId: external_id ?? null, route, tags: labels.tags ?? null });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const [field = 'row', ...message] = error.details.split(': ');
      return refuse(field, message.join(': '));
    }
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
  undoable: job.isUndoable,
});

/** Creates what reads the field `forward` of a row, with the fault of the first part that is wrong. */
export const createForwardReader = () => {
  const check = createCheck(Type.Object({ forward: orNull(ForwardWritten) }), () => false);
  return (written: unknown): Result<Forward | null, Pick<RowFault, 'field' | 'message'>> => {
    const fault = check({ forward: written });
    if (fault !== null) return refused({ field: fault.field, message: fault.message });
    try {
      return ok(readForward(written as Static<typeof ForwardWritten> | null));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const [field = 'forward', ...message] = error.details.split(': ');
      return refused({ field, message: message.join(': ') });
    }
  };
};
