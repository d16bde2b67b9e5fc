/** What links pass on of a visit, in requests and answers. */
import Type, { type Static } from 'typebox';
import { type Forward, UTM_NAMES } from '../../db/tables/links.ts';
import { fieldError } from '../../errors.ts';
import { LINK_PLACEHOLDERS } from '../../links/forward.ts';
import { maskTemplate } from '../../links/template.ts';
import { orNull } from '../../stored-json.ts';
import { strict } from './atoms.ts';

const UTM_MAX = 200;

const Query = Type.Enum(['drop', 'keep-own', 'keep-theirs'], {
  description:
    'The query of a visit: `drop`, or pass it on, where of parameters with one name those of the destination win (`keep-own`) or those of the visit (`keep-theirs`).',
});
const Path = Type.Boolean({
  description: 'Whether what stands behind the slug, as in `/l/{slug}/size/42`, is appended to the path.',
});
const utmOf = <T extends ReturnType<typeof Type.String>>(value: T) =>
  Object.fromEntries(UTM_NAMES.map((name) => [name, Type.Optional(value)])) as Record<
    (typeof UTM_NAMES)[number],
    ReturnType<typeof Type.Optional<T>>
  >;
const Utm = Type.Object(utmOf(Type.String({ minLength: 1, maxLength: UTM_MAX })), {
  ...strict,
  title: 'ForwardUtm',
  description:
    'Parameters that every visit gets, without `utm_`: they replace those of the destination. They may have placeholders.',
});

/** The field `forward`. */
export const ForwardWritten = Type.Object(
  { query: Type.Optional(Query), path: Type.Optional(Path), utm: Type.Optional(Utm) },
  {
    ...strict,
    title: 'NewForward',
    examples: [{ query: 'keep-own', path: true, utm: { source: 'poster', content: '{slug}' } }],
  },
);

/** The field `forward` of answers; `null`: that of the account. */
export const ForwardField = orNull(Type.Object({ query: Query, path: Path, utm: Utm }, { title: 'Forward' }));

/**
 * Reads what a caller wrote. What is left out is not passed on.
 *
 * @param inside The prefix of field names in errors.
 * @throws {AppError} 400 for a text that a parameter cannot have.
 */
export const readForward = (written: Static<typeof ForwardWritten> | null, inside = ''): Forward | null => {
  if (written === null) return null;
  const utm: Partial<Record<(typeof UTM_NAMES)[number], string>> = {};
  for (const name of UTM_NAMES) {
    const value = written.utm?.[name];
    if (value === undefined) continue;
    const field = `${inside}forward.utm.${name}`;
    if (/[\p{Cc}\p{Surrogate}]/u.test(value)) throw fieldError(field, 'must not contain control characters');
    const masked = maskTemplate(value, LINK_PLACEHOLDERS);
    if (!masked.ok) throw fieldError(field, masked.fault);
    utm[name] = value;
  }
  return { query: written.query ?? 'drop', path: written.path ?? false, utm };
};

/** Writes it with its fields in one order, which the database does not keep. */
export const toForwardField = (forward: Forward | null) =>
  forward && {
    query: forward.query,
    path: forward.path,
    utm: Object.fromEntries(
      UTM_NAMES.flatMap((name) => (forward.utm[name] === undefined ? [] : [[name, forward.utm[name]]])),
    ),
  };
