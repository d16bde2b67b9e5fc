import { useEffect, useState } from 'preact/hooks';
import { api, ask } from '../../../api/client.ts';
import type { Preset } from '../../../api/shapes.ts';
import { Choice } from '../../../ui/forms/choice.tsx';
import { useLoad } from '../../../ui/use-load.ts';

/** An account has at most two hundred presets. */
const PAGES_MAX = 10;

const loadAll = async (signal: AbortSignal): Promise<readonly Preset[]> => {
  const found: Preset[] = [];
  let cursor: string | null = null;
  for (let page = 0; page === 0 || (cursor !== null && page < PAGES_MAX); page += 1) {
    const query: { limit: number; cursor?: string } = { limit: 100, ...(cursor === null ? {} : { cursor }) };
    const { data, next_cursor } = await ask(api.GET('/api/v1/presets', { params: { query }, signal }));
    found.push(...data);
    cursor = next_cursor;
  }
  return found.sort((a, b) => a.name.localeCompare(b.name));
};

/** The presets of the account by their names, and the id of the one that is chosen: at first the default one. */
export const usePresets = () => {
  const { data } = useLoad(loadAll, []);
  const [chosen, choose] = useState<string | null>(null);
  useEffect(() => choose(data?.find(({ is_default }) => is_default)?.id ?? null), [data]);
  return { presets: data ?? [], chosen, choose };
};

/** Lets a person choose one of the account's presets. Shows nothing while there is none. */
export const PresetChoice = ({ presets, chosen, choose }: ReturnType<typeof usePresets>) =>
  presets.length === 0 ? null : (
    <Choice
      label="Preset"
      value={chosen ?? ''}
      options={[
        { value: '', name: 'None' },
        ...presets.map(({ id, name, is_default }) => ({
          value: id,
          name: is_default ? `${name} (default)` : name,
        })),
      ]}
      onChoose={(id) => choose(id === '' ? null : id)}
    />
  );
