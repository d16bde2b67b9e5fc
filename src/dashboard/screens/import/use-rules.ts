import { columnsOf, type FieldColumn } from '../../../csv/columns.ts';
import { askRaw } from '../../api/client.ts';
import { useLoad } from '../../ui/use-load.ts';
import { type Formats, type Schema, withoutRefs } from './table/schema.ts';

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

const loadRules = async (signal: AbortSignal): Promise<Rules> => {
  const document = (await (await askRaw('openapi.json', { signal })).json()) as Document;
  const { schemas } = document.components;
  const schema = withoutRefs(schemas.BulkItem ?? {}, schemas);
  return { schema, known: columnsOf(schema), formats: FORMATS };
};

/** Loads the rules from the service. */
export const useRules = () => useLoad(loadRules, []);
