/** The fonts in which a text is looked for, one after the other, and the files that they are read from. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getOrMake } from '../kept.ts';
import { fontPath, type Weight } from '../print/font.ts';
import { NARROWNESS } from '../print/text.ts';
import { type Face, openFace } from './face.ts';

/** The fonts that come with the service, and those that are used where their package is installed. */
const PACKAGES = {
  sans: { regular: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf', bold: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf' },
  condensed: {
    regular: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
    bold: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf',
  },
  thai: notoFiles('thai', 'thai'),
  devanagari: notoFiles('devanagari', 'devanagari'),
  bengali: notoFiles('bengali', 'bengali'),
  tamil: notoFiles('tamil', 'tamil'),
  jp: notoFiles('jp', 'japanese'),
  sc: notoFiles('sc', 'chinese-simplified'),
  tc: notoFiles('tc', 'chinese-traditional'),
  kr: notoFiles('kr', 'korean'),
} as const satisfies Record<string, Readonly<Record<Weight, string>>>;

function notoFiles(name: string, subset: string): Readonly<Record<Weight, string>> {
  const file = `@fontsource/noto-sans-${name}/files/noto-sans-${name}-${subset}`;
  return { regular: `${file}-400-normal.woff`, bold: `${file}-700-normal.woff` };
}

/** A font of the chain. `mono` is that of texts which need no shaping, made narrower as there. */
export type FontName = 'mono' | keyof typeof PACKAGES;
/** A font in one weight: its name, and after a space the weight. */
export type FontKey = `${FontName} ${Weight}`;

const OTHERS = ['thai', 'devanagari', 'bengali', 'tamil', 'jp', 'sc', 'tc', 'kr'] as const;
/** The fonts of words around codes, and those of labels on sheets. */
export const CHAINS = { words: ['mono', 'sans', ...OTHERS], labels: ['condensed', ...OTHERS] } as const;
/** Where a text stands, which decides its first font. */
export type ChainName = keyof typeof CHAINS;

/** Returns how wide letters of a font are drawn, of what the font has. */
export const widthShareOf = (key: string): number => (key.startsWith('mono ') ? NARROWNESS : 1);

const require = createRequire(import.meta.url);
const faces = new Map<FontKey, Face | 'absent'>();

/** Returns the path of a font; `null`: its package is not installed. */
const pathOf = (name: FontName, weight: Weight): string | null => {
  if (name === 'mono') return fontPath(weight);
  try {
    return require.resolve(PACKAGES[name][weight]);
  } catch {
    return null;
  }
};

const openFont = (key: FontKey): Face | 'absent' => {
  const [name, weight] = key.split(' ') as [FontName, Weight];
  const path = pathOf(name, weight);
  return path === null ? 'absent' : openFace(readFileSync(path));
};

/** Returns a font, which is read once in each thread; `null`: its package is not installed. */
export const faceOf = (key: FontKey): Face | null => {
  const face = getOrMake(faces, key, () => openFont(key));
  return face === 'absent' ? null : face;
};

/** Returns a font that set a text. @throws {Error} When its package is not installed. */
export const knownFaceOf = (key: string): Face => {
  const face = faceOf(key as FontKey);
  if (face === null) throw new Error(`the font ${key} is not installed`);
  return face;
};

/** Returns the fonts of a chain that are installed, from the first on. They are read as far as they are asked for. */
export function* fontsOf(chain: ChainName, weight: Weight): Generator<{ key: FontKey; face: Face }, void> {
  for (const name of CHAINS[chain]) {
    const key: FontKey = `${name} ${weight}`;
    const face = faceOf(key);
    if (face !== null) yield { key, face };
  }
}
