/** The calls about the account's presets. */
import { api, ask, ifMatch } from '../../api/client.ts';
import { cache, change, getAll, useRead } from '../../api/query.ts';
import type { Preset, QrRequest } from '../../api/shapes.ts';
import { withoutDefaults } from './draft.ts';

/** An account has at most two hundred presets. */
const PAGES_MAX = 2;

const LIST = {
  queryKey: ['presets'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Preset[]> =>
    (await getAll('/api/v1/presets', { query: { limit: 100 } }, PAGES_MAX, signal)).toSorted((one, other) =>
      one.name.localeCompare(other.name),
    ),
};

/** Reads the account's presets by their names, without logos. */
export const usePresetList = () => useRead(LIST.queryKey, (signal) => LIST.queryFn({ signal }));

/** Returns the account's presets by their names, without logos. @throws {Fault} */
export const loadPresets = (): Promise<readonly Preset[]> => cache.fetchQuery(LIST);

/** Returns the design of a preset with its logo, for a content. @throws {Fault} */
export const designOf = async (id: string, data: string, signal?: AbortSignal): Promise<QrRequest> => {
  const params = { params: { path: { id } }, ...(signal && { signal }) };
  const { options } = await ask(api.GET('/api/v1/presets/{id}', params));
  return withoutDefaults({ data, ...options });
};

/** Returns what a preset keeps of a design: all but the content. */
export const optionsOf = ({ data: _, ...options }: QrRequest): Preset['options'] => options;

/** Saves a design as a preset. @throws {Fault} */
export const addPreset = (name: string, request: QrRequest) =>
  change(api.POST('/api/v1/presets', { body: { name, options: optionsOf(request) } }));

const paramsOf = (preset: Preset) => ({ path: { id: preset.id }, header: ifMatch(preset) });

/** Changes a preset. @throws {Fault} */
export const changePreset = (
  preset: Preset,
  body: Partial<Pick<Preset, 'name' | 'is_default' | 'options'>>,
) => change(api.PATCH('/api/v1/presets/{id}', { params: paramsOf(preset), body }));

/** Deletes a preset; codes that were made with it stay as they are. @throws {Fault} */
export const deletePreset = (preset: Preset) =>
  change(api.DELETE('/api/v1/presets/{id}', { params: paramsOf(preset) }));
