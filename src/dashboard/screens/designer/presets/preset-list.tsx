import { useState } from 'preact/hooks';
import type { Preset, QrRequest } from '../../../api/shapes.ts';
import { Quiet } from '../../../ui/buttons.tsx';
import { NameDialog } from '../../../ui/forms/form.tsx';
import { Failure } from '../../../ui/states.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { change } from '../draft.ts';
import { SAMPLE } from '../look-list.tsx';
import { Thumbnail } from '../swatches/thumbnail.tsx';
import { addPreset, designOf, optionsOf, usePresetList } from './calls.ts';
import { ManagePresets } from './manage-presets.tsx';

/** Further presets have no picture, because each is a drawing of the service. */
const MAX_PICTURES = 24;

const requestOf = ({ options }: Preset): QrRequest => {
  const margin = options.margin === undefined ? {} : { margin: Math.min(options.margin, 20) };
  return change({ ...options, ...SAMPLE, ...margin }, 'qrOptions.gs1', undefined);
};

interface PresetListProps {
  readonly request: QrRequest;
  readonly onChoose: (request: QrRequest) => void;
}

/** Shows the account's own presets as small codes, and ways to save the design as one and to manage them. */
export const PresetList = ({ request, onChoose }: PresetListProps) => {
  const { data: presets = [], error } = usePresetList();
  const [dialog, setDialog] = useState<'add' | 'manage' | null>(null);
  const [worn, setWorn] = useState({ id: '', request: '' });
  const { fault, run } = useAction();
  const failure = fault ?? error;
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
                  {index < MAX_PICTURES && <Thumbnail request={requestOf(preset)} />}
                </span>
                <span class="clip">{preset.name}</span>
              </button>
            );
          })}
        </fieldset>
      )}
      {failure && <Failure fault={failure} />}
      <div class="row">
        <Quiet onClick={() => setDialog('add')}>Save as preset</Quiet>
        {presets.length > 0 && <Quiet onClick={() => setDialog('manage')}>Manage presets</Quiet>}
      </div>
      {dialog === 'add' && (
        <NameDialog
          title="Save as preset"
          name=""
          action="Save"
          save={(name) => addPreset(name.trim(), request)}
          onClose={close}
        />
      )}
      {dialog === 'manage' && (
        <ManagePresets presets={presets} options={optionsOf(request)} onClose={close} />
      )}
    </>
  );
};
