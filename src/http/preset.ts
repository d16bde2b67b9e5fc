/** The request header that names a preset. */
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import Type from 'typebox';
import { fieldError } from '../errors.ts';
import { isOptions, mergeOptions } from '../generate/request/options.ts';
import { BULK_MAX_ITEMS } from '../generate/request/request.ts';
import type { NamedPreset, PresetLookup } from '../presets/lookup.ts';
import { principalOf } from './auth/auth.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The fingerprint of the preset that the body overrides; `null`: the call names none. */
    preset: string | null;
    /** The host of the domain of that preset; `null`: none. */
    presetDomain: string | null;
  }
}

/** The request header of calls whose body has a design. */
export const PresetHeader = {
  'tessera-preset': Type.Optional(
    Type.String({
      description:
        'Id or name of a preset, or `default` for the default one. Fields in the body override those of the preset.',
    }),
  ),
};

/** Where a request names a preset, and how. */
export interface PresetName {
  /** A query or body field, or the header. */
  readonly field: 'preset' | 'Tessera-Preset';
  readonly text: string;
}

/** Returns the text that a client has sent as bytes: in UTF-8, or else in Latin-1, as Node reads headers. */
export const decodeHeader = (header: string): string => {
  const text = Buffer.from(header, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? header : text;
};

/** Says what names a preset; continues a sentence that begins with the field. */
export const UNKNOWN_PRESET =
  'must be the id or the name of one of your presets, or default if you have a default one';

/** Returns the account's preset of this name. @throws {AppError} 400 when there is none. */
export const namedPreset = async (
  presets: PresetLookup,
  accountId: string,
  { field, text }: PresetName,
): Promise<NamedPreset> => {
  const found = await presets.find(accountId, text);
  if (found !== null) return found;
  throw fieldError(field, UNKNOWN_PRESET, field === 'preset' ? 'invalid_query' : 'invalid_header');
};

/** Validation writes defaults into what it is given, and presets are shared. Texts, and so the logo, are not copied. */
const merged = ({ options: { image, ...options } }: NamedPreset, body: unknown): unknown =>
  isOptions(body)
    ? mergeOptions<object>({ ...structuredClone(options), ...(image === undefined ? {} : { image }) }, body)
    : body;

/** Where the designs of a body are: in itself, or in its items. */
type Shape = 'single' | 'bulk';

const mergedBody = (preset: NamedPreset, body: unknown, shape: Shape): unknown => {
  if (shape === 'single') return merged(preset, body);
  // Validation refuses any other form.
  if (!isOptions(body) || !Array.isArray(body.items) || body.items.length > BULK_MAX_ITEMS) return body;
  return { ...body, items: body.items.map((item) => merged(preset, item)) };
};

const lay = async (presets: PresetLookup, request: FastifyRequest, header: string, shape: Shape) => {
  const name: PresetName = { field: 'Tessera-Preset', text: decodeHeader(header) };
  const preset = await namedPreset(presets, principalOf(request).accountId, name);
  request.preset = preset.fingerprint;
  request.presetDomain = preset.domain;
  request.body = mergedBody(preset, request.body, shape);
};

/**
 * Makes the hook that merges the body of a call over the preset that its header names. It runs before validation, whose
 * defaults would override the preset. Without the header it does nothing.
 */
export const createPresetHook =
  (presets: PresetLookup, shape: Shape): preValidationHookHandler =>
  (request, _reply, done) => {
    const header = request.headers['tessera-preset'];
    if (header === undefined) return done();
    lay(presets, request, String(header), shape).then(() => done(), done);
  };
