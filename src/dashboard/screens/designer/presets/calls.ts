/** The calls about the account's presets. */
import { api, ask } from '../../../api/client.ts';
import type { Preset, QrRequest } from '../../../api/shapes.ts';
import { withoutDefaults } from '../draft.ts';

/** An account has at most two hundred presets. */
const PAGE = 100;
const MAX_PAGES = 2;

/** Returns the account's presets by their names, without logos. @throws {Fault} */
export const presetsOf = async (signal?: AbortSignal): Promise<readonly Preset[]> => {
  const found: Preset[] = [];
  let cursor: string | null = null;
  for (let page = 0; page === 0 || (cursor !== null && page < MAX_PAGES); page += 1) {
    const query: { limit: number; cursor?: string } =
      cursor === null ? { limit: PAGE } : { limit: PAGE, cursor };
    const params = { params: { query }, ...(signal === undefined ? {} : { signal }) };
    const { data, next_cursor } = await ask(api.GET('/api/v1/presets', params));
    found.push(...data);
    cursor = next_cursor;
  }
  return found.sort((one, other) => one.name.localeCompare(other.name));
};

/** Returns the design of a preset with its logo, for a content. @throws {Fault} */
export const designOf = async (id: string, data: string, signal?: AbortSignal): Promise<QrRequest> => {
  const params = { params: { path: { id } }, ...(signal === undefined ? {} : { signal }) };
  const { options } = await ask(api.GET('/api/v1/presets/{id}', params));
  return withoutDefaults({ data, ...options });
};

/** Returns what a preset keeps of a design: all but the content. */
export const optionsOf = ({ data: _, ...options }: QrRequest): Preset['options'] => options;

/** Saves a design as a preset. @throws {Fault} */
export const addPreset = async (name: string, request: QrRequest): Promise<void> => {
  await ask(api.POST('/api/v1/presets', { body: { name, options: optionsOf(request) } }));
};

/** Changes a preset. @throws {Fault} */
export const changePreset = async (
  id: string,
  change: Partial<Pick<Preset, 'name' | 'is_default' | 'options'>>,
): Promise<void> => {
  await ask(api.PATCH('/api/v1/presets/{id}', { params: { path: { id } }, body: change }));
};

/** Deletes a preset; codes that were made with it stay as they are. @throws {Fault} */
export const deletePreset = async (id: string): Promise<void> => {
  await ask(api.DELETE('/api/v1/presets/{id}', { params: { path: { id } } }));
};
