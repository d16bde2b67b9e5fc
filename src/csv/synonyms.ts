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
  dynamic: ['editable', 'dynamisch', 'dynamique'],
  image: ['logo', 'image url', 'logo url'],
  [FILE]: ['filename', 'file name', 'datei', 'dateiname'],
};

/** Writes a name in lower case with single spaces, so that `Web_address ` and `web address` are one. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{C}_-]+/gu, ' ')
    .trim();
