import { useState } from 'preact/hooks';
import type { Preset, QrRequest } from '../../../api/shapes.ts';
import { NameDialog } from '../../../ui/name-dialog.tsx';
import { Failure } from '../../../ui/states.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { SAMPLE } from '../look-list.tsx';
import { Thumbnail } from '../swatches/thumbnail.tsx';
import { addPreset, designOf, optionsOf } from './calls.ts';
import { ManagePresets } from './manage-presets.tsx';

/** Further presets have no picture, because each is a drawing of the service. */
const MAX_PICTURES = 24;

const picturedAs = ({ options }: Preset): QrRequest => ({
  ...options,
  ...SAMPLE,
  ...(options.margin === undefined ? {} : { margin: Math.min(options.margin, 20) }),
});

/** Shows the account's own presets as small codes, and ways to save the design as one and to manage them. */
export const PresetList = ({
  presets,
  request,
  onChoose,
  onChanged,
}: {
  readonly presets: readonly Preset[];
  readonly request: QrRequest;
  readonly onChoose: (request: QrRequest) => void;
  /** Called after a preset was added, changed or deleted. */
  readonly onChanged: () => Promise<void>;
}) => {
  const [dialog, setDialog] = useState<'add' | 'manage' | null>(null);
  const [worn, setWorn] = useState({ id: '', request: '' });
  const { fault, run } = useAction();
  const close = () => setDialog(null);
  const wear = async (id: string): Promise<void> => {
    const design = await designOf(id, request.data);
    setWorn({ id, request: JSON.stringify(design) });
    onChoose(design);
  };
  return (
    <>
      {presets.length > 0 && (
        <fieldset class="looks">
          <legend>Your presets</legend>
          {presets.map((preset, index) => {
            const isWorn = worn.id === preset.id && worn.request === JSON.stringify(request);
            return (
              <button
                key={preset.id}
                type="button"
                class="look"
                aria-pressed={isWorn}
                onClick={() => void run(() => wear(preset.id))}
              >
                <span class="look-picture">
                  {index < MAX_PICTURES && <Thumbnail request={picturedAs(preset)} />}
                </span>
                <span class="clip">{preset.name}</span>
              </button>
            );
          })}
        </fieldset>
      )}
      {fault !== null && <Failure fault={fault} />}
      <div class="row">
        <button type="button" class="quiet" onClick={() => setDialog('add')}>
          Save as preset
        </button>
        {presets.length > 0 && (
          <button type="button" class="quiet" onClick={() => setDialog('manage')}>
            Manage presets
          </button>
        )}
      </div>
      {dialog === 'add' && (
        <NameDialog
          title="Save as preset"
          name=""
          action="Save"
          save={async (name) => {
            await addPreset(name.trim(), request);
            await onChanged();
          }}
          onClose={close}
        />
      )}
      {dialog === 'manage' && (
        <ManagePresets presets={presets} options={optionsOf(request)} onChanged={onChanged} onClose={close} />
      )}
    </>
  );
};
