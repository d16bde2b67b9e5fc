import { useState } from 'preact/hooks';
import type { Preset } from '../../../api/shapes.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/states.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { changePreset, deletePreset } from './calls.ts';

type Run = (action: () => Promise<void>) => void;

/** One preset: its name, which is saved when the input is left, and what else can be done with it. */
const Row = ({
  preset: { id, name, is_default },
  options,
  run,
}: {
  readonly preset: Preset;
  /** The present design. */
  readonly options: Preset['options'];
  readonly run: Run;
}) => {
  const [text, setText] = useState(name);
  const [isDoomed, setDoomed] = useState(false);
  const rename = () => {
    const next = text.trim();
    if (next === '') setText(name);
    else if (next !== name) run(() => changePreset(id, { name: next }));
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
              run(() => changePreset(id, { is_default: checked }));
            }}
          />
          Start with it
        </label>
        <button
          type="button"
          class="quiet"
          aria-label={`Replace ${name} with the present design`}
          onClick={() => run(() => changePreset(id, { options }))}
        >
          Replace
        </button>
        <button
          type="button"
          class="quiet danger"
          aria-label={isDoomed ? `Delete ${name} now` : `Delete ${name}`}
          onClick={() => (isDoomed ? run(() => deletePreset(id)) : setDoomed(true))}
          onBlur={() => setDoomed(false)}
        >
          {isDoomed ? 'Really delete' : 'Delete'}
        </button>
      </div>
    </li>
  );
};

/** A dialog that renames, replaces and deletes presets, and says which one new designs start with. */
export const ManagePresets = ({
  presets,
  options,
  onChanged,
  onClose,
}: {
  readonly presets: readonly Preset[];
  /** The present design. */
  readonly options: Preset['options'];
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}) => {
  const { fault, run } = useAction();
  const change: Run = (action) =>
    void run(async () => {
      await action();
      await onChanged();
    });
  return (
    <Dialog title="Your presets" onClose={onClose}>
      <ul class="preset-rows">
        {presets.map((preset) => (
          <Row key={`${preset.id} ${preset.name}`} preset={preset} options={options} run={change} />
        ))}
      </ul>
      {fault !== null && <Failure fault={fault} />}
      <p class="muted small">
        A preset keeps everything but the content. Codes that have its design stay as they are.
      </p>
      <div class="row">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
};
