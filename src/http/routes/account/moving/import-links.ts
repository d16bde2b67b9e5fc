import Type, { type Static } from 'typebox';
import { TABLE } from '../../../../batches/receive/limits.ts';
import { explain, type ReadLine } from '../../../../batches/receive/table.ts';
import { createNotes } from '../../../../csv/notes.ts';
import { toFolderName } from '../../../../db/tables/names.ts';
import { fieldError } from '../../../../errors.ts';
import { createLeftOut } from '../../../../link-imports/left-out.ts';
import { type LinkReading, readLinks, readNamedColumns } from '../../../../link-imports/read.ts';
import { LINK_SOURCES } from '../../../../link-imports/sources.ts';
import { type ImportTerms, toImportLine } from '../../../../link-jobs/candidates.ts';
import { okOrThrow } from '../../../../result.ts';
import { LINE } from '../../../../validation/formats.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireLinkJob } from '../../../auth/require-found.ts';
import { rowTypeOf } from '../../../bodies/row-types.ts';
import { strict } from '../../../schemas/atoms.ts';
import { LinkJobBody, toLinkJobBody } from '../../../schemas/link-job.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import { withoutBody } from '../../../schemas/validation.ts';
import type { Need } from '../../services.ts';
import { createReceiveRows, tableTypeOf, takeTables, wrongType } from '../link-jobs/receive-rows.ts';
import { JobHeaders, jobTerms } from '../link-jobs/send.ts';

const Query = Type.Object(
  {
    ...jobTerms,
    source: Type.Optional(
      Type.Enum([...LINK_SOURCES], {
        default: 'tessera',
        description: 'Where the file comes from. `tessera`: our export, or a table with columns of your own.',
      }),
    ),
    domain: Type.Optional(
      Type.String({
        pattern: LINE,
        maxLength: 253,
        description: 'The host of all links, whatever the rows say. Absent: the one that each row says.',
      }),
    ),
    folder_name: Type.Optional(
      Type.String({
        maxLength: 1000,
        description:
          'The folder of links whose rows name none; it is made or reused. Absent: `Imported links` and the date.',
      }),
    ),
    columns: Type.Optional(
      Type.String({
        maxLength: 8000,
        description: 'Maps fields to columns, as JSON: `{"destination": "Long link"}`.',
      }),
    ),
    dropped: Type.Optional(
      Type.Enum(['refuse', 'accept'], {
        default: 'refuse',
        description:
          'What to do about what a link cannot keep, such as a password, and about columns of `tessera` that are no field.',
      }),
    ),
  },
  strict,
);

const lines = (description: string, more: object = {}) => ({
  schema: Type.Unsafe({ type: 'string', description, ...more }),
});

const Body = {
  content: {
    'application/x-ndjson': lines(
      'JSON on each line: a link, or a page of links as the API of a service answers it.',
      {
        contentMediaType: 'application/x-ndjson',
      },
    ),
    'text/csv': lines('A header row, then rows.'),
  },
};

/** @throws {AppError} 415 for links of another type, 400 for columns. */
const readingOf = (header: string, query: Static<typeof Query>): LinkReading => {
  const { format, encoding } = rowTypeOf(header);
  if (format === 'xlsx') throw wrongType();
  const columns =
    query.columns === undefined
      ? {}
      : okOrThrow(readNamedColumns(query.columns), (fault) => fieldError('columns', fault, 'invalid_query'));
  return {
    ...{ source: query.source ?? 'tessera', format, encoding, columns, bounds: TABLE, notes: createNotes() },
    leftOut: createLeftOut(),
    isDropAccepted: query.dropped === 'accept',
  };
};

const termsOf = ({ folder_name: name, domain }: Static<typeof Query>): ImportTerms => {
  const written = name ?? `Imported links ${new Date().toISOString().slice(0, 10)}`;
  const folder = okOrThrow(toFolderName(written), (fault) =>
    fieldError('folder_name', fault, 'invalid_query'),
  );
  return { folder, domain: domain?.toLowerCase() ?? null };
};

async function* readImportLines(
  chunks: AsyncIterable<Buffer>,
  reading: LinkReading,
): AsyncGenerator<ReadLine> {
  try {
    for await (const { fileRow, ...read } of readLinks(chunks, reading))
      yield { text: toImportLine(read), fileRow };
  } catch (error) {
    throw explain(error);
  }
}

/** Adds the route that receives imports of links. */
export const importLinksRoute = ofAccount(
  { tag: 'Links', name: 'import_links' },
  (route, parts: Need<'batches' | 'database' | 'linkJobs'>, app) => {
    takeTables(app);
    const receive = createReceiveRows(parts);

    route('POST /links/imports', {
      operationId: 'createLinkImport',
      summary: 'Import up to a million short links from elsewhere, in a background job',
      description:
        'The body is NDJSON or CSV: our own export, a table with columns by other names, or what Bitly, YOURLS, Kutt, dub or Shlink gives out (`source`). Each link gets a code without a picture, which `drawCode` draws; importing costs no units. A link that you have already, by its slug, is left as it is, so sending the file again makes nothing twice. The answer is a link job: `getLinkJob` and `listLinkJobFaults` tell how it goes. See docs/api/moving-links.md.',
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
          kind: 'import',
          terms: { ...termsOf(request.query) },
          notes: reading.notes,
          leftOut: reading.leftOut.list,
          read: (chunks) => readImportLines(chunks, reading),
        });
        if (replayed) reply.header('idempotent-replayed', 'true');
        return toLinkJobBody(await requireLinkJob(parts.database.sql, caller.accountId, id));
      },
    });
  },
);
