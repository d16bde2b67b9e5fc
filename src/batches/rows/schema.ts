/** A row of a batch as its caller writes it, and the options for all rows. */
import Type, { type Static } from 'typebox';
import { LINE } from '../../generate/request/patterns.ts';
import { Data, PictureOptions, strict } from '../../generate/request/picture-options.ts';
import { printParameters } from '../../generate/request/print.ts';
import { createTokenBound } from './tokens.ts';

const options = {
  ...PictureOptions.properties,
  print: Type.Optional(
    Type.Object(printParameters, {
      ...strict,
      title: 'BatchPrint',
      description: 'Size and colours of the files, as the query of `/qr/file` has them.',
    }),
  ),
};

/** The options for all rows. */
export const BatchOptions = Type.Object(options, { ...strict, title: 'BatchOptions' });
/** Validated options. */
export type BatchOptions = Static<typeof BatchOptions>;

/** A row: an item of a bulk call with the options of a batch, and the caller's own names for it. */
export const BatchRow = Type.Object(
  {
    data: Data,
    id: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: LINE,
        description: 'Your own id; every output has it, and the code as `external_id`.',
      }),
    ),
    name: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: LINE,
        description: 'What the code is called; also in the names of its files.',
      }),
    ),
    file: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: LINE,
        description: 'Words for the names of the files of a row without a name.',
      }),
    ),
    ...options,
    dynamic: Type.Optional(Type.Boolean({ default: false })),
    slug: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'A slug of your own for the short link of a dynamic row. A row whose slug is wrong or taken fails alone.',
      }),
    ),
  },
  { ...strict, title: 'BatchRow' },
);
/** A validated row. */
export type BatchRow = Static<typeof BatchRow>;

/** Whether parsing the JSON of a row, or of the options for all rows, costs no more than that of a valid one may. */
export const isParsable = createTokenBound(BatchRow);
