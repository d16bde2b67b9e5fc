/** Alternative names that people give to columns. Runs in the gateway, the CLI and browsers. */

/** The name of the column with the picture's file name. */
export const FILE = 'file';

const WORDS = {
  data: [
    'url',
    'link',
    'text',
    'content',
    'uri',
    'web address',
    'website',
    'inhalt',
    'lien',
    'contenu',
    'enlace',
  ],
  name: ['title', 'label', 'titel', 'titre'],
  slug: ['alias', 'short', 'short name', 'back half'],
  external_id: ['id', 'reference', 'ref', 'your id'],
  tags: ['tag', 'labels', 'keywords', 'schlagworte', 'étiquettes'],
  dynamic: ['editable', 'dynamisch', 'dynamique'],
  image: ['logo', 'image url', 'logo url'],
  gtin: ['ean', 'ean 13', 'ean13', 'upc', 'gtin 14', 'gtin14', 'gtin 13', 'artikelnummer gtin'],
  serial: ['serial number', 'serial no', 'seriennummer', 'numero de serie', 'numéro de série'],
  lot: ['batch', 'batch lot', 'lot number', 'batch number', 'charge', 'chargennummer', 'lote'],
  expiry: ['expiry date', 'expiration date', 'expires', 'use by', 'verfallsdatum', 'date de péremption'],
  best_before: ['best before date', 'bbd', 'best by', 'mhd', 'mindesthaltbarkeitsdatum'],
  sell_by: ['sell by date'],
  production_date: ['manufacturing date', 'date of manufacture', 'prod date', 'produktionsdatum'],
  packaging_date: ['pack date', 'packing date', 'verpackungsdatum'],
  variant: ['consumer product variant', 'cpv'],
  [FILE]: ['filename', 'file name', 'datei', 'dateiname'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Folds a name to lower case with single spaces, so that `Web_address ` and `web address` are equal. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{C}_-]+/gu, ' ')
    .trim();

/** Folded names (see `foldName`) by field. Each name occurs only once. */
export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(WORDS));
