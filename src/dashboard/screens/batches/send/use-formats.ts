import { askRaw } from '../../../api/client.ts';
import { useLoad } from '../../../ui/use-load.ts';
import { FORMATS } from '../../download/file-choice.ts';

interface Document {
  readonly paths: {
    readonly '/api/v1/batches': {
      readonly post: {
        readonly parameters: readonly {
          readonly name?: string;
          readonly schema?: { readonly pattern?: string };
        }[];
      };
    };
  };
}

/** Loads the formats that the running service takes for batches, from its OpenAPI document. */
export const useFormats = () =>
  useLoad(async (signal) => {
    const { paths } = (await (await askRaw('openapi.json', { signal })).json()) as Document;
    const { parameters } = paths['/api/v1/batches'].post;
    const pattern = parameters.find(({ name }) => name === 'formats')?.schema?.pattern ?? '';
    return FORMATS.filter(({ value }) => new RegExp(pattern).test(value));
  }, []);
