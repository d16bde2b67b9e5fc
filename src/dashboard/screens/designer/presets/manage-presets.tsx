import { useState } from 'preact/hooks';
import type { Preset } from '../../../api/shapes.ts';
import { Button } from '../../../ui/buttons.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/states.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { changePreset, deletePreset } from './calls.ts';

type Run = (action: () => Promise<unknown>) => void;

interface RowProps {
  readonly preset: Preset;
  /** The present design. */
  readonly options: Preset['options'];
  readonly run: Run;
}

/** One preset: its name, which is saved when the input is left, and what else can be done with it. */
const Row = ({ preset, options, run }: RowProps) => {
  const { name, is_default } = preset;
  const [text, setText] = useState(name);
  const [isDoomed, setDoomed] = useState(false);
  const rename = () => {
    const next = text.trim();
    if (next === '') setText(name);
    else if (next !== name) run(() => changePreset(preset, { name: next }));
  };
  return (
    <li>
      <input
        aria-label={`Name of ${name}`}
        value={text}
        maxLength={200}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={rename}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
      <div class="row">
        <label class="check">
          <input
            type="checkbox"
            checked={is_default}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              run(() => changePreset(preset, { is_default: checked }));
            }}
          />
          Start with it
        </label>
        <button
          type="button"
          class="quiet"
          aria-label={`Replace ${name} with the current design`}
          onClick={() => run(() => changePreset(preset, { options }))}
        >
          Replace
        </button>
        <button
          type="button"
          class="quiet danger"
          aria-label={isDoomed ? `Delete ${name} now` : `Delete ${name}`}
          onClick={() => (isDoomed ? run(() => deletePreset(preset)) : setDoomed(true))}
          onBlur={() => setDoomed(false)}
        >
          {isDoomed ? 'Really delete' : 'Delete'}
        </button>
      </div>
    </li>
  );
};

interface ManagePresetsProps {
  readonly presets: readonly Preset[];
  /** The present design. */
  readonly options: Preset['options'];
  readonly onClose: () => void;
}

/** A dialog that renames, replaces and deletes presets, and says which one new designs start with. */
export const ManagePresets = ({ presets, options, onClose }: ManagePresetsProps) => {
  const { fault, run } = useAction();
  return (
    <Dialog title="Your presets" onClose={onClose}>
      <ul class="preset-rows">
        {presets.map((preset) => (
          <Row
            key={`${preset.id} ${preset.name}`}
            preset={preset}
            options={options}
            run={(action) => void run(action)}
          />
        ))}
      </ul>
      {fault !== null && <Failure fault={fault} />}
      <p class="muted small">
        A preset keeps everything except the content. Changing it does not change your codes.
      </p>
      <div class="row">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
};
