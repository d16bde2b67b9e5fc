/** The query parameters that say with which inks a file is printed, and what else a press makes of it. */
import Type, { type Static } from 'typebox';
import type { FileFormat } from '../../../workers/lists.ts';
import { colorsOfWords } from '../../../workers/print/surround.ts';
import type { Design, Fault, Inks, Paint, Plates, SpotColor } from '../../../workers/protocol.ts';
import { ok, type Result, refused } from '../../result.ts';
import { INK_NAME, parseColor, SPOT_LIST } from '../../validation/formats.ts';
import { Color } from './picture-options.ts';
import type { PrintWords } from './words.ts';

const InkName = { pattern: INK_NAME };
const RADIUS_MAX_MM = 500;
/** Inks of every press, and names that mean others: ISO 32000-1, 8.6.6.4. */
const RESERVED = ['all', 'none', 'cyan', 'magenta', 'yellow', 'black'];

/** Colours and separations of PDF and EPS. */
export const inkParameters = {
  color: Type.Optional(
    Type.Enum(['rgb', 'cmyk'], {
      default: 'rgb',
      description: 'Colour space of PDF and EPS; black is K only in both.',
    }),
  ),
  paper: Type.Optional(
    Type.String({
      ...Color,
      title: 'Paper',
      description: 'Opaque colour behind translucent parts of an EPS. Absent: white.',
    }),
  ),
  spots: Type.Optional(
    Type.String({
      pattern: SPOT_LIST,
      description: 'Spot colours of PDF and EPS: `1a4b8c=PANTONE 286 C`.',
    }),
  ),
  overprint: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Black and spot colours print over the background of a PDF or EPS.',
    }),
  ),
  dieline: Type.Optional(
    Type.String({ ...InkName, description: 'Ink of a line along which the picture is cut.' }),
  ),
  dieline_radius_mm: Type.Optional(
    Type.Number({ minimum: 0, maximum: RADIUS_MAX_MM, description: 'Of the corners of the dieline.' }),
  ),
  white: Type.Optional(Type.String({ ...InkName, description: 'Ink of a white below picture and bleed.' })),
  varnish: Type.Optional(
    Type.String({ ...InkName, description: 'Ink of a varnish over all but the code and its quiet zone.' }),
  ),
};

const InkQuery = Type.Object(inkParameters);
type InkQuery = Static<typeof InkQuery>;

const readSpots = (text: string): readonly SpotColor[] =>
  text.split(',').map((spot) => {
    const at = spot.indexOf('=');
    return { name: spot.slice(at + 1).trim(), color: `#${spot.slice(0, at).replace('#', '').toLowerCase()}` };
  });

const platesOf = (query: InkQuery): Plates | null => {
  const { dieline, dieline_radius_mm: radiusMm = 0, white, varnish } = query;
  if (dieline === undefined && white === undefined && varnish === undefined) return null;
  return {
    ...(dieline === undefined ? {} : { dieline: { name: dieline, radiusMm } }),
    ...(white === undefined ? {} : { white }),
    ...(varnish === undefined ? {} : { varnish }),
  };
};

/** Returns the first name that stands for two inks, or for one that every press has. */
const nameFault = (query: InkQuery, spots: readonly SpotColor[]): Fault | null => {
  const { dieline, white, varnish } = query;
  const named = [...spots.map(({ name }) => ['spots', name]), ...Object.entries({ dieline, white, varnish })];
  const known = new Set<string>();
  for (const [field, name] of named) {
    if (name === undefined) continue;
    const plain = name.toLowerCase();
    if (RESERVED.includes(plain)) return { field: field!, message: `"${name}" is the name of another ink` };
    if (known.has(plain)) return { field: field!, message: `"${name}" is the name of two inks` };
    known.add(plain);
  }
  return null;
};

/** Returns the inks that validated parameters ask for, or a fault when they contradict each other. */
export const toInks = (query: InkQuery): Result<Inks, Fault> => {
  const paper = parseColor(query.paper ?? '#ffffff');
  if (paper === null) throw new Error('a colour passed validation that cannot be parsed');
  if (paper.length > 7) return refused({ field: 'paper', message: 'must be opaque' });
  const spots = query.spots === undefined ? [] : readSpots(query.spots);
  const colors = spots.map(({ color }) => color);
  const twice = colors.find((color, i) => colors.indexOf(color) < i);
  if (twice !== undefined) return refused({ field: 'spots', message: `names two inks for ${twice}` });
  const unclear = nameFault(query, spots);
  if (unclear !== null) return refused(unclear);
  if (query.dieline_radius_mm !== undefined && query.dieline === undefined)
    return refused({ field: 'dieline_radius_mm', message: 'needs a dieline' });
  const plates = platesOf(query);
  return ok({
    color: query.color ?? 'rgb',
    paper,
    ...(spots.length > 0 && { spots }),
    ...(query.overprint && { overprint: true as const }),
    ...(plates !== null && { plates }),
  });
};

/** Of the light of a colour on a screen, 0 to 255: ITU-R BT.709. */
const lumaOf = (color: string): number => {
  const channel = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
};

const isSolid = (paint: Paint | null): paint is string => typeof paint === 'string' && paint.length === 7;

/** What stands around a code: its words, and the GS1 data below it. */
interface Around extends PrintWords {
  readonly text?: 'gs1';
}

/** Returns the opaque colours of a file, those of a caption that may turn out blank too. */
const solidColors = (design: Design, { caption, frame, text }: Around): ReadonlySet<string> => {
  const { dots, cornersSquare, cornersDot, background } = design;
  const colors = colorsOfWords(
    { ...(caption && { caption: caption.style }), ...(frame && { frame }) },
    design,
  );
  const paints = [
    ...[dots.paint, cornersSquare.paint, cornersDot.paint, background.paint],
    ...(caption === undefined ? [] : [colors.caption]),
    ...(frame === undefined ? [] : [colors.frame]),
    ...(text === undefined ? [] : [colorsOfWords({}, design).caption]),
  ];
  return new Set(paints.filter(isSolid));
};

/** Returns why a file of a format cannot have such inks; `null`: it can. */
export const formatFault = (inks: Inks, format: FileFormat): Fault | null => {
  const { spots, overprint, plates } = inks;
  if (format === 'pdf' || format === 'eps') return null;
  const field = spots ? 'spots' : overprint ? 'overprint' : plates ? Object.keys(plates)[0] : undefined;
  return field === undefined
    ? null
    : { field, message: `only PDF and EPS have it, and this is a file in ${format}` };
};

/** Returns why a design cannot be printed with such inks; `null`: it can. @param around What stands around its code. */
export const inkFault = (inks: Inks, design: Design, around: Around): Fault | null => {
  const { spots = [], overprint } = inks;
  if (spots.length === 0 && !overprint) return null;
  const solid = solidColors(design, around);
  const missing = spots.find(({ color }) => !solid.has(color));
  if (missing !== undefined) {
    const message = `no part of the design, nor its caption or frame, has the opaque colour ${missing.color}; they have ${[...solid].join(', ') || 'none'}`;
    return { field: 'spots', message };
  }
  if (!overprint) return null;
  const { paint } = design.dots;
  const prints = isSolid(paint) && (paint === '#000000' || spots.some(({ color }) => color === paint));
  if (!prints) return { field: 'overprint', message: 'the dots are neither black nor a spot colour' };
  const below = design.background.paint;
  // What is lighter than the ink below it does not show on it.
  return isSolid(below) && lumaOf(below) < lumaOf(paint)
    ? {
        field: 'overprint',
        message: 'the dots are lighter than the background, over which they would not show',
      }
    : null;
};

/** Returns why a page cannot be cut along such a line; `null`: it can. */
export const dielineFault = (
  { plates }: Inks,
  page: Readonly<Record<'widthMm' | 'heightMm', number>>,
): Fault | null => {
  const most = Math.min(page.widthMm, page.heightMm) / 2;
  return (plates?.dieline?.radiusMm ?? 0) <= most
    ? null
    : { field: 'dieline_radius_mm', message: `must be at most ${most.toFixed(2)}, half of the shorter side` };
};
