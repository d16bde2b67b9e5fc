/** A row of a batch as its caller writes it. */
import Type, { type Static } from 'typebox';
import { Data, PictureOptions, strict } from '../../generate/request/picture-options.ts';

/** One line without control characters, so that it fits into every output. */
const LINE = '^[^\\p{Cc}\\p{Cs}]*$';

/** A row: an item of a bulk call, and the caller's own names for it. */
export const BatchRow = Type.Object(
  {
    data: Data,
    id: Type.Optional(
      Type.String({ maxLength: 200, pattern: LINE, description: 'Your own id; every output has it.' }),
    ),
    name: Type.Optional(
      Type.String({ maxLength: 200, pattern: LINE, description: 'Words for the names of the files.' }),
    ),
    file: Type.Optional(
      Type.String({ maxLength: 200, pattern: LINE, description: 'The same, as the command line names it.' }),
    ),
    ...PictureOptions.properties,
    dynamic: Type.Optional(Type.Boolean({ default: false })),
  },
  { ...strict, title: 'BatchRow' },
);
/** A validated row. */
export type BatchRow = Static<typeof BatchRow>;
