import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { namesOf } from '../../../../../workers/lists.ts';
import { BatchOptions, BatchRow } from '../../../../batches/rows/schema.ts';
import { DUPLICATE_RULES, DUPLICATE_SCOPES } from '../../../../duplicates/rules.ts';
import { fieldError } from '../../../../errors.ts';
import type { GradeTerms } from '../../../../generate/parts.ts';
import {
  MANIFEST_DELIMITERS,
  MANIFEST_ENCODINGS,
  MANIFEST_FORMS,
  MANIFEST_USES,
  type ManifestForm,
} from '../../../../lists.ts';
import { orNull } from '../../../../stored-json.ts';
import { FORMAT_LIST } from '../../../../validation/formats.ts';
import { XLSX_TYPE } from '../../../bodies/row-types.ts';
import { DomainHeader } from '../../../domain.ts';
import { profileParameter } from '../../../files/print-profile.ts';
import { RepairHeaders, repairTermsOf } from '../../../grade-headers.ts';
import { idempotencyKeyOf } from '../../../idempotency.ts';
import { decodeHeader, PresetHeader, type PresetName } from '../../../preset.ts';
import { Grade, strict, Uuid } from '../../../schemas/atoms.ts';

/** The query of a call for a batch. */
export const SendQuery = Type.Object(
  {
    folder_id: Type.Optional({ ...Uuid, description: 'One of your folders.' }),
    folder_name: Type.Optional(
      Type.String({
        maxLength: 1000,
        description:
          'A folder of this name is made or reused. If this and `folder_id` are absent: `Bulk Import` and the date.',
      }),
    ),
    formats: Type.Optional(
      Type.String({
        pattern: FORMAT_LIST,
        description:
          'Formats of each code, separated by commas: `png` (the default without a profile), `svg`, `pdf`, `eps`, `webp`. A code always costs one unit.',
      }),
    ),
    ...profileParameter,
    preset: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Id or name of a preset, or `default`, as in `Tessera-Preset`.',
      }),
    ),
    webhook: Type.Optional(
      Type.String({ format: 'uuid', description: 'Id of a webhook to notify when it ends.' }),
    ),
    on_error: Type.Optional(
      Type.Enum(['skip', 'stop'], {
        default: 'skip',
        description: 'Whether a row that fails while codes are made ends the batch.',
      }),
    ),
    duplicates: Type.Optional(
      Type.Enum([...DUPLICATE_RULES], {
        default: 'refuse-keys',
        description:
          'Which rows that repeat an earlier one are errors. `refuse-keys`: those with the same GS1 key of a single thing, or the same value of `unique`. `refuse`: all. `report`: none.',
      }),
    ),
    duplicates_in: Type.Optional(
      Type.Enum([...DUPLICATE_SCOPES], {
        default: 'batch',
        description: 'Where earlier rows are looked for.',
      }),
    ),
    unique: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'A field whose values must be unique, and that every row must have: `data`, `external_id`, `name`, `file`, `slug`, a GS1 column or a name in a template. With `external_id`, none of your codes may have it either.',
      }),
    ),
    columns: Type.Optional(
      Type.String({
        maxLength: 8000,
        description:
          'The column of each field of CSV or XLSX, as JSON: `{"data": "Web address", "width": null}`; `null`: none.',
      }),
    ),
    other_columns: Type.Optional(
      Type.Enum(['refuse', 'skip', 'keep'], {
        default: 'refuse',
        description: 'What to do with columns that match no field. `keep`: the manifest carries all.',
      }),
    ),
    manifest_for: Type.Optional(
      Type.Enum([...MANIFEST_USES], {
        default: 'spreadsheets',
        description: 'What reads the manifest: `indesign` and `labels` have a line a row.',
      }),
    ),
    manifest_encoding: Type.Optional(
      Type.Enum([...MANIFEST_ENCODINGS], { description: 'Without it, what `manifest_for` needs.' }),
    ),
    manifest_delimiter: Type.Optional(
      Type.Enum(namesOf(MANIFEST_DELIMITERS), { description: 'Without it, the same.' }),
    ),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 31_536_000,
        description: 'Seconds within which it must end, and for which its results are then kept.',
      }),
    ),
  },
  strict,
);

export const SendHeaders = Type.Object({
  ...RepairHeaders.properties,
  ...PresetHeader,
  ...DomainHeader,
  'idempotency-key': Type.Optional(
    Type.String({ description: 'As in other calls, but valid for as long as the batch is listed.' }),
  ),
  'content-encoding': Type.Optional(Type.Enum(['gzip', 'identity'])),
  design: Type.Optional(
    Type.String({
      description: '`BatchOptions` as JSON, for all rows: `PictureOptions`, and `print` as in a row.',
    }),
  ),
  'upload-complete': Type.Optional(
    Type.Enum(['?0', '?1'], { description: '`?0`, without a body: starts an upload in chunks.' }),
  ),
});

/** The schema of a body that is not JSON. The body is read as a stream, so the schema only documents it. */
const described = (schema: object) => ({ schema: Type.Unsafe(schema) });
const rows = (description: string, more: object = {}) => described({ type: 'string', description, ...more });

/** Its body. Some generators send the last media type with the schema of the first, so forms come first. */
export const SendBody = {
  content: {
    'multipart/form-data': described({
      type: 'object',
      required: ['rows'],
      properties: {
        design: BatchOptions,
        rows: {
          type: 'string',
          format: 'binary',
          description: 'A file in one of the other formats, with its media type.',
        },
      },
      description: 'The parts in this order.',
    }),
    'application/x-ndjson': rows('One row per line.', {
      contentMediaType: 'application/x-ndjson',
      contentSchema: BatchRow,
    }),
    'text/csv': rows('A header row, then rows.'),
    [XLSX_TYPE]: rows('The same, in the first worksheet.', { contentMediaType: XLSX_TYPE }),
  },
};

/** Returns how the manifests of a batch are written. */
export const manifestFormOf = ({
  manifest_for: use = 'spreadsheets',
  manifest_encoding: encoding,
  manifest_delimiter: delimiter,
}: Static<typeof SendQuery>): ManifestForm => ({
  ...MANIFEST_FORMS[use],
  ...(encoding !== undefined && { encoding }),
  ...(delimiter !== undefined && { delimiter }),
});

/** What a call for a batch says in addition to its rows. It is also stored with an upload. */
export const SendTerms = Type.Object({
  query: SendQuery,
  contentType: Type.Optional(Type.String()),
  design: Type.Optional(Type.String()),
  gzip: Type.Boolean(),
  /** The required grade of its codes; absent: none. */
  quality: Type.Optional(Type.Unsafe<GradeTerms>(Type.Object({ minGrade: Grade, repair: Type.Boolean() }))),
  /** What names its preset; absent: it has none. */
  preset: Type.Optional(
    Type.Unsafe<PresetName>(
      Type.Object({ field: Type.Enum(['preset', 'Tessera-Preset']), text: Type.String() }),
    ),
  ),
  /** What names the domain of its short links; absent: nothing. */
  domain: Type.Optional(Type.String()),
  idempotencyKey: orNull(Type.String()),
});
/** The terms of a call. */
export type SendTerms = Static<typeof SendTerms>;

const qualityOf = (quality: GradeTerms): Pick<SendTerms, 'quality'> =>
  quality.minGrade === 0 && !quality.repair ? {} : { quality };

/** The preset is named in the query or in the header. @throws {AppError} 400 when both name one. */
const presetIn = ({ headers }: FastifyRequest, { preset }: SendTerms['query']): Pick<SendTerms, 'preset'> => {
  const header = headers['tessera-preset'];
  if (header === undefined) return preset === undefined ? {} : { preset: { field: 'preset', text: preset } };
  if (preset !== undefined)
    throw fieldError('preset', 'must not be given together with the header Tessera-Preset', 'invalid_query');
  return { preset: { field: 'Tessera-Preset', text: decodeHeader(String(header)) } };
};

const domainIn = ({ headers: { 'tessera-domain': domain } }: FastifyRequest): Pick<SendTerms, 'domain'> =>
  domain === undefined ? {} : { domain: decodeHeader(String(domain)) };

const textIn = <Name extends string>(name: Name, text: string | undefined) =>
  (text === undefined ? {} : { [name]: text }) as { readonly [_ in Name]?: string };

/** Returns the terms of a call. @throws {AppError} 400. */
export const sendTermsOf = (request: FastifyRequest, query: SendTerms['query']): SendTerms => ({
  query,
  ...textIn('contentType', request.headers['content-type']),
  ...textIn('design', request.headers.design as string | undefined),
  gzip: request.headers['content-encoding'] === 'gzip',
  ...qualityOf(repairTermsOf(request.headers as Static<typeof SendHeaders>)),
  ...presetIn(request, query),
  ...domainIn(request),
  idempotencyKey: idempotencyKeyOf(request),
});
