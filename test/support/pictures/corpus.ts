import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { parseColor } from '../../../src/validation/formats.ts';
import type { CornerType, DotType } from '../../../workers/lists.ts';
import { planRender } from '../../../workers/plan.ts';
import { type Design, isFault, type Logo, type Paint, type SymbolMode } from '../../../workers/protocol.ts';

/** The options of the browser library `qr-code-styling`, as far as the corpus uses them. */
interface LibraryPaint {
  readonly type?: string;
  readonly color?: string;
  readonly gradient?: {
    readonly type: 'linear' | 'radial';
    readonly rotation?: number;
    readonly colorStops: readonly { readonly offset: number; readonly color: string }[];
  };
}

/** Options of the browser library, the parts that the corpus uses. */
export interface LibraryOptions {
  readonly data: string;
  readonly width?: number;
  readonly height?: number;
  readonly margin?: number;
  readonly shape?: 'square' | 'circle';
  readonly image?: string;
  readonly qrOptions?: {
    typeNumber?: number;
    mode?: SymbolMode;
    errorCorrectionLevel?: 'L' | 'M' | 'Q' | 'H';
  };
  readonly imageOptions?: { hideBackgroundDots?: boolean; imageSize?: number; margin?: number };
  readonly dotsOptions?: LibraryPaint & { readonly roundSize?: boolean };
  readonly cornersSquareOptions?: LibraryPaint;
  readonly cornersDotOptions?: LibraryPaint;
  readonly backgroundOptions?: LibraryPaint & { readonly round?: number };
}

/** A picture that the library drew: options, PNG, and what readers read in it. */
export interface CorpusCase {
  readonly name: string;
  readonly version: number;
  readonly mask: number;
  /** Rows of the symbol as hex numbers, the leftmost module the highest bit, joined by full stops. */
  readonly matrix: string;
  readonly jsqr: 'exact' | 'none' | 'other';
  readonly zbar: 'exact' | 'none' | 'other';
}

const here = new URL('../../corpus/', import.meta.url);
const shared = new URL('../../../../shared/corpus/', import.meta.url);
const folder = existsSync(fileURLToPath(shared)) ? shared : here;

const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

/** All pictures of the corpus. */
export const corpusCases = (): readonly CorpusCase[] => readJson('index.json') as CorpusCase[];

/** The options with which a picture of the corpus was drawn. */
export const corpusOptions = ({ name }: { readonly name: string }): LibraryOptions =>
  readJson(`${name}.json`) as LibraryOptions;

/** The PNG that the library drew. */
export const corpusPng = ({ name }: CorpusCase): Uint8Array => readFileSync(new URL(`${name}.png`, folder));

/**
 * The rasteriser of the corpus truncates the channels of `hsl()`, which CSS rounds. These are its colours.
 */
const CUT_OFF: Readonly<Record<string, string>> = {
  'hsl(210, 80%, 25%)': '#0c3f72',
  'hsl(40,100%,95%)': '#fff6e5',
};

const hexOf = (color: string): string =>
  color === '' ? '#00000000' : (CUT_OFF[color] ?? parseColor(color)!);

function paintOf(options: LibraryPaint | undefined): Paint | null {
  if (options?.gradient !== undefined) {
    const { type, rotation = 0, colorStops } = options.gradient;
    return {
      type,
      rotationRad: Number(rotation),
      colorStops: colorStops.map(({ offset, color }) => ({ offset: Number(offset), color: hexOf(color) })),
    };
  }
  return options?.color === undefined ? null : hexOf(options.color);
}

/** Returns a design with the library's defaults. They differ from our API's: no quiet zone, and always level Q. */
export function designOf(options: LibraryOptions): Design {
  const { qrOptions, imageOptions, dotsOptions, cornersSquareOptions, cornersDotOptions } = options;
  return {
    widthPx: Number(options.width ?? 300),
    heightPx: Number(options.height ?? 300),
    marginPx: Number(options.margin ?? 0),
    shape: options.shape ?? 'square',
    symbol: {
      typeNumber: qrOptions?.typeNumber ?? 0,
      mode: qrOptions?.mode ?? null,
      levels: [qrOptions?.errorCorrectionLevel ?? 'Q'],
    },
    dots: {
      type: (dotsOptions?.type ?? 'square') as DotType,
      paint: paintOf(dotsOptions) ?? '#000000',
      roundSize: dotsOptions?.roundSize ?? true,
    },
    cornersSquare: {
      type: (cornersSquareOptions?.type ?? null) as CornerType | null,
      paint: paintOf(cornersSquareOptions),
    },
    cornersDot: {
      type: (cornersDotOptions?.type ?? null) as CornerType | null,
      paint: paintOf(cornersDotOptions),
    },
    background: {
      paint: paintOf(options.backgroundOptions) ?? '#ffffff',
      round: options.backgroundOptions?.round ?? 0,
    },
    image: {
      size: imageOptions?.imageSize ?? 0.4,
      marginPx: imageOptions?.margin ?? 0,
      hideBackgroundDots: imageOptions?.hideBackgroundDots ?? true,
    },
  };
}

/**
 * Returns the logo as PNG. Bitmaps keep their pixels. The library leaves an SVG to the rasteriser; here it is drawn to
 * fill just its place in the picture, so that no second scaling blurs it.
 */
export async function logoOf(options: LibraryOptions): Promise<Logo | null> {
  if (options.image === undefined) return null;
  const [, type, encoding, body] = /^data:([^;,]+)(;[^,]+)?,(.*)$/s.exec(options.image)!;
  const bytes =
    encoding === ';base64' ? Buffer.from(body!, 'base64') : Buffer.from(decodeURIComponent(body!));
  if (type !== 'image/svg+xml') {
    const { data, info } = await sharp(bytes).png().toBuffer({ resolveWithObject: true });
    return { png: data, widthPx: info.width, heightPx: info.height };
  }
  const { width: widthPx, height: heightPx } = new Resvg(bytes);
  const plan = planRender(options.data, designOf(options), { widthPx, heightPx });
  if (isFault(plan)) throw new Error(plan.message);
  const { width, height } = plan.geometry.logo!;
  const href = `data:image/svg+xml;base64,${bytes.toString('base64')}`;
  const size = `width="${width}" height="${height}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${href}"/></svg>`;
  return { png: new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng(), widthPx, heightPx };
}
