/** Before anything is measured: what the recipes get must be codes that say what was asked. */
import { decodePng } from '../../test/support/decode.ts';
import type { Aim } from './aim.ts';
import type { Recipe } from './recipes.ts';

const PNG_DATA_URL = /data:image\/png;base64,([A-Za-z0-9+/=]+)/g;
/** Of a batch only so many are decoded. */
const DECODED_MAX = 3;

const picturesIn = (body: Buffer): Buffer[] =>
  body.subarray(1, 4).toString('latin1') === 'PNG'
    ? [body]
    : [...body.toString('latin1').matchAll(PNG_DATA_URL)].map(([, base64]) => Buffer.from(base64!, 'base64'));

export interface Checked {
  /** Of the whole answer. */
  readonly bytes: number;
  /** Of the picture, or the mean of the pictures; 0 when there is none. */
  readonly bytesACode: number;
}

/** Sends one request of the recipe and reads the codes in its answer. @throws When anything is not right. */
export const checkRecipe = async (name: string, recipe: Recipe, url: string, aim: Aim): Promise<Checked> => {
  const serial = 0;
  const { method, path, headers, body } = recipe.build({ ...aim, run: `${aim.run}-check` }, serial);
  const response = await fetch(url + path, { method, headers, body: body ?? null, redirect: 'manual' });
  const answer = Buffer.from(await response.arrayBuffer());
  const complain = (fault: string): never => {
    throw new Error(`${name}: ${fault} (status ${response.status}): ${answer.toString('latin1', 0, 300)}`);
  };
  if (!recipe.isGood(response.status, answer)) complain('the answer is not as it should be');
  if (response.status === 302 && !response.headers.get('location')?.startsWith('https://example.com/')) {
    complain(`leads to ${response.headers.get('location')}`);
  }
  const texts = recipe.texts({ ...aim, run: `${aim.run}-check` }, serial);
  if (texts === null) return { bytes: answer.length, bytesACode: 0 };
  const pictures = picturesIn(answer);
  if (pictures.length !== texts.length) complain(`${pictures.length} pictures for ${texts.length} codes`);
  for (const [index, picture] of pictures.slice(0, DECODED_MAX).entries()) {
    const text = await decodePng(picture);
    if (text !== texts[index])
      complain(`code ${index} says ${JSON.stringify(text)}, not ${JSON.stringify(texts[index])}`);
  }
  const pictureBytes = pictures.reduce((total, { length }) => total + length, 0);
  return { bytes: answer.length, bytesACode: Math.round(pictureBytes / pictures.length) };
};
