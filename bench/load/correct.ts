/** Prepares a running deployment for a load, and checks that each recipe gets codes with the requested content. */
import { createAim } from '../../test/servers/account.ts';
import { decodePng } from '../../test/support/pictures/decode.ts';
import { type Aim, TargetFault } from './aim.ts';
import type { Deployment } from './deployment.ts';
import { type Mix, needsOf } from './mix.ts';
import { type Recipe, recipeOf } from './recipes.ts';

const PNG_DATA_URL = /data:image\/png;base64,([A-Za-z0-9+/=]+)/g;
/** How many codes of a bulk call are decoded. */
const DECODED_MAX = 3;

const picturesIn = (body: Buffer): Buffer[] =>
  body.subarray(1, 4).toString('latin1') === 'PNG'
    ? [body]
    : [...body.toString('latin1').matchAll(PNG_DATA_URL)].map(([, base64]) => Buffer.from(base64!, 'base64'));

/**
 * Sends one request of the recipe and decodes the codes in its answer.
 *
 * @returns Bytes of the picture, or the mean of the pictures; 0 without a picture.
 * @throws When the answer or a code is wrong.
 */
export const checkRecipe = async (name: string, recipe: Recipe, url: string, aim: Aim): Promise<number> => {
  const serial = 0;
  const own = { ...aim, run: `${aim.run}-check` };
  const { method, path, headers, body } = recipe.build(own, serial);
  const response = await fetch(url + path, { method, headers, body: body ?? null, redirect: 'manual' });
  const answer = Buffer.from(await response.arrayBuffer());
  const complain = (fault: string): never => {
    const hint = recipe.needs.includes('uris') ? '; its gateways need RESOLVER=on' : '';
    throw new TargetFault(
      `${name}: ${fault}${hint} (status ${response.status}): ${answer.toString('latin1', 0, 300)}`,
    );
  };
  if (!recipe.isGood(response.status, answer)) complain('the answer is wrong');
  if (response.status === 302 && !response.headers.get('location')?.startsWith('https://example.com/')) {
    complain(`the redirect leads to ${response.headers.get('location')}, not to https://example.com/`);
  }
  const texts = recipe.texts(own, serial);
  if (texts === null) return 0;
  const pictures = picturesIn(answer);
  if (pictures.length !== texts.length)
    complain(`the answer has ${pictures.length} pictures for ${texts.length} codes`);
  for (const [index, picture] of pictures.slice(0, DECODED_MAX).entries()) {
    const text = await decodePng(picture);
    if (text !== texts[index])
      complain(`code ${index} says ${JSON.stringify(text)}, not ${JSON.stringify(texts[index])}`);
  }
  const pictureBytes = pictures.reduce((total, { length }) => total + length, 0);
  return Math.round(pictureBytes / pictures.length);
};

/** Does so for all recipes of a mix. @throws When an answer or a code is wrong. */
export const checkMix = async (mix: Mix, url: string, aim: Aim): Promise<void> => {
  for (const [name] of mix) await checkRecipe(name, recipeOf(name), url, aim);
};

/** Makes in a deployment what a mix needs. It stays there, but for the signing secret: `removeSecret` deletes that. */
export const aimAt = async ({ url, keys, loadTest }: Deployment, mix: Mix): Promise<Aim> => {
  const aim = await createAim(url, keys, Date.now().toString(36), needsOf(mix));
  return loadTest === null ? aim : { ...aim, loadTest };
};
