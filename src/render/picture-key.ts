import { hash } from 'node:crypto';
import type { Design, RenderTask } from '../../workers/protocol.ts';
import { RENDERER_VERSION } from './version.ts';

/** Everything that decides a picture, except the renderer. */
export interface PictureOf extends Pick<RenderTask, 'text' | 'design' | 'format' | 'print'> {
  /** SHA-256 of the logo, hexadecimal; `null` without a logo. */
  readonly logoSha256: string | null;
}

/** The JSON texts of designs, cached by object identity. */
const designTexts = new WeakMap<Design, string>();

const textOf = (design: Design): string => {
  const known = designTexts.get(design);
  if (known !== undefined) return known;
  const text = JSON.stringify(design);
  designTexts.set(design, text);
  return text;
};

/** Returns a key of 43 characters that is unique to a picture. It changes with the version of the renderer. */
export const pictureKey = ({ text, design, format, print, logoSha256 }: PictureOf): string =>
  // As JSON, broken surrogates of the text stay distinct.
  hash(
    'sha256',
    `${RENDERER_VERSION} ${format} ${logoSha256} ${print === undefined ? '' : JSON.stringify(print)} ${textOf(design)} ${JSON.stringify(text)}`,
    'base64url',
  );
