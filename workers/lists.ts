/** The names that service, dashboard, command line and studies share, each once. Pure data: browsers load it too. */

/** Shapes of a data module, by the names that `qr-code-styling` uses, with the dashboard's words. */
export const DOT_TYPES = {
  square: 'Square',
  dots: 'Dots',
  rounded: 'Rounded',
  'extra-rounded': 'Soft',
  classy: 'Classy',
  'classy-rounded': 'Leaf',
} as const;
/** The shape of a data module. */
export type DotType = keyof typeof DOT_TYPES;

/** Whether the modules of a style are drawn apart from their neighbours and look the same whatever these are. */
export const isLone = (type: CornerType): type is 'dots' => type === 'dots';

/** Shapes of a finder pattern's ring or centre. `dot` is one disc or ring; `dots` draws the modules one by one as discs. */
export const CORNER_TYPES = { ...DOT_TYPES, dot: 'Dot' } as const;
/** The shape of a finder pattern's ring or centre. */
export type CornerType = keyof typeof CORNER_TYPES;

/**
 * Defaults for corners that a request omits, where they must not look like the dots: ZXing and zbar find no centre that
 * is made of separate discs, not even in a sharp picture.
 */
export const CORNERS_LEFT_OUT: {
  readonly [type in DotType]?: { readonly ring?: CornerType; readonly centre?: CornerType };
} = { dots: { centre: 'rounded' } };

/** The file formats of pictures. WebP is made from the PNG; the others are drawn. */
export const FORMATS = {
  png: { name: 'PNG', mediaType: 'image/png', isBitmap: true },
  svg: { name: 'SVG', mediaType: 'image/svg+xml', isBitmap: false },
  pdf: { name: 'PDF', mediaType: 'application/pdf', isBitmap: false },
  eps: { name: 'EPS', mediaType: 'application/postscript', isBitmap: false },
  webp: { name: 'WebP', mediaType: 'image/webp', isBitmap: true },
} as const;
/** The file format of a picture. */
export type FileFormat = keyof typeof FORMATS;

/** The formats of label sheets: a document, or a language of label printers. */
export const SHEET_FORMATS = {
  pdf: { name: 'PDF', mediaType: 'application/pdf' },
  zpl: { name: 'ZPL II', mediaType: 'application/zpl' },
  epl: { name: 'EPL2', mediaType: 'application/epl' },
} as const;
/** The format of label sheets. */
export type SheetFormat = keyof typeof SHEET_FORMATS;

/** What GS1 data a symbol may hold: a Digital Link URI, or an element string after FNC1 in first position. */
export const GS1_CONTENTS = ['digital-link', 'element-string'] as const;
/** The GS1 data of a symbol. */
export type Gs1Content = (typeof GS1_CONTENTS)[number];

/** The barcodes that are drawn of GS1 data, by the names of their symbologies. */
export const SYMBOLOGIES = {
  'gs1-datamatrix': { name: 'GS1 DataMatrix' },
  'ean-13': { name: 'EAN-13' },
  'upc-a': { name: 'UPC-A' },
} as const;
/** The symbology of a barcode. */
export type Symbology = keyof typeof SYMBOLOGIES;

/** What a row of a batch may be: a QR code, or a barcode. */
export const ROW_SYMBOLOGIES = { qr: { name: 'QR code' }, ...SYMBOLOGIES } as const;
/** A QR code, or one of the barcodes beside it. */
export type RowSymbology = keyof typeof ROW_SYMBOLOGIES;

/** Frames around codes. A banner is a frame with a filled band in which the caption stands. */
export const FRAME_TYPES = {
  line: { banner: null },
  rounded: { banner: null },
  corners: { banner: null },
  'banner-below': { banner: 'below' },
  'banner-above': { banner: 'above' },
} as const;
/** The frame around a code. */
export type FrameType = keyof typeof FRAME_TYPES;

/** Returns the names of a list, in its order. */
export const namesOf = <Name extends string>(list: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(list) as Name[];

/** What the service knows of a parameter of the grade, or of a warning, which is a parameter below 4. */
interface Parameter {
  /** The dashboard's word for it. */
  readonly title: string;
  /** What it measures, as a sentence. */
  readonly about: string;
  /** The request field with the most influence on it. */
  readonly field: string;
  /** What to do when it is low: one sentence, or two. */
  readonly advice: string;
}

/** What is graded: docs/quality.md says how each parameter is measured. */
export const PARAMETERS = {
  contrast: {
    title: 'Contrast',
    about: 'How much darker the dots are than the background.',
    field: 'dotsOptions.color',
    advice: 'Darken dots and corners, or lighten the background.',
  },
  'red-light': {
    title: 'Red light',
    about: 'The contrast that a scanner with a red laser sees.',
    field: 'dotsOptions.color',
    advice: 'Use an ink with less red, such as black, blue or green; phone cameras are unaffected.',
  },
  modulation: {
    title: 'Evenness',
    about: 'Whether each dot is clearly dark and each gap clearly light.',
    field: 'dotsOptions.gradient',
    advice: 'End the gradient in a darker colour, or use one colour.',
  },
  'logo-damage': {
    title: 'Error correction',
    about: 'How much of it the logo and pale dots use up.',
    field: 'imageOptions.imageSize',
    advice: 'Make the logo smaller, or raise the error correction (`qrOptions.errorCorrectionLevel`).',
  },
  'fixed-patterns': {
    title: 'Guide marks',
    about: 'The lines and small squares that keep a reader on the grid.',
    field: 'imageOptions.imageSize',
    advice: 'Make the logo smaller: it hides timing or alignment patterns.',
  },
  'finder-centre': {
    title: 'Corner centres',
    about: 'Readers find a code by them.',
    field: 'cornersDotOptions.type',
    advice: 'Use `square` or `rounded`, in a colour as dark as the dots.',
  },
  'finder-ring': {
    title: 'Corner rings',
    about: 'Readers find the grid by their corners.',
    field: 'cornersSquareOptions.type',
    advice: 'Use `square` or `rounded`, in a colour as dark as the dots.',
  },
  ground: {
    title: 'Background',
    about: 'Whether it looks like paper rather than like ink.',
    field: 'backgroundOptions.color',
    advice: 'Lighten the background.',
  },
  inverted: {
    title: 'Dark on light',
    about: 'Many readers cannot find a light code on a dark background.',
    field: 'dotsOptions.color',
    advice: 'Use dark dots on a light background.',
  },
  'quiet-zone': {
    title: 'Quiet zone',
    about: 'Empty modules around the code.',
    field: 'margin',
    advice: 'Raise the margin (`margin`) to two modules, or leave it out; a circle always has one.',
  },
  'small-modules': {
    title: 'Small modules',
    about: 'The size of a module.',
    field: 'width',
    advice: 'Enlarge the picture, or shorten the content: a module needs four pixels, and 0.33 mm on paper.',
  },
} as const satisfies Readonly<Record<string, Parameter>>;
/** A parameter of the grade. A warning has the name of the parameter that is below 4. */
export type ParameterName = keyof typeof PARAMETERS;
