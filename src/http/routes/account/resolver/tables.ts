import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { createNotes } from '../../../../csv/notes.ts';
import { csvLines } from '../../../../csv/write.ts';
import { inTransaction, type Sql } from '../../../../db/client.ts';
import { listItems } from '../../../../db/tables/items.ts';
import { AppError } from '../../../../errors.ts';
import { putItems } from '../../../../resolver/items.ts';
import { WORDS_MAX } from '../../../../resolver/links.ts';
import { COLUMNS, ROWS_MAX, readTable, rowsOf, TABLE_MAX_BYTES } from '../../../../resolver/table.ts';
import { orNull } from '../../../../stored-json.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { encodingIn } from '../../../bodies/row-types.ts';
import { sendFileHeaders } from '../../../files/attachment.ts';
import { sendStream } from '../../../files/streams.ts';
import { describeBytes, fieldsOf, strict } from '../../../schemas/atoms.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import { withoutBody } from '../../../schemas/validation.ts';
import type { Need } from '../../services.ts';
import { Encoding, emptyRows } from '../batches/body.ts';

/** Items that are read at once for an export: with long links they are a megabyte. */
const PAGE_ITEMS = 50;

const Imported = Type.Object(
  {
    rows: Type.Integer(),
    items: Type.Integer(),
    created: Type.Integer(),
    changed: Type.Integer({ description: 'The other items already had these links.' }),
    change_id: orNull(
      Type.String({
        format: 'uuid',
        description: 'The id that undoes the change of existing items; null: none changed.',
      }),
    ),
    dry_run: Type.Boolean(),
    encoding: Encoding,
    ...emptyRows,
  },
  { title: 'ItemsImported' },
);

const wrongType = (): AppError => new AppError('unsupported_media_type', 'Send the table as text/csv.');

/** Yields the lines of a table of all items; the first ones once the database has answered. */
async function* writeTable(sql: Sql, accountId: string): AsyncGenerator<string, void> {
  for (let after: string | null = null; ; ) {
    const items = await listItems(sql, accountId, { prefix: '', after, limit: PAGE_ITEMS });
    if (after === null) yield csvLines([[...COLUMNS]]);
    for (const item of items) yield csvLines(rowsOf([item]));
    if (items.length < PAGE_ITEMS) return;
    after = items.at(-1)!.path;
  }
}

/** Adds the routes that import and export items as CSV. */
export const itemTableRoutes = ofAccount(
  { tag: 'Resolver', name: 'items' },
  (route, { database, resolver }: Need<'database' | 'resolver'>, app) => {
    const { sql } = database;
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('text/csv', async (request: FastifyRequest, payload: IncomingMessage) => {
      const body = await app.receiveBytes(request, payload);
      const encoding = request.headers['content-type'] ?? '';
      request.bodyHash = createHash('sha256').update(`${encoding}\n`).update(body).digest('hex');
      return body;
    });
    app.addContentTypeParser('*', (_request, _payload, done) => done(wrongType()));

    route('POST /resolver/items/import', {
      operationId: 'importItems',
      isOfMany: true,
      summary: `Make and change items from a CSV file of up to ${ROWS_MAX} rows, all or none`,
      description: `Each row is a link: ${COLUMNS.join(', ')}, of which key, rel, href and title are required. Columns such as gtin, lot, serial, gln and sscc can replace key. hreflang and context take up to ${WORDS_MAX} words each. The rows of an item replace all its links; other items do not change. Up to ten faults are reported.`,
      querystring: Type.Object({ dry_run: Type.Optional(Type.Boolean()) }, strict),
      body: { content: { 'text/csv': { schema: { type: 'string' } } } },
      answer: Imported,
      options: { bodyLimit: TABLE_MAX_BYTES, validatorCompiler: withoutBody(app) },
      change: async (request, { accountId, keyId }) => {
        const { dry_run: isDryRun = false } = request.query;
        const encoding = encodingIn(request.headers['content-type'] ?? '');
        if (!Buffer.isBuffer(request.body)) throw wrongType();
        const notes = createNotes();
        const table = await readTable(request.body, encoding, notes, resolver.checkHref);
        if (!table.ok) {
          const [{ field, message }] = table.fault as [(typeof table.fault)[number]];
          throw new AppError('invalid_body', `${field}: ${message}`, { faults: table.fault });
        }
        const { rows, items } = table.value;
        const editor = { accountId, keyId, changeId: randomUUID() };
        return (changed) =>
          inTransaction(changed.sql, async (tx) => {
            const put = await putItems(tx, changed, editor, items, {
              mayExist: true,
              itemsMax: resolver.itemsMax,
              isDryRun,
            });
            const changeId = put.changed > 0 && !isDryRun ? editor.changeId : null;
            const told = { changeId, dryRun: isDryRun, ...notes };
            return {
              rows,
              items: items.length,
              created: put.created,
              changed: put.changed,
              ...fieldsOf(told, 'changeId', 'dryRun', 'encoding', 'emptyRows', 'firstEmptyRows'),
            };
          });
      },
    });

    const table = {
      operationId: 'exportItems',
      summary: 'All your items as CSV, in the format of an import',
      description: `The columns are ${COLUMNS.join(', ')}. If the file cannot be completed, the connection is aborted.`,
      answer: withHeaders(describeBytes('The table.', 'text/csv'), 'Cache-Control', 'Content-Disposition'),
      options: { exposeHeadRoute: false },
    };
    route('GET /resolver/items.csv', {
      ...table,
      handle: async (_, { accountId }, reply) => {
        const head = () => void sendFileHeaders(reply, 'text/csv; charset=utf-8', 'items', 'csv');
        return sendStream(reply, writeTable(sql, accountId), { isWhole: true, head });
      },
    });
    route('HEAD /resolver/items.csv', {
      ...table,
      handle: async (_request, _caller, reply) =>
        sendFileHeaders(reply, 'text/csv; charset=utf-8', 'items', 'csv').send(),
    });
  },
);
