/** What a call asks of a barcode: TypeBox values that validate, document and type it. */
import Type, { type Static } from 'typebox';
import { namesOf, SYMBOLOGIES } from '../../../workers/lists.ts';
import { strict } from '../request/picture-options.ts';
import { printParameters } from '../request/print.ts';

/** Greatest length of `data`: a Digital Link URI of what the largest matrix holds, with `%` before characters. */
const DATA_MAX_CHARACTERS = 8000;

/** Body of `POST /api/v1/barcodes/file`. */
export const BarcodeRequest = Type.Object(
  {
    symbology: Type.Enum(namesOf(SYMBOLOGIES)),
    data: Type.String({
      maxLength: DATA_MAX_CHARACTERS,
      description:
        'For `gs1-datamatrix` an element string or a Digital Link URI, of which the elements are encoded and the rest of its address is not. For `ean-13` and `upc-a` the same with AI 01 alone, or the digits of the GTIN.',
    }),
  },
  {
    ...strict,
    title: 'BarcodeRequest',
    examples: [{ symbology: 'gs1-datamatrix', data: '(01)09521321000018(10)A7' }],
  },
);
/** A validated body. */
export type BarcodeRequest = Static<typeof BarcodeRequest>;

const { module_mm, dpi, round, till } = printParameters;

/** Query of `POST /api/v1/barcodes/file`. */
export const BarcodeQuery = Type.Object(
  {
    module_mm,
    width_mm: Type.Optional(
      Type.Number({
        ...printParameters.width_mm,
        description: 'Width of the picture with its quiet zones; not with `module_mm`.',
      }),
    ),
    dpi,
    round,
    quiet_zone: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 20,
        description:
          'Modules on each side; by default, and at least, what the symbology needs: 1 for `gs1-datamatrix`, 11 and 7 for `ean-13`, 9 for `upc-a`.',
      }),
    ),
    text: Type.Optional(
      Type.Enum(['none', 'gs1'], {
        default: 'none',
        description: 'What stands below: nothing, or the GS1 data or digits for people.',
      }),
    ),
    till,
  },
  strict,
);
/** A validated query. */
export type BarcodeQuery = Static<typeof BarcodeQuery>;
