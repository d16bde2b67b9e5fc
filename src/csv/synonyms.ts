/** Other names that people give to the columns of their files. Runs in the gateway, the CLI and browsers. */

/** Names of the column that names the picture's file. */
export const FILE = 'file';

/** By the field that they name, as `foldName` writes them. A name stands once. */
export const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
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
  id: ['reference', 'ref', 'external id', 'your id'],
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
};

/** Writes a name in lower case with single spaces, so that `Web_address ` and `web address` are one. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{C}_-]+/gu, ' ')
    .trim();
