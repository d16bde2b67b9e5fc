/** How many tokens a JSON body may have, from the schema that it is held to. */

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
}

/** For what a schema refuses in words of its own: unknown fields, an item too many, quotation marks in texts. */
const SLACK = 4;
const SMALLEST = 64;

/** Brackets, commas, colons and strings of the largest value that the schema takes. */
const tokensOf = (schema: Schema): number => {
  const { properties, items, maxItems = 0, anyOf } = schema;
  if (properties !== undefined) {
    // Its name, a colon and a comma.
    return Object.values(properties).reduce((sum, property) => sum + 3 + tokensOf(property), 1);
  }
  if (items !== undefined) return 1 + maxItems * (1 + tokensOf(items));
  if (anyOf !== undefined) return Math.max(...anyOf.map(tokensOf));
  return 1;
};

/** Four times what the largest legal body has. */
export const maxTokens = (schema: object): number => SLACK * Math.max(SMALLEST, tokensOf(schema));
