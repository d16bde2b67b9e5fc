/** What a column of a file may be, in words and by what it is about. */

/** The fields of GS1 numbers. */
export const GS1_WORDS: Readonly<Record<string, string>> = {
  gtin: 'GTIN',
  serial: 'Serial number',
  lot: 'Batch or lot',
  expiry: 'Expiry date',
  best_before: 'Best before',
  sell_by: 'Sell by',
  production_date: 'Production date',
  packaging_date: 'Packaging date',
  variant: 'Variant',
  sscc: 'SSCC',
  gln: 'GLN',
  count: 'Count',
  variable_count: 'Variable count',
  grai: 'GRAI',
  giai: 'GIAI',
};

const GROUPS: readonly (readonly [label: string, words: Readonly<Record<string, string>>])[] = [
  ['What the code contains', { data: 'Content' }],
  ['What it is called', { name: 'Name', external_id: 'Your own id', tags: 'Tags', file: 'File name' }],
  ['Its short link', { dynamic: 'Short link, yes or no', slug: 'End of the short link' }],
  ['GS1 numbers', GS1_WORDS],
  [
    'Its look',
    {
      'dotsOptions.color': 'Colour',
      'dotsOptions.type': 'Style of the dots',
      'cornersSquareOptions.color': 'Colour of the corner squares',
      'cornersDotOptions.color': 'Colour of the corner dots',
      'backgroundOptions.color': 'Colour of the background',
      shape: 'Shape',
      image: 'Address of the logo',
      'imageOptions.imageSize': 'Size of the logo',
      'qrOptions.errorCorrectionLevel': 'Error correction',
      width: 'Width in pixels',
      height: 'Height in pixels',
      margin: 'Margin in pixels',
    },
  ],
  [
    'Its size in print',
    {
      'print.width_mm': 'Width in mm',
      'print.module_mm': 'Module in mm',
      'print.dpi': 'Resolution in dpi',
      'print.quiet_zone': 'Quiet zone in modules',
      'print.bleed_mm': 'Bleed in mm',
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
  ...(own === null || WORDS.has(own) ? [] : [{ label: 'As the file calls it', fields: [own] }]),
];
