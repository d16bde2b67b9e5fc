import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { COMPARED_MAX, COMPOSED_MAX, readPreviewRows } from '../../../../batches/receive/composed.ts';
import { FIELDS } from '../../../../batches/receive/fields.ts';
import { readPreview, type TableFormat } from '../../../../batches/receive/lines.ts';
import type { Preview as ReadFile } from '../../../../batches/receive/preview.ts';
import { Unreadable } from '../../../../batches/receive/table.ts';
import { readUpload } from '../../../../batches/receive/upload.ts';
import { EncodingFault } from '../../../../csv/encoding.ts';
import { createNotes, type TableNotes } from '../../../../csv/notes.ts';
import { AppError } from '../../../../errors.ts';
import { mergeOptions } from '../../../../generate/request/options.ts';
import { MAX_MEASURED_MS } from '../../../../limits/free-work.ts';
import { orNull } from '../../../../stored-json.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { rowTypeOf, XLSX_TYPE } from '../../../bodies/row-types.ts';
import { decodeHeader, namedPreset, PresetHeader } from '../../../preset.ts';
import { fieldsOf, strict } from '../../../schemas/atoms.ts';
import { withoutBody } from '../../../schemas/validation.ts';
import type { Need } from '../../services.ts';
import { DuplicateBody, Encoding, emptyRows, toDuplicateBody } from './body.ts';
import { columnsOfQuery, settleContent } from './content.ts';
import { parseDesign } from './multipart.ts';
import { refuseUnique } from './receiver.ts';
import { SendBody, SendHeaders, SendQuery } from './send-terms.ts';

const NOT_COMPARED = {
  ...{ comparedRows: 0, duplicates: 0, refusedDuplicates: 0 },
  ...{ faultyRows: [], firstDuplicates: [] },
};
/** The beginning of a CSV file is enough. An XLSX file has a bound of its own. */
const CSV_MAX_BYTES = 8 * 1024 * 1024;

const Preview = Type.Object(
  {
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        field: orNull(Type.String({ description: 'The field that its name or values suggest.' })),
      }),
    ),
    rows: Type.Array(Type.Array(Type.String()), { description: 'The texts of their cells.' }),
    header_row: Type.Integer({ description: 'The row of the file with their names.' }),
    file_rows: Type.Array(Type.Integer(), { description: 'The rows of the file that `rows` are.' }),
    cell_faults: Type.Array(
      Type.Object({
        file_row: Type.Integer(),
        column: Type.Integer({ description: 'From 0.' }),
        message: Type.String(),
      }),
      { description: 'Cells of `rows` without a text, such as formulas with errors.' },
    ),
    more: Type.Boolean({ description: 'Whether the file has more rows.' }),
    encoding: Encoding,
    delimiter: orNull(Type.String({ description: 'What delimits its cells.' })),
    ...emptyRows,
    fault: orNull(
      Type.String({ description: 'Why a batch of this file would fail, as far as it was read.' }),
    ),
    fields: Type.Array(Type.String(), { description: 'The fields to which a column can be mapped.' }),
    composed: orNull(
      Type.Array(
        Type.Object({ data: orNull(Type.String()), fault: orNull(Type.String()) }, { title: 'ComposedRow' }),
        {
          description: `What the codes of the first rows, at most ${COMPOSED_MAX}, would contain. Null: without \`Design\`, or with a \`fault\`.`,
        },
      ),
    ),
    faulty_rows: Type.Array(
      Type.Object({
        file_row: Type.Integer(),
        faults: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
      }),
      { description: 'The compared rows that a batch would refuse, with all that is wrong.' },
    ),
    compared_rows: Type.Integer({
      description: `The first rows, at most ${COMPARED_MAX}: checked and compared. 0 if the columns are refused.`,
    }),
    duplicates: Type.Integer({ description: 'Those of them that repeat an earlier one.' }),
    refused_duplicates: Type.Integer({ description: 'Those that are errors of a batch.' }),
    first_duplicates: Type.Array(
      Type.Object({ ...DuplicateBody.properties, refused: Type.Boolean() }, { title: 'PreviewedDuplicate' }),
      { description: 'The first 100.' },
    ),
  },
  { title: 'BatchPreview' },
);

const { columns, other_columns, duplicates, unique } = SendQuery.properties;
const Query = Type.Object(
  {
    rows: Type.Optional(Type.Integer({ minimum: 1, maximum: COMPARED_MAX, default: 10 })),
    columns,
    other_columns,
    duplicates,
    unique,
  },
  strict,
);
const Headers = Type.Object({ ...PresetHeader, design: SendHeaders.properties.design });

/** Returns the answer. @param hasDesign Without a design, columns may still be chosen. */
const toBody = (
  read: ReadFile,
  found: Awaited<ReturnType<typeof readPreviewRows>>,
  { rows, notes, hasDesign }: { rows: number; notes: TableNotes; hasDesign: boolean },
) => {
  const known = 'fault' in found ? NOT_COMPARED : found;
  return {
    columns: [...read.columns],
    rows: read.rows.slice(0, rows).map((row) => [...row]),
    header_row: read.headerRow,
    file_rows: read.fileRows.slice(0, rows),
    cell_faults: read.cellFaults
      .slice(0, rows)
      .flatMap((fault, at) =>
        fault === null ? [] : [{ file_row: read.fileRows[at]!, column: fault.index, message: fault.message }],
      ),
    more: read.more || read.rows.length > rows,
    fault: hasDesign && 'fault' in found ? found.fault : read.fault,
    composed: hasDesign && !('fault' in found) ? found.composed.slice(0, rows) : null,
    ...fieldsOf(known, 'comparedRows', 'duplicates', 'refusedDuplicates'),
    faulty_rows: known.faultyRows.map(({ fileRow, faults }) => ({ file_row: fileRow, faults: [...faults] })),
    first_duplicates: known.firstDuplicates.map((each) => ({
      ...toDuplicateBody({ ...each, firstBatchId: null }),
      refused: each.refused,
    })),
    ...fieldsOf(notes, 'encoding', 'delimiter', 'emptyRows', 'firstEmptyRows'),
    fields: [...FIELDS],
  };
};

const wrongType = (): AppError =>
  new AppError('unsupported_media_type', `Send the file as text/csv or ${XLSX_TYPE}.`);

/** Passes the body on, and reads it to its end: an earlier answer would be lost with the connection. */
const shareBody = (chunks: AsyncGenerator<Buffer>, format: TableFormat) => {
  let bytes = 0;
  let receivedMs = performance.now();
  async function* bounded(): AsyncGenerator<Buffer> {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      bytes += next.value.length;
      receivedMs = performance.now();
      if (format === 'csv' && bytes > CSV_MAX_BYTES)
        throw new AppError('body_too_large', `body: send at most the first ${CSV_MAX_BYTES} bytes of CSV`);
      yield next.value;
    }
  }
  return {
    beginning: bounded(),
    /** Milliseconds since the last bytes arrived: from then on XLSX is read. */
    sinceReceivedMs: () => performance.now() - receivedMs,
    async finish(): Promise<void> {
      for await (const _ of bounded());
    },
  };
};

/** Adds the route that shows the beginning of a file. */
export const batchPreviewRoute = ofAccount(
  { tag: 'Batches', name: 'preview_batch', scope: 'generate' },
  (
    route,
    { batches, database, presets, freeWork }: Need<'batches' | 'database' | 'presets' | 'freeWork'>,
    app,
  ) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(['text/csv', XLSX_TYPE], (_request, payload, done) => done(null, payload));
    app.addContentTypeParser('*', (_request, _payload, done) => done(wrongType()));

    /** Reads the options for all rows; `null`: none are given. */
    const designOf = async ({ headers }: FastifyRequest, accountId: string): Promise<object | null> => {
      const preset = headers['tessera-preset'];
      const own = parseDesign(headers.design, batches.checkDesign, 'invalid_header');
      if (preset === undefined) return own;
      const name = { field: 'Tessera-Preset', text: decodeHeader(String(preset)) } as const;
      const named = await namedPreset(presets, accountId, name);
      return mergeOptions<object>(named.options, own ?? {});
    };

    route('POST /batches/preview', {
      operationId: 'previewBatch',
      isSafe: true,
      summary: 'The columns and first rows of a file, and the field of each column; free of charge',
      description: 'The body is XLSX, or CSV, of which the beginning (at most 8 MiB) is enough.',
      querystring: Query,
      headers: Headers,
      body: {
        content: { 'text/csv': SendBody.content['text/csv'], [XLSX_TYPE]: SendBody.content[XLSX_TYPE] },
      },
      answer: Preview,
      options: { validatorCompiler: withoutBody(app), config: { takesUploads: true } },
      handle: async (request, { accountId }) => {
        if (request.body === undefined) throw wrongType();
        const { encoding, ...type } = rowTypeOf(request.headers['content-type'] ?? '');
        const format = type.format as TableFormat;
        const notes = createNotes();
        const design = await designOf(request, accountId);
        const settled = await settleContent(database.sql, accountId, design ?? {}, 'invalid_header');
        const terms = columnsOfQuery(request.query, settled.table);
        refuseUnique(request.query.unique, settled.table.names);
        return batches.uploadPlaces.hold(request, async (watch) => {
          const upload = { body: request.body as Readable, socket: request.raw.socket, gzip: false, watch };
          const { beginning, finish, sinceReceivedMs } = shareBody(
            readUpload(upload, createHash('sha256')),
            format,
          );
          try {
            const { rows = 10, duplicates = 'refuse-keys', unique } = request.query;
            const read = await watch.guard(
              readPreview(beginning, { format, encoding, columns: terms, notes }, COMPARED_MAX),
            );
            await watch.guard(finish());
            const next = new Map(settled.known.map((counter) => [counter.name, counter.next]));
            const uniqueColumn = unique ?? null;
            const readRow = batches.createRowReader(
              { format, design: design ?? {}, counters: settled.counters, uniqueColumn, domain: null },
              (counter, row) => next.get(counter)! + row - 1,
            );
            const found = await readPreviewRows(read, terms, readRow, {
              ...{ rule: duplicates, uniqueColumn },
              hasCells: format === 'csv',
            });
            return toBody(read, found, { rows, notes, hasDesign: design !== null });
          } catch (error) {
            if (!(error instanceof Unreadable || error instanceof EncodingFault)) throw error;
            await watch.guard(finish());
            if (error instanceof EncodingFault) throw error;
            throw new AppError('malformed_body', `body: ${error.message}`);
          } finally {
            freeWork.spend(accountId, Math.min(MAX_MEASURED_MS, sinceReceivedMs()));
          }
        });
      },
    });
  },
);
