import { useState } from 'preact/hooks';
import { Choice } from '../../../ui/forms/choice.tsx';
import { usePresetList } from '../../designer/presets/calls.ts';

/** The presets of the account by their names, and the id of the one that is chosen: at first the default one. */
export const usePresets = () => {
  const { data: presets = [] } = usePresetList();
  const [own, choose] = useState<string | null>();
  const chosen = own === undefined ? (presets.find(({ is_default }) => is_default)?.id ?? null) : own;
  return { presets, chosen, choose };
};

/** Lets a person choose one of the account's presets. Shows nothing while there is none. */
export const PresetChoice = ({ presets, chosen, choose }: ReturnType<typeof usePresets>) =>
  presets.length === 0 ? null : (
    <Choice
      label="Preset"
      value={chosen ?? ''}
      options={[
        ['', 'None'],
        ...presets.map(({ id, name, is_default }) => [id, is_default ? `${name} (default)` : name] as const),
      ]}
      onChoose={(id) => choose(id === '' ? null : id)}
    />
  );
