/** What a signed address asks for. */
import Type, { type Static } from 'typebox';
import type { Fault } from '../../workers/protocol.ts';
import { Data, PictureOptions, strict } from '../generate/request/picture-options.ts';
import { ok, type Result, refused } from '../result.ts';
import { isShallow } from '../validation/json.ts';

/** A logo comes with a saved code or a preset: one from a URL may change, and a data URI is too long for an address. */
const { image: _, ...options } = PictureOptions.properties;

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

/** The fields of the parameters: content with options and a preset, or a saved code. */
export const signedFields = {
  data: Type.Optional(Data),
  ...options,
  // Without a default: what validation adds would be taken for what the caller sent, and be signed.
  shape: Type.Optional(Type.Enum(['square', 'circle'])),
  code: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'A saved code, in place of `data`; `width` is the only option that may be sent with it.',
    }),
  ),
  preset: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Id or name of a preset, or `default`, under the other options; not with `code`.',
    }),
  ),
  expires: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LAST_SECOND,
      description: 'Unix time in seconds at which the address ends; absent: never.',
    }),
  ),
};

/** The parameters, which an address has as JSON. */
export const SignedParameters = Type.Object(signedFields, strict);
/** Validated parameters. */
export type SignedParameters = Static<typeof SignedParameters>;

/** A picture that is made of its own parameters. */
export type ContentParameters = SignedParameters & { readonly data: string };

/** What parameters name: a text with options, or a saved code. */
export type Named =
  | { readonly kind: 'content'; readonly parameters: ContentParameters }
  | { readonly kind: 'code'; readonly codeId: string; readonly widthPx: number | undefined };

const WITH_CODE: ReadonlySet<string> = new Set(['code', 'width', 'expires']);

/** Returns what validated parameters name, or the first field that conflicts with the others. */
export const readNamed = (parameters: SignedParameters): Result<Named, Fault> => {
  const { data, code, width } = parameters;
  if (code === undefined) {
    if (data === undefined) return refused({ field: 'data', message: 'is required, or else code' });
    return ok({ kind: 'content', parameters: { ...parameters, data } });
  }
  const other = Object.keys(parameters).find((field) => !WITH_CODE.has(field));
  if (other !== undefined) return refused({ field: other, message: 'must not be sent together with code' });
  return ok({ kind: 'code', codeId: code.toLowerCase(), widthPx: width });
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the parameters of an address whose signature is right. A fault is the signer's own.
 *
 * @param encoded JSON in UTF-8, in base64url.
 * @param check Returns what is wrong with parameters by `SignedParameters`, or `null`.
 */
export const readParameters = (
  encoded: string,
  check: (value: unknown) => Fault | null,
): Result<SignedParameters, Fault> => {
  const value = parseJson(encoded);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refused({ field: 'parameters', message: 'must be a JSON object in UTF-8, in base64url' });
  }
  // What checking adds would be taken for what the caller sent, and hide what the preset says.
  const fault = check('preset' in value ? structuredClone(value) : value);
  return fault === null ? ok(value as SignedParameters) : refused(fault);
};

const parseJson = (encoded: string): unknown => {
  try {
    const text = utf8.decode(Buffer.from(encoded, 'base64url'));
    return isShallow(text) ? JSON.parse(text) : undefined;
  } catch {
    // Neither UTF-8 nor JSON: no object, as brackets within brackets are none.
    return undefined;
  }
};
