import Type, { type Static } from 'typebox';
import type { FieldSchema } from '../../../../csv/columns.ts';
import { createNotes } from '../../../../csv/notes.ts';
import { type JobReading, readJobLines } from '../../../../link-jobs/lines.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireLinkJob } from '../../../auth/require-found.ts';
import { rowTypeOf } from '../../../bodies/row-types.ts';
import { strict } from '../../../schemas/atoms.ts';
import { LINK_NAMES, LinkChangeRow, LinkJobBody, toLinkJobBody } from '../../../schemas/link-job.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import { withoutBody } from '../../../schemas/validation.ts';
import type { Need } from '../../services.ts';
import { readMapping } from '../batches/content.ts';
import { createReceiveRows, tableTypeOf, takeTables, wrongType } from './receive-rows.ts';

/** What the query of a call says about how the rows of its job are handled. */
export const jobTerms = {
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Checks the rows and counts what would change.' }),
  ),
  all_or_nothing: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Changes nothing if a row has a fault. Without this, rows with faults are left out, and the others are handled.',
    }),
  ),
  webhook: Type.Optional(
    Type.String({ format: 'uuid', description: 'Id of a webhook to notify when it ends.' }),
  ),
};

/** What it says about the columns of CSV. */
export const columnTerms = {
  columns: Type.Optional(
    Type.String({
      maxLength: 8000,
      description:
        'Maps fields to columns of CSV, as JSON: `{"slug": "Short link", "tags": null}`; `null`: no column.',
    }),
  ),
  other_columns: Type.Optional(
    Type.Enum(['refuse', 'skip'], {
      default: 'refuse',
      description: 'What to do with columns that match no field.',
    }),
  ),
};

const Query = Type.Object({ ...jobTerms, ...columnTerms }, strict);

/** The headers of a call that sends a link job. */
export const JobHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'As in other calls, but valid for as long as the job is listed.' }),
  ),
  'content-encoding': Type.Optional(Type.Enum(['gzip', 'identity'])),
});

const rows = (description: string, more: object = {}) => ({
  schema: Type.Unsafe({ type: 'string', description, ...more }),
});

const Body = {
  content: {
    'application/x-ndjson': rows('One row per line.', {
      contentMediaType: 'application/x-ndjson',
      contentSchema: LinkChangeRow,
    }),
    'text/csv': rows('A header row, then rows. An empty cell leaves its field as it is; `null` removes it.'),
  },
};

const FIELDS = Object.keys(LinkChangeRow.properties);

/** @throws {AppError} 415 for rows of another type. */
const readingOf = (header: string, query: Static<typeof Query>): JobReading => {
  const { format, encoding } = rowTypeOf(header);
  if (format === 'xlsx') throw wrongType();
  const others = query.other_columns === 'skip' ? 'skipped' : 'refused';
  return { format, encoding, mapping: readMapping(query.columns, FIELDS), others, notes: createNotes() };
};

/** Adds the route that receives jobs that change links. */
export const sendLinkJobRoute = ofAccount(
  { tag: 'Links', name: 'send_link_job' },
  (route, parts: Need<'batches' | 'database' | 'linkJobs'>, app) => {
    takeTables(app);
    const receive = createReceiveRows(parts);

    route('POST /link-jobs', {
      operationId: 'createLinkJob',
      summary: 'Change up to a million short links, each to its own, in a background job',
      description:
        'The body is NDJSON, or CSV with a header row, optionally as gzip. A row names its link by `slug` or `external_id`; what it leaves out stays as it is. Every gateway applies each change within a second. The history of each link records it, and `undoLinkJob` undoes all of it. Sending the rows again changes nothing. See docs/api/link-jobs.md.',
      headers: JobHeaders,
      querystring: Query,
      body: Body,
      answer: withHeaders(LinkJobBody, 'Idempotent-Replayed'),
      status: 202,
      fails: [409, 422],
      options: {
        validatorCompiler: withoutBody(app),
        config: { takesUploads: true, encodings: ['gzip'] },
      },
      handle: async (request, caller, reply) => {
        const reading = readingOf(tableTypeOf(request), request.query);
        const { id, replayed } = await receive(request, caller, {
          kind: 'change',
          terms: { format: reading.format },
          notes: reading.notes,
          leftOut: () => [],
          read: (chunks) => readJobLines(chunks, LinkChangeRow as FieldSchema, LINK_NAMES, reading),
        });
        if (replayed) reply.header('idempotent-replayed', 'true');
        return toLinkJobBody(await requireLinkJob(parts.database.sql, caller.accountId, id));
      },
    });
  },
);
