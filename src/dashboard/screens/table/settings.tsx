/** Where the codes of a table are saved, in which formats and sizes, and what happens to rows. */
import type { DuplicateRule } from '../../../duplicates/rules.ts';
import { CheckInput, Fold, FolderInput, type Options, SelectInput } from '../../ui/fields.tsx';
import { Card } from '../../ui/page.tsx';
import { say } from '../../words/say.ts';
import { summaryOf } from '../batches/words.ts';
import { usePresetList } from '../designer/presets.tsx';
import { PrintSettings, Result } from '../print/settings.tsx';
import type { Trial } from '../print/sized.ts';
import type { BatchParameter, Settings } from './draft.ts';
import type { RowCount } from './file/rows.ts';
import type { useCheck } from './use-check.ts';

interface PresetChoiceProps {
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
}

/** Lets a person choose one of the account's presets. Shows nothing while there is none. */
export const PresetChoice = ({ chosen, onChoose }: PresetChoiceProps) => {
  const { data: presets = [] } = usePresetList();
  if (presets.length === 0) return null;
  return (
    <SelectInput
      look="narrow"
      label={say('Preset')}
      value={chosen ?? ''}
      options={[
        ['', say('None')],
        ...presets.map(
          ({ id, name, is_default }) => [id, is_default ? say('{name} (default)', { name }) : name] as const,
        ),
      ]}
      onChoose={(id) => onChoose(id === '' ? null : id)}
    />
  );
};

/** '' stands for what the service does. */
const LISTS: readonly (readonly [name: BatchParameter, label: string, options: object])[] = [
  [
    'manifest_for',
    say('It is for'),
    {
      '': say('Excel and other spreadsheets'),
      indesign: say('Data merge of InDesign'),
      labels: say('Label software, such as BarTender'),
    },
  ],
  [
    'manifest_encoding',
    say('Encoding'),
    {
      '': say('As usual'),
      'utf-8': 'UTF-8',
      'utf-8-bom': say('UTF-8 with a byte order mark'),
      'utf-16': 'UTF-16',
    },
  ],
  [
    'manifest_delimiter',
    say('Separator'),
    { '': say('As usual'), comma: say('Comma'), semicolon: say('Semicolon'), tab: say('Tab') },
  ],
];

type InputsProps = Pick<SettingsCardProps, 'settings' | 'onChange'>;

/** Returns the parameters of the batch, and what changes one. */
const batchOf = ({ settings: { batch = {} }, onChange }: InputsProps) => ({
  batch,
  change: (name: BatchParameter, value: string) => onChange({ batch: { ...batch, [name]: value } }),
});

/** Asks for whom the list of files in each ZIP is, and what it says of each row. */
const ListInputs = (props: InputsProps) => {
  const { batch, change } = batchOf(props);
  const isWanted = Object.entries(batch).some(([name, value]) => name !== 'duplicates_in' && value !== '');
  return (
    <Fold title={say('The list of files in the ZIP')} isWanted={isWanted}>
      <div class="stack">
        {LISTS.map(([name, label, options]) => (
          <SelectInput
            key={name}
            look="narrow"
            label={label}
            value={batch[name] ?? ''}
            options={Object.entries(options)}
            onChoose={(value) => change(name, value)}
          />
        ))}
        <CheckInput
          label={say('With all columns of the file')}
          hint={say('Also those that are not used here. Not of NDJSON.')}
          isOn={batch.other_columns === 'keep'}
          onToggle={(isOn) => change('other_columns', isOn ? 'keep' : '')}
        />
      </div>
    </Fold>
  );
};

const RULES: Options<DuplicateRule> = [
  ['refuse-keys', say('Refuse repeated serial numbers and unique values')],
  ['refuse', say('Refuse all')],
  ['report', say('Only report them')],
];
interface SettingsCardProps {
  readonly settings: Settings;
  readonly check: Pick<
    ReturnType<typeof useCheck>,
    'uniqueChoices' | 'checked' | 'captionNames' | 'refusal' | 'choice'
  >;
  readonly rows: RowCount;
  readonly presets: PresetChoiceProps;
  /** What the choice of files comes to, tried on the example. */
  readonly trial: Trial;
  readonly onChange: (changed: Partial<Settings>) => void;
}

/** Asks what happens to rows that fail, and to those that repeat others. */
const RowInputs = ({
  check: { uniqueChoices },
  ...props
}: InputsProps & Pick<SettingsCardProps, 'check'>) => {
  const { onError, duplicates, unique } = props.settings;
  const { batch, change } = batchOf(props);
  return (
    <>
      <SelectInput
        look="narrow"
        label={say('If a row fails while the codes are made')}
        value={onError}
        options={[
          ['skip', say('Leave it out, make the others')],
          ['stop', say('Stop the batch')],
        ]}
        onChoose={(chosen) => props.onChange({ onError: chosen })}
      />
      <SelectInput
        label={say('Rows that repeat an earlier one')}
        value={duplicates}
        options={RULES}
        onChoose={(rule) => props.onChange({ duplicates: rule })}
      />
      <CheckInput
        label={say('Compare them with your earlier batches, too')}
        hint={say('With those whose files are kept. The batch does that, not the check on this page.')}
        isOn={batch.duplicates_in === 'kept-batches'}
        onToggle={(isOn) => change('duplicates_in', isOn ? 'kept-batches' : '')}
      />
      {uniqueChoices.length > 0 && (
        <SelectInput
          label={say('Every row needs a value of its own in')}
          value={uniqueChoices.some(([field]) => field === unique) ? unique : ''}
          options={[['', say('No column')], ...uniqueChoices]}
          onChoose={(field) => props.onChange({ unique: field })}
        />
      )}
    </>
  );
};

export const SettingsCard = ({ settings, check, rows, presets, trial, onChange }: SettingsCardProps) => {
  const { checked, captionNames, refusal, choice } = check;
  return (
    <Card title={say('Codes and files')}>
      <FolderInput value={settings.folderName} onText={(folderName) => onChange({ folderName })} />
      <PresetChoice {...presets} />
      <p class="muted small">{say('A code costs one unit, however many formats you choose.')}</p>
      <PrintSettings
        choice={settings.files}
        refusal={trial.fault ?? refusal}
        names={captionNames}
        isGs1={choice.source === 'gs1'}
        isMany
        onChoice={(files) => onChange({ files })}
      />
      <Result choice={settings.files} trial={trial} />
      <ListInputs settings={settings} onChange={onChange} />
      <RowInputs settings={settings} check={check} onChange={onChange} />
      <p class="muted small" role="status">
        {checked !== null && checked.compared_rows > 0 && summaryOf(checked, rows)}
      </p>
    </Card>
  );
};
