import { UNESCAPED_FORMAT } from '../atoms.ts';
import { tellDefault } from './defaults.ts';
import { isObject, isSame, type Json, mapValues } from './document.ts';

/** Keywords of a schema whose values are data, so a `title` in them names no schema. */
const VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/**
 * Moves every schema with a `title` to `found`, under that name.
 *
 * @throws {Error} Two schemas that differ have the same title.
 */
export const hoistSchemas = (node: unknown, found: Json): unknown => {
  if (Array.isArray(node)) return node.map((inner) => hoistSchemas(inner, found));
  if (!isObject(node)) return node;
  const { title, ...rest } = tellDefault(
    joinNull(mapValues(node, (inner, key) => (VALUES.has(key) ? inner : hoistSchemas(inner, found)))),
  );
  if (rest.format === UNESCAPED_FORMAT) delete rest.format;
  // A field of this name is a schema, not a text.
  if (title !== undefined && typeof title !== 'string') return { title, ...rest };
  if (title === undefined) return rest;
  found[title] ??= rest;
  if (!isSame(found[title], rest)) {
    throw new Error(`two schemas that differ have the title "${title}": give one of them another`);
  }
  return { $ref: `#/components/schemas/${title}` };
};

/** Merges the two schemas of a nullable value into one type, where they differ in nothing but the type. */
const joinNull = (schema: Json): Json => {
  const [first, second, ...more] = Array.isArray(schema.anyOf) ? (schema.anyOf as readonly Json[]) : [];
  const isPlain = typeof first?.type === 'string' && !('enum' in first) && !('const' in first);
  if (!isPlain || second?.type !== 'null' || more.length > 0) return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...first, ...rest, type: [first.type, 'null'] };
};
