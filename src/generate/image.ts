/** The picture of the image endpoint. It costs one unit, even when the gateway's cache has it. */
import type { Fault } from '../../workers/protocol.ts';
import { pictureKey } from '../render/result-cache.ts';
import { payFor } from './paid-call.ts';
import type { Caller, Parts } from './parts.ts';
import { NO_TERMS, type Terms } from './quality/graded.ts';
import { refuse } from './refusals.ts';
import { toImageDesign } from './request/design.ts';
import type { ImageQuery } from './request/request.ts';
import { type AskedPicture, callFor, type SingleAnswer } from './single.ts';

/** The endpoint's names for fields of request bodies. */
const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['data', 'content'],
  ['dotsOptions.color', 'dark'],
  ['dotsOptions.gradient', 'dark'],
  // The corners take the colour of the dots.
  ['cornersDotOptions.type', 'dark'],
  ['cornersSquareOptions.type', 'dark'],
  ['backgroundOptions.color', 'light'],
]);

const refusal = ({ field, message }: Fault) =>
  refuse({ field: PARAMETERS.get(field) ?? field, message }, 'invalid_query');

/** Returns the picture that a validated query asks for. */
export const toImage = (query: ImageQuery): AskedPicture & { readonly key: string } => {
  const { content: text } = query;
  const design = toImageDesign(query);
  const key = pictureKey({ text, design, format: 'png', logoSha256: null });
  return { text, laid: { design }, use: 'image', key, refusal };
};

/** Makes the use case of the image endpoint. */
export const createImage =
  (parts: Parts) =>
  (image: AskedPicture, caller: Caller, terms: Terms = NO_TERMS): Promise<SingleAnswer> =>
    payFor(parts, callFor(parts, image, caller, terms));
