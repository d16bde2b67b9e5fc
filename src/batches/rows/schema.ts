/** A row of a batch as its caller writes it, and the batch-wide options. */
import Type, { type Static, type TSchema } from 'typebox';
import { namesOf, ROW_SYMBOLOGIES } from '../../../workers/lists.ts';
import type { Fault } from '../../../workers/protocol.ts';
import { TEMPLATE_MAX_LENGTH } from '../../csv/template.ts';
import { Tags } from '../../generate/request/code-request.ts';
import { DATA_MAX_CHARACTERS, Data, PictureOptions, strict } from '../../generate/request/picture-options.ts';
import { isPrintField, printParameters } from '../../generate/request/print.ts';
import { GS1_COLUMNS, VALUE_MAX_LENGTH } from '../../gs1/columns.ts';
import { COUNTER_NAME, LINE } from '../../validation/formats.ts';
import { createTokenBound } from '../../validation/json.ts';

const options = {
  ...PictureOptions.properties,
  print: Type.Optional(
    Type.Object(printParameters, {
      ...strict,
      title: 'BatchPrint',
      description: 'Size and colours of the files, as in the query of `/qr/file`.',
    }),
  ),
};

/** Renames a fault's field from the query parameter of a call for one file to the option of the batch. */
export const inOptions = (fault: Fault): Fault =>
  isPrintField(fault.field) ? { ...fault, field: `print.${fault.field}` } : fault;

const symbologies = namesOf(ROW_SYMBOLOGIES);

const NAMES_MAX = 50;

/** An object of strings whose keys the caller chooses. */
const textsBy = (text: TSchema, description: string) =>
  Type.Unsafe<Readonly<Record<string, string>>>(
    Type.Object({}, { additionalProperties: text, maxProperties: NAMES_MAX, description }),
  );

const bounds = { minLength: 1, maxLength: TEMPLATE_MAX_LENGTH };

/** The batch-wide options. */
export const BatchOptions = Type.Object(
  {
    ...options,
    dynamic: Type.Optional(
      Type.Boolean({ description: 'Whether rows that do not say it themselves are dynamic.' }),
    ),
    symbology: Type.Optional(
      Type.Enum(symbologies, {
        default: 'qr',
        description:
          'What rows are that do not say it themselves: QR codes, or barcodes of GS1 data as `POST /barcodes/file` makes them. Barcodes take only `print` of these options.',
      }),
    ),
    template: Type.Optional(
      Type.String({
        ...bounds,
        description:
          'The data of every row: `https://example.com/{sku}/{serial:06}`. A name is a column of the row or a counter; `06` pads a number with zeros; `{{` is a brace. In a URL, values are percent-encoded.',
      }),
    ),
    counters: Type.Optional(
      textsBy(
        Type.String({ pattern: COUNTER_NAME }),
        'Maps names in templates to counters. A counter of the same name needs no entry.',
      ),
    ),
    gs1: Type.Optional(
      Type.Object(
        {
          stem: Type.Optional(
            Type.String({
              maxLength: 1000,
              description: 'The part of Digital Link URIs before their path. Absent: `https://id.gs1.org`.',
            }),
          ),
          columns: Type.Optional(
            textsBy(
              Type.String(bounds),
              'Values of GS1 columns as templates: `{"serial": "{serial:08}"}`. Rows must not have these columns.',
            ),
          ),
        },
        {
          ...strict,
          title: 'BatchGs1',
          description:
            'How rows without `data` become GS1 data. Requires `qrOptions.gs1`, or a barcode as `symbology`, and no `template`.',
        },
      ),
    ),
  },
  { ...strict, title: 'BatchOptions' },
);
/** Validated options. */
export type BatchOptions = Static<typeof BatchOptions>;

const gs1Value = (ai: string) =>
  Type.Optional(Type.String({ maxLength: VALUE_MAX_LENGTH, description: `The value of AI (${ai}).` }));

const gs1Columns = Object.fromEntries(
  Object.entries(GS1_COLUMNS).map(([name, ai]) => [name, gs1Value(ai)]),
) as Record<keyof typeof GS1_COLUMNS, ReturnType<typeof gs1Value>>;

/** A row: an item of a bulk call with the options of a batch, and the caller's own names for it. */
export const BatchRow = Type.Object(
  {
    data: Type.Optional(Data),
    values: Type.Optional(
      textsBy(
        Type.String({ maxLength: DATA_MAX_CHARACTERS }),
        'Values of names in the template, and of AIs: `{"sku": "A-7", "(3103)": "000195"}`.',
      ),
    ),
    ...gs1Columns,
    external_id: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: LINE,
        description: 'Your own id for the code, included in every output.',
      }),
    ),
    name: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: LINE,
        description: 'The name of the code, also used in its file names.',
      }),
    ),
    file: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: LINE,
        description: 'Text for the file names of a row without a name.',
      }),
    ),
    tags: Type.Optional(Tags),
    symbology: Type.Optional(
      Type.Enum(symbologies, { description: 'What is drawn. Absent: as the options for all rows say.' }),
    ),
    ...options,
    dynamic: Type.Optional(Type.Boolean({ default: false })),
    slug: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'A slug of your own for the short link of a dynamic row. If it is taken, only that row fails.',
      }),
    ),
  },
  { ...strict, title: 'BatchRow' },
);
/** A validated row. */
export type BatchRow = Static<typeof BatchRow>;

/** Whether parsing the JSON of a row, or of the batch-wide options, costs no more than a valid one may. */
export const isParsable = createTokenBound(BatchRow);
