/**
 * Maps the columns of a file to fields: by name, by other names that people use, and by a guess at which was meant.
 * Runs in the gateway, the CLI and browsers.
 */
import { ok, type Result, refused } from '../result.ts';

/** Returns the Levenshtein distance (1966) of two words. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, wanted] of [...other].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === wanted ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
};

/** Words that differ in a larger share of their letters are not considered typos of each other. */
const DIFFERENT_SHARE = 0.4;

/** Returns the word that was probably meant, or `null` if none is similar. */
export const findNearest = (given: string, known: readonly string[]): string | null => {
  const [best] = known
    .map((word) => ({ word, far: distance(given, word) / Math.max(given.length, word.length) }))
    .sort((a, b) => a.far - b.far);
  return best === undefined || best.far > DIFFERENT_SHARE ? null : best.word;
};

/** No field name is longer. */
const NAME_MAX = 100;

const lastPart = (field: string): string => field.slice(field.lastIndexOf('.') + 1);

/**
 * Returns a hint for a message, with a leading space, that names the field probably meant; '' for none.
 *
 * @param name As the user wrote it.
 * @param fields Dotted paths. A field is also found by its last segment.
 */
export const fieldHint = (name: string, fields: readonly string[]): string => {
  const lower = (field: string): string => field.toLowerCase();
  const near = findNearest(lower(name.slice(0, NAME_MAX)), [...fields, ...fields.map(lastPart)].map(lower));
  const found =
    fields.find((field) => lower(field) === near) ?? fields.find((field) => lower(lastPart(field)) === near);
  return found === undefined ? '' : ` (did you mean "${found}"?)`;
};

export const FIELDS_LISTED = 'docs/design.md lists the fields';

/** The name of the column with the picture's file name. */
export const FILE = 'file';

/** English, German, French and Spanish, as `foldName` folds them. */
const WORDS = {
  data: [
    ...[
      'url',
      'link',
      'text',
      'content',
      'uri',
      'web address',
      'website',
      'web page',
      'hyperlink',
      'target url',
    ],
    ...['inhalt', 'webadresse', 'webseite', 'internetadresse', 'zieladresse', 'ziel url'],
    ...['lien', 'contenu', 'adresse web', 'adresse internet', 'site web', 'page web', 'texte'],
    ...['enlace', 'contenido', 'direccion web', 'sitio web', 'pagina web', 'texto'],
  ],
  name: [
    ...['title', 'label', 'titel', 'bezeichnung', 'beschriftung'],
    ...['titre', 'nom', 'designation', 'libelle', 'titulo', 'nombre', 'denominacion'],
  ],
  symbology: [
    ...['barcode type', 'code type', 'symbologie', 'barcodeart', 'type de code barres'],
    ...['simbologia', 'tipo de codigo de barras'],
  ],
  slug: ['alias', 'short', 'short name', 'back half', 'kurzname', 'nom court', 'nombre corto'],
  external_id: [
    ...['id', 'reference', 'ref', 'your id', 'own id', 'item number', 'article number'],
    ...['eigene id', 'artikelnummer', 'artikel nr', 'referenz', 'kennung'],
    ...['identifiant', 'numero article', 'referencia', 'identificador', 'numero de articulo'],
  ],
  tags: [
    ...['tag', 'labels', 'keywords', 'category', 'schlagworte', 'schlagworter', 'stichworte', 'kategorie'],
    ...['etiquettes', 'mots cles', 'categorie', 'etiquetas', 'palabras clave', 'categoria'],
  ],
  dynamic: ['editable', 'dynamisch', 'anderbar', 'dynamique', 'modifiable', 'dinamico', 'modificable'],
  image: ['logo', 'image url', 'logo url'],
  gtin: [
    'ean',
    'ean 13',
    'ean13',
    'upc',
    'gtin 14',
    'gtin14',
    'gtin 13',
    'artikelnummer gtin',
    'code ean',
    'codigo ean',
  ],
  serial: [...['serial number', 'serial no', 'seriennummer', 'numero de serie']],
  lot: [
    'batch',
    'batch lot',
    'lot number',
    'batch number',
    'charge',
    'chargennummer',
    'numero de lot',
    'lote',
  ],
  expiry: [
    ...['expiry date', 'expiration date', 'expires', 'use by', 'verfallsdatum', 'ablaufdatum'],
    ...['date de peremption', 'fecha de caducidad'],
  ],
  best_before: [
    ...['best before date', 'bbd', 'best by', 'mhd', 'mindesthaltbarkeitsdatum'],
    ...['a consommer de preference avant', 'consumo preferente'],
  ],
  sell_by: ['sell by date'],
  production_date: [
    ...['manufacturing date', 'date of manufacture', 'prod date', 'produktionsdatum'],
    ...['date de fabrication', 'fecha de fabricacion'],
  ],
  packaging_date: ['pack date', 'packing date', 'verpackungsdatum', 'date d emballage', 'fecha de envasado'],
  variant: ['consumer product variant', 'cpv'],
  [FILE]: [
    'filename',
    'file name',
    'datei',
    'dateiname',
    'fichier',
    'nom de fichier',
    'archivo',
    'nombre de archivo',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Folds a name to lower case with single spaces and Latin letters without marks: `Dirección_web ` is `direccion web`. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/([a-z])\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[\s\p{C}_'’-]+/gu, ' ')
    .trim();

/** Folded names (see `foldName`) by field. Each name occurs only once. */
export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(WORDS));

/** Explicit mapping from fields to column names; `null`: no column has the field. */
export type Mapping = Readonly<Record<string, string | null>>;

/** The field of each column, in the order of the columns; `null`: none. */
export type Matched = readonly (string | null)[];

/** What a header row is matched with. */
interface Matching {
  readonly fields: readonly string[];
  /** Explicitly mapped fields. The others are matched by name. */
  readonly mapping?: Mapping;
  /** The option for explicit mapping, for messages, for example `--column`. */
  readonly byHand: string;
  /** Whether a field that several columns may be is none of them, instead of a fault. */
  readonly leavesOpen?: boolean;
}

/** Quotes a column name for messages, on one line and with bounded length. */
export const quoteName = (name: string): string =>
  `"${name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, 100)}"`;

const NAMES_SHOWN = 20;

/** Lists names for messages. */
export const listNames = (names: readonly string[]): string =>
  `${names.slice(0, NAMES_SHOWN).map(quoteName).join(', ')}${names.length > NAMES_SHOWN ? ', …' : ''}`;

/** Maximum length of a column name. */
export const NAME_MAX_LENGTH = 1000;

/** The column names as written, and as folded by `foldName`. */
interface Names {
  readonly names: readonly string[];
  readonly folded: readonly string[];
}

/** Returns the indexes of the columns with a name: exact matches, otherwise folded ones. */
const findColumns = ({ names, folded }: Names, name: string): readonly number[] => {
  const having = (all: readonly string[], wanted: string) =>
    all.flatMap((own, index) => (own === wanted ? [index] : []));
  const exact = having(names, name);
  return exact.length > 0 ? exact : having(folded, foldName(name));
};

const matchByHand = (
  written: Names,
  { fields, mapping = {}, byHand }: Matching,
  matched: (string | null)[],
): string | null => {
  for (const [field, name] of Object.entries(mapping)) {
    if (!fields.includes(field))
      return `${byHand} names ${quoteName(field)}, which is not a field${fieldHint(field, fields)}; ${FIELDS_LISTED}`;
    if (name === null) continue;
    const [at, ...more] = findColumns(written, name.trim());
    if (at === undefined)
      return `the header row has no column ${quoteName(name)}, which ${byHand} names for ${field}; its columns are: ${listNames(written.names)}`;
    if (more.length > 0) return `the header row has the column ${quoteName(name)} twice`;
    if (matched[at] !== null)
      return `${byHand} names the column ${quoteName(name)} for ${matched[at]} and for ${field}; a column is one field`;
    matched[at] = field;
  }
  return null;
};

/**
 * Finds the columns of fields by name. A field's own name takes precedence over its synonyms, and an exact match over
 * everything.
 */
const matchByName = (
  { names, folded }: Names,
  { fields, mapping = {}, byHand, leavesOpen = false }: Matching,
  matched: (string | null)[],
): string | null => {
  const open = fields.filter((field) => !Object.hasOwn(mapping, field));
  const tiers: ((field: string, index: number) => boolean)[] = [
    (field, index) => names[index] === field,
    (field, index) => folded[index] === foldName(field),
    (field, index) => SYNONYMS.get(field)?.includes(folded[index]!) ?? false,
  ];
  for (const isNamed of tiers) {
    for (const field of open) {
      if (matched.includes(field)) continue;
      const [at, other] = names.flatMap((_, index) =>
        matched[index] === null && isNamed(field, index) ? [index] : [],
      );
      if (at === undefined) continue;
      if (other === undefined) matched[at] = field;
      else if (leavesOpen) continue;
      else if (names[at] === names[other])
        return `the header row has the column ${quoteName(names[at]!)} twice`;
      else
        return `the columns ${quoteName(names[at]!)} and ${quoteName(names[other]!)} can both be ${field}; say with ${byHand} which one is`;
    }
  }
  return null;
};

/** Returns the field of each column, or why that is ambiguous. It does not check for missing columns. */
export const matchColumns = (names: readonly string[], wanted: Matching): Result<Matched, string> => {
  if (names.some((name) => name.length > NAME_MAX_LENGTH))
    return refused(`the header row has a name of more than ${NAME_MAX_LENGTH} characters`);
  const written = { names, folded: names.map(foldName) };
  const matched: (string | null)[] = names.map(() => null);
  const fault = matchByHand(written, wanted, matched) ?? matchByName(written, wanted, matched);
  return fault === null ? ok(matched) : refused(fault);
};

/** Says that no column is `data`, and what to do. @param besides What else it has or lacks: `no other, and `. */
export const tellMissingData = (names: readonly string[], byHand: string, besides = ''): string =>
  `the header row has ${besides}no column "data", and none that is called ${SYNONYMS.get('data')!.slice(0, 4).join(', ')}; its columns are: ${listNames(names)}; say with ${byHand} which one it is`;
