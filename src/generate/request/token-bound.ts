/** Derives from a schema how many tokens a JSON body may have. */

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
}

/** Leaves room for what the schema itself should refuse (unknown fields, too many items), and for quotation marks. */
const SLACK = 4;
const SMALLEST = 64;

/** Returns the brackets, commas, colons and strings of the largest value that the schema accepts. */
const tokensOf = (schema: Schema): number => {
  const { properties, items, maxItems = 0, anyOf } = schema;
  if (properties !== undefined) {
    // 3: the name, a colon and a comma.
    return Object.values(properties).reduce((sum, property) => sum + 3 + tokensOf(property), 1);
  }
  if (items !== undefined) return 1 + maxItems * (1 + tokensOf(items));
  if (anyOf !== undefined) return Math.max(...anyOf.map(tokensOf));
  return 1;
};

/** Returns the most tokens that a body may have: four times those of the largest valid one. */
export const maxTokens = (schema: object): number => SLACK * Math.max(SMALLEST, tokensOf(schema));
