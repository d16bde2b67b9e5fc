import { columnsOf, type FieldColumn } from '../../../csv/columns.ts';
import { type Formats, type Schema, withoutRefs } from './schema.ts';

/** What a row must look like, according to the OpenAPI document of the running service. */
export interface Rules {
  readonly schema: Schema;
  readonly known: readonly FieldColumn[];
  readonly formats: Formats;
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const FORMATS: Formats = {
  'css-color': (text) => CSS.supports('color', text),
  'logo-source': (text) => /^data:image\/(png|jpeg|webp|svg\+xml);base64,|^https?:\/\//i.test(text),
};

/** Returns the rules of an OpenAPI document. */
export const rulesOf = ({ components: { schemas } }: Document): Rules => {
  const schema = withoutRefs(schemas.BulkItem ?? {}, schemas);
  return { schema, known: columnsOf(schema), formats: FORMATS };
};
