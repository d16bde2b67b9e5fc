import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { idempotencyKeyOf } from '../../../idempotency.ts';
import { strict } from '../../../schemas/atoms.ts';
import { XLSX_TYPE } from './media-types.ts';

const FORMATS = 'png|svg|pdf|eps|webp';

/** The query of a call for a batch. */
export const SendQuery = Type.Object(
  {
    folder: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Id of a folder, or the name of one that is made or reused.',
      }),
    ),
    formats: Type.Optional(
      Type.String({
        pattern: `^(${FORMATS})(,(${FORMATS})){0,4}$`,
        default: 'png',
        description:
          'Formats of each code, with commas: `png`, `svg`, `pdf`, `eps`, `webp`. A code costs one unit in any case.',
      }),
    ),
    webhook: Type.Optional(
      Type.String({ format: 'uuid', description: 'Id of a webhook that is told of its end.' }),
    ),
    on_error: Type.Optional(
      Type.Enum(['skip', 'stop'], {
        default: 'skip',
        description: 'Whether a row that fails while codes are made ends the batch.',
      }),
    ),
    columns: Type.Optional(
      Type.String({
        maxLength: 8000,
        description:
          'Columns of CSV or XLSX by hand, as JSON: `{"data": "Web address", "name": "Title", "width": null}`; `null`: no column is this field.',
      }),
    ),
    other_columns: Type.Optional(
      Type.Enum(['refuse', 'skip'], {
        default: 'refuse',
        description: 'What becomes of columns that are no field.',
      }),
    ),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 31_536_000,
        description: 'Seconds in which it must end, and for which results are kept then.',
      }),
    ),
  },
  strict,
);

/** Its headers. */
export const SendHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'As in other calls, for as long as the batch is listed.' }),
  ),
  'content-encoding': Type.Optional(Type.Enum(['gzip', 'identity'])),
  design: Type.Optional(
    Type.String({
      description: '`BatchOptions` as JSON, for all rows: `PictureOptions`, and `print` as in a row.',
    }),
  ),
  'upload-complete': Type.Optional(
    Type.Enum(['?0', '?1'], { description: '`?0`, without a body: begins an upload in chunks.' }),
  ),
});

const rowsOf = (description: string) => ({ schema: Type.Unsafe({ description }) });

/** Its body. It is read as a stream; what this allows is checked then. */
export const SendBody = {
  content: {
    'application/x-ndjson': rowsOf('A row a line.'),
    'text/csv': rowsOf('A header row, and rows.'),
    [XLSX_TYPE]: rowsOf('The same, in the first worksheet.'),
    'multipart/form-data': rowsOf('The parts `design` and `rows`, in this order.'),
  },
};

/** What a call for a batch says beside its rows. */
export interface SendTerms {
  readonly query: Static<typeof SendQuery>;
  readonly contentType: string | undefined;
  readonly design: string | undefined;
  readonly gzip: boolean;
  readonly idempotencyKey: string | null;
}

/** Returns the terms of a call. */
export const termsOf = (request: FastifyRequest, query: SendTerms['query']): SendTerms => ({
  query,
  contentType: request.headers['content-type'],
  design: request.headers.design as string | undefined,
  gzip: request.headers['content-encoding'] === 'gzip',
  idempotencyKey: idempotencyKeyOf(request),
});
