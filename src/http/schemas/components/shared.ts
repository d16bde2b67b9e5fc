import { isObject, type Json, type Operation, type Response } from './document.ts';

/** The name of the schema of a JSON body; `null`: it has none, or is not JSON. */
const schemaName = (content: Readonly<Record<string, Json>> = {}): string | null => {
  const { schema } = content['application/json'] ?? {};
  const ref = isObject(schema) ? schema.$ref : undefined;
  return typeof ref === 'string' ? ref.slice(ref.lastIndexOf('/') + 1) : null;
};

/**
 * A success is named after its schema. Others are named after their status, since every operation has some ten of
 * them; `400Text` where the failure is plain text.
 */
const responseName = (status: string, { content = {} }: Response): string => {
  const schema = /^20[0-2]$/.test(status) ? schemaName(content) : null;
  return schema === null ? `${status}${'text/plain' in content ? 'Text' : ''}` : `${schema}${status}`;
};

/** In the form of the names of schemas, and unlike all of them: many generators write a file for each name. */
const nameOf = ({ name }: Json): string =>
  `${String(name).replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())}Parameter`;

/** Returns what occurs several times, by its name; a further one of the same name gets a number. */
const repeated = <T>(things: readonly (readonly [name: string, thing: T])[]): Record<string, T> => {
  const counts = new Map<string, number>();
  const found: Record<string, T> = {};
  for (const [name, thing] of things) {
    const text = JSON.stringify(thing);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count !== 2) continue;
    let free = name;
    for (let n = 2; free in found; n += 1) free = `${name}-${n}`;
    found[free] = thing;
  }
  return found;
};

/** The components that operations share, by their names. */
export interface Components {
  readonly parameters: Json;
  readonly responses: Json;
}

/** Returns what at least two of some operations have in common. */
export const findCommon = (operations: readonly Operation[]): Components => ({
  parameters: repeated(
    operations.flatMap(({ parameters = [] }) => parameters.map((each) => [nameOf(each), each] as const)),
  ),
  responses: repeated(
    operations.flatMap(({ responses }) =>
      Object.entries(responses).map(
        ([status, response]) => [responseName(status, response), response] as const,
      ),
    ),
  ),
});

/** Creates a function that replaces a part of the document by a reference, where a component is the same. */
export const createReplacer = (kind: keyof Components, components: Json): ((thing: object) => object) => {
  const names = new Map(Object.entries(components).map(([name, thing]) => [JSON.stringify(thing), name]));
  return (thing) => {
    const name = names.get(JSON.stringify(thing));
    return name === undefined ? thing : { $ref: `#/components/${kind}/${name}` };
  };
};
