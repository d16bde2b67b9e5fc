/** Types of Python from the schemas of the document. Pure. */
import { type Document, JSON_TYPE, nameOfRef, resolve, type Schema } from '../openapi.ts';
import { comment, isName, literal, toPascal } from './text.ts';

/** Types that were found inside others, by the names that they get. */
type Found = Map<string, Schema>;

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Returns the union of some types, each once. */
const unionOf = (types: readonly string[]): string => {
  const parts = [...new Set(types)].filter((type) => type !== 'None');
  if (parts.includes('Any')) return 'Any';
  const whole = parts.length > 1 ? `Union[${parts.join(', ')}]` : (parts[0] ?? 'None');
  return parts.length > 0 && types.includes('None') ? `Optional[${whole}]` : whole;
};

/** Puts the parts of an `allOf` together. */
const merged = (document: Document, parts: readonly Schema[]): Schema => {
  const found = parts.map((part) => resolve<Schema>(document, part));
  return {
    ...Object.assign({}, ...found),
    properties: Object.assign({}, ...found.map(({ properties }) => properties)),
    required: found.flatMap(({ required = [] }) => required),
  };
};

const isRecord = ({ type, properties }: Schema): boolean =>
  type === 'object' && Object.keys(properties ?? {}).length > 0;

/** How types are written. */
interface Writing {
  readonly document: Document;
  /** Stands before the names of the document's own types, `types.`. */
  readonly prefix: string;
  readonly found: Found;
}

/**
 * Returns the type of a schema.
 *
 * @param name What a record in this place is called that has no name in the document.
 */
const typeOf = (writing: Writing, schema: Schema, name: string): string => {
  const { document, prefix, found } = writing;
  const again = (inner: Schema, innerName = name) => typeOf(writing, inner, innerName);
  if (schema.$ref !== undefined) {
    const meant = resolve<Schema>(document, schema);
    return isRecord(meant) ? prefix + nameOfRef(schema.$ref) : again(meant, nameOfRef(schema.$ref));
  }
  if (schema.allOf !== undefined) return again(merged(document, schema.allOf));
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) {
    const isOne = either.filter((each) => each.$ref === undefined && isRecord(each)).length < 2;
    return unionOf(either.map((each, i) => again(each, isOne ? name : `${name}${i + 1}`)));
  }
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  if (typeof schema.type === 'object') return unionOf(schema.type.map((type) => again({ ...schema, type })));
  if (schema.type === 'array') return `list[${again(schema.items ?? {}, `${name}Item`)}]`;
  if (isRecord(schema)) {
    const free = name in document.components.schemas ? `${name}Part` : name;
    found.set(free, schema);
    return prefix + free;
  }
  if (schema.type !== 'object') return SIMPLE[schema.type ?? ''] ?? 'Any';
  const { additionalProperties: other } = schema;
  return `dict[str, ${typeof other === 'object' ? again(other, `${name}Value`) : 'Any'}]`;
};

/** Returns the type of a schema as modules other than that of the types write it. */
export const typeIn = (document: Document, schema: Schema): string =>
  typeOf({ document, prefix: 'types.', found: new Map() }, schema, 'Unnamed');

interface Field {
  readonly name: string;
  readonly type: string;
  readonly description: string | undefined;
}

const classOf = (name: string, base: string, fields: readonly Field[]): string => {
  const lines = fields.map(
    (field) => `${comment(field.description, '    ')}    ${field.name}: ${field.type}\n`,
  );
  return `class ${name}(${base}):\n${lines.join('')}`;
};

/** Writes a record that has a field whose name is none in Python, such as `from`. */
const functionOf = (name: string, options: string, fields: readonly Field[]): string => {
  const lines = fields.map(
    (field) => `${comment(field.description, '        ')}        "${field.name}": ${literal(field.type)},\n`,
  );
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n${options})\n`;
};

/** Writes a record. What may be absent stands in a part of its own: Python 3.9 knows no `NotRequired`. */
const recordOf = (name: string, fields: readonly Field[], required: readonly string[]): string => {
  const must = fields.filter((field) => required.includes(field.name));
  const may = fields.filter((field) => !required.includes(field.name));
  if (fields.every((field) => isName(field.name))) {
    if (may.length === 0) return classOf(name, 'TypedDict', must);
    if (must.length === 0) return classOf(name, 'TypedDict, total=False', may);
    const base = `_${name}Required`;
    return `${classOf(base, 'TypedDict', must)}\n\n${classOf(name, `${base}, total=False`, may)}`;
  }
  if (may.length === 0) return functionOf(name, '', must);
  if (must.length === 0) return functionOf(name, '    total=False,\n', may);
  const [first, second] = [`_${name}Required`, `_${name}Optional`];
  const parts = [functionOf(first, '', must), functionOf(second, '    total=False,\n', may)];
  return `${parts.join('\n\n')}\n\nclass ${name}(${first}, ${second}):\n    pass\n`;
};

/**
 * Writes every record that a schema holds, itself included, into `records`. Each one is written once.
 *
 * @throws {Error} Two that differ have the same name.
 */
const addRecords = (
  document: Document,
  records: Map<string, string>,
  [name, schema]: readonly [string, Schema],
): void => {
  const writing: Writing = { document, prefix: '', found: new Map() };
  if (!isRecord(schema)) typeOf(writing, schema, name);
  const fields = Object.entries(isRecord(schema) ? schema.properties! : {}).map(([field, inner]) => ({
    name: field,
    type: typeOf(writing, inner, `${name}${toPascal(field)}`),
    description: inner.description,
  }));
  for (const inner of writing.found) addRecords(document, records, inner);
  if (fields.length === 0) return;
  const text = recordOf(name, fields, schema.required ?? []);
  if ((records.get(name) ?? text) !== text) throw new Error(`two records that differ are called ${name}`);
  records.set(name, text);
};

/** The events of webhooks, when the document describes them; else any object. */
const eventsOf = (document: Document, found: Found): string => {
  const bodies = Object.entries(document.webhooks ?? {}).map(([event, { post }]) => {
    const { content = {} } = resolve<{ readonly content?: Record<string, { schema: Schema }> }>(
      document,
      post?.requestBody ?? {},
    );
    const schema = content[JSON_TYPE]?.schema ?? {};
    return typeOf({ document, prefix: '', found }, schema, `${toPascal(event)}Event`);
  });
  return bodies.length === 0 ? 'dict[str, Any]' : unionOf(bodies);
};

/** Writes the module of the types. */
export const writeTypes = (document: Document): string => {
  const schemas = Object.entries(document.components.schemas);
  const inEvents: Found = new Map();
  const events = eventsOf(document, inEvents);
  const records = new Map<string, string>();
  for (const named of [...schemas, ...inEvents]) addRecords(document, records, named);
  const writing = { document, prefix: '', found: new Map() };
  const others = schemas
    .filter(([, schema]) => !isRecord(schema))
    .map(
      ([name, schema]) => `${comment(schema.description, '')}${name} = ${typeOf(writing, schema, name)}\n`,
    );
  return [
    'from __future__ import annotations\n\nfrom typing import Any, Literal, Optional, TypedDict, Union\n',
    ...records.values(),
    others.join(''),
    `#: An event that \`verify_webhook\` returns.\nWebhookEvent = ${events}\n`,
  ].join('\n\n');
};
