/** What a column of a file may be, in words and by what it is about. */
import { say } from '../../words/say.ts';

/** The fields of GS1 numbers. */
export const GS1_WORDS: Readonly<Record<string, string>> = {
  gtin: 'GTIN',
  serial: say('Serial number'),
  lot: say('Batch or lot'),
  expiry: say('Expiry date'),
  best_before: say('Best before'),
  sell_by: say('Sell by'),
  production_date: say('Production date'),
  packaging_date: say('Packaging date'),
  variant: say('Variant'),
  sscc: 'SSCC',
  gln: 'GLN',
  count: say('Count'),
  variable_count: say('Variable count'),
  grai: 'GRAI',
  giai: 'GIAI',
};

const GROUPS: readonly (readonly [label: string, words: Readonly<Record<string, string>>])[] = [
  [say('What the code contains'), { data: say('Content'), symbology: say('Kind of barcode') }],
  [
    say('What it is called'),
    { name: say('Name'), external_id: say('Your own id'), tags: say('Tags'), file: say('File name') },
  ],
  [say('Its short link'), { dynamic: say('Short link, yes or no'), slug: say('End of the short link') }],
  [say('GS1 numbers'), GS1_WORDS],
  [
    say('Its look'),
    {
      'dotsOptions.color': say('Colour'),
      'dotsOptions.type': say('Style of the dots'),
      'cornersSquareOptions.color': say('Colour of the corner squares'),
      'cornersDotOptions.color': say('Colour of the corner dots'),
      'backgroundOptions.color': say('Colour of the background'),
      shape: say('Shape'),
      image: say('Address of the logo'),
      'imageOptions.imageSize': say('Size of the logo'),
      'qrOptions.errorCorrectionLevel': say('Error correction'),
      width: say('Width in pixels'),
      height: say('Height in pixels'),
      margin: say('Margin in pixels'),
    },
  ],
  [
    say('Its size in print'),
    {
      'print.width_mm': say('Width in mm'),
      'print.module_mm': say('Module in mm'),
      'print.dpi': say('Resolution in dpi'),
      'print.quiet_zone': say('Quiet zone in modules'),
      'print.bleed_mm': say('Bleed in mm'),
    },
  ],
];

const WORDS = new Map(GROUPS.flatMap(([, words]) => Object.entries(words)));

/** Returns what a field is called. The rare ones have only the names that the API gives them. */
export const wordOf = (field: string): string => WORDS.get(field) ?? field;

interface FieldGroup {
  readonly label: string;
  readonly fields: readonly string[];
}

/**
 * Returns what a column may be.
 *
 * @param known The fields of the service.
 * @param own A rare field, or a name in the template, that this column is; `null`: none.
 */
export const groupsFor = (known: readonly string[], own: string | null): readonly FieldGroup[] => [
  ...GROUPS.map(([label, words]) => ({
    label,
    fields: Object.keys(words).filter((field) => known.includes(field)),
  })),
  ...(own === null || WORDS.has(own) ? [] : [{ label: say('As the file calls it'), fields: [own] }]),
];
