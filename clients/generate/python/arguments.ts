/** The arguments of a method. Pure. */
import { type Document, JSON_TYPE, type Parameter } from '../openapi.ts';
import type { Returned } from './answers.ts';
import type { Call } from './calls.ts';
import { literal, toSnake } from './text.ts';
import { typeIn } from './types.ts';

/** An argument of a method. */
export interface Argument {
  readonly name: string;
  readonly type: string;
  /** `null`: it must be given. */
  readonly usual: string | null;
  readonly description?: string;
}

/** The arguments of a method, in their order. */
export interface Arguments {
  readonly positional: readonly Argument[];
  readonly named: readonly Argument[];
}

const TIMEOUT: Argument = {
  name: 'timeout_s',
  type: 'Optional[float]',
  usual: 'None',
  description: 'Overrides the timeout of the client.',
};

const literalOf = (texts: readonly string[]): string => `Literal[${texts.map(literal).join(', ')}]`;

const argumentOf = (document: Document, { name, required, schema, description }: Parameter): Argument => {
  const type = typeIn(document, schema);
  return {
    ...(required ? { type, usual: null } : { type: `Optional[${type}]`, usual: 'None' }),
    name: toSnake(name),
    ...(description === undefined ? {} : { description }),
  };
};

/** The body of a request: JSON of a type, or bytes of a media type that the caller names. */
const bodyOf = ({ document, body }: Call): { readonly body?: Argument; readonly mediaType?: Argument } => {
  if (body === null) return {};
  const json = body.content[JSON_TYPE];
  const type = json === undefined ? 'RawBody' : typeIn(document, json.schema ?? {});
  const argument = body.required
    ? { name: 'body', type, usual: null }
    : { name: 'body', type: `Optional[${type}]`, usual: 'None' };
  if (json !== undefined) return { body: argument };
  const types = Object.keys(body.content);
  const usual = types.length === 1 ? literal(types[0]) : null;
  return { body: argument, mediaType: { name: 'content_type', type: literalOf(types), usual } };
};

const among = (call: Call, place: Parameter['in']): readonly Argument[] =>
  call.parameters.filter((each) => each.in === place).map((each) => argumentOf(call.document, each));

/** Returns the arguments of the method of a call. Without a parameter `format`, `Accept` chooses among kinds of files. */
export const argumentsOf = (call: Call, { mediaTypes }: Returned): Arguments => {
  const { body, mediaType } = bodyOf(call);
  const choice = mediaTypes.length > 1 && !call.parameters.some(({ name }) => name === 'format');
  const accept = { name: 'accept', type: literalOf(mediaTypes), usual: literal(mediaTypes[0]) };
  return {
    positional: [...among(call, 'path'), ...(body === undefined ? [] : [body])],
    named: [
      ...(mediaType === undefined ? [] : [mediaType]),
      ...among(call, 'query'),
      ...among(call, 'header'),
      ...(choice ? [accept] : []),
      TIMEOUT,
    ],
  };
};

/** Returns the arguments of the method that yields the entries of all pages. */
export const pageArgumentsOf = (call: Call): Arguments => ({
  positional: among(call, 'path'),
  named: [...among(call, 'query').filter(({ name }) => name !== 'cursor' && name !== 'limit'), TIMEOUT],
});
