import { useState } from 'preact/hooks';
import { api, ask, ifMatch } from '../../api/client.ts';
import { cache, change, getAll, useRead } from '../../api/query.ts';
import type { Preset, QrRequest } from '../../api/shapes.ts';
import { Button, Quiet, useAction } from '../../ui/buttons.tsx';
import { Dialog, NameDialog } from '../../ui/form.tsx';
import { Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { DomainChoice } from '../links/domains/domain-choice.tsx';
import { withField, withoutDefaults } from './draft.ts';
import { LookButton, SAMPLE } from './thumbnail.tsx';

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
const optionsOf = ({ data: _, ...options }: QrRequest): Preset['options'] => options;

/** The options that tell apart designs; GS1 belongs to the content. */
const lookOf = (request: QrRequest): string =>
  JSON.stringify(optionsOf(withField(request, 'qrOptions.gs1', undefined)));

/** Saves a design as a preset. @throws {Fault} */
const addPreset = (name: string, request: QrRequest) =>
  change(api.POST('/api/v1/presets', { body: { name, options: optionsOf(request) } }));

const paramsOf = (preset: Preset) => ({ path: { id: preset.id }, header: ifMatch(preset) });

/** Changes a preset. @throws {Fault} */
const changePreset = (
  preset: Preset,
  body: Partial<Pick<Preset, 'name' | 'is_default' | 'options' | 'domain'>>,
) => change(api.PATCH('/api/v1/presets/{id}', { params: paramsOf(preset), body }));

/** Deletes a preset; codes that were made with it stay as they are. @throws {Fault} */
const deletePreset = (preset: Preset) =>
  change(api.DELETE('/api/v1/presets/{id}', { params: paramsOf(preset) }));

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
  const [isArmed, setArmed] = useState(false);
  const rename = () => {
    const next = text.trim();
    if (next === '') setText(name);
    else if (next !== name) run(() => changePreset(preset, { name: next }));
  };
  return (
    <li>
      <input
        aria-label={say('Name of {name}', { name })}
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
          {say('Start with it')}
        </label>
        <button
          type="button"
          class="quiet"
          aria-label={say('Replace {name} with the current design', { name })}
          onClick={() => run(() => changePreset(preset, { options }))}
        >
          {say('Replace')}
        </button>
        <DomainChoice
          what={say('the preset {name}', { name })}
          domain={preset.domain}
          save={(domain) => changePreset(preset, { domain })}
        />
        <button
          type="button"
          class="quiet danger"
          aria-label={isArmed ? say('Delete {name} now', { name }) : say('Delete {name}', { name })}
          onClick={() => (isArmed ? run(() => deletePreset(preset)) : setArmed(true))}
          onBlur={() => setArmed(false)}
        >
          {isArmed ? say('Really delete') : say('Delete')}
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
const ManagePresets = ({ presets, options, onClose }: ManagePresetsProps) => {
  const { fault, run } = useAction();
  return (
    <Dialog title={say('Your presets')} onClose={onClose}>
      <ul class="stack tight">
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
        {say('A preset keeps everything except the content. Changing it does not change your codes.')}
      </p>
      <div class="row">
        <Button onClick={onClose}>{say('Close')}</Button>
      </div>
    </Dialog>
  );
};

/** Further presets have no picture, because each is a drawing of the service. */
const MAX_PICTURES = 24;

const requestOf = ({ options }: Preset): QrRequest => {
  const margin = options.margin === undefined ? {} : { margin: Math.min(options.margin, 20) };
  return withField({ ...options, ...SAMPLE, ...margin }, 'qrOptions.gs1', undefined);
};

interface PresetListProps {
  readonly request: QrRequest;
  /** The preset whose design it has at first. */
  readonly begunWith: string | undefined;
  readonly onChoose: (request: QrRequest) => void;
}

/** Shows the account's own presets as small codes, and ways to save the design as one and to manage them. */
export const PresetList = ({ request, begunWith, onChoose }: PresetListProps) => {
  const { data: presets = [], error } = usePresetList();
  const [dialog, setDialog] = useState<'add' | 'manage' | null>(null);
  const [chosen, setChosen] = useState({ id: begunWith, look: lookOf(request) });
  const { fault, run } = useAction();
  const failure = fault ?? error;
  const close = () => setDialog(null);
  const choose = async (id: string): Promise<void> => {
    const design = await designOf(id, request.data);
    setChosen({ id, look: lookOf(design) });
    onChoose(design);
  };
  return (
    <>
      {presets.length > 0 && (
        <fieldset class="looks">
          <legend>{say('Your presets')}</legend>
          {presets.map((preset, index) => (
            <LookButton
              key={preset.id}
              name={preset.name}
              picture={index < MAX_PICTURES ? requestOf(preset) : null}
              isCurrent={chosen.id === preset.id && chosen.look === lookOf(request)}
              onClick={() => void run(() => choose(preset.id))}
            />
          ))}
        </fieldset>
      )}
      {failure && <Failure fault={failure} />}
      <div class="row">
        <Quiet onClick={() => setDialog('add')}>{say('Save as preset')}</Quiet>
        {presets.length > 0 && <Quiet onClick={() => setDialog('manage')}>{say('Manage presets')}</Quiet>}
      </div>
      {dialog === 'add' && (
        <NameDialog
          title={say('Save as preset')}
          name=""
          action={say('Save')}
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
