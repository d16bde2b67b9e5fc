/** Where the codes of a table are saved, in which formats and sizes, and what happens to rows. */
import type { DuplicateRule } from '../../../duplicates/rules.ts';
import type { BatchPreview } from '../../api/shapes.ts';
import { FolderInput, type Options, SelectInput } from '../../ui/fields.tsx';
import { Card } from '../../ui/page.tsx';
import { say } from '../../words/say.ts';
import { summaryOf } from '../batches/words.ts';
import { usePresetList } from '../designer/presets.tsx';
import { PrintSettings } from '../print/settings.tsx';
import type { Trial } from '../print/sized.ts';
import type { Settings } from './draft.ts';
import type { RowCount } from './file/rows.ts';

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

const RULES: Options<DuplicateRule> = [
  ['refuse-keys', say('Refuse repeated serial numbers and unique values')],
  ['refuse', say('Refuse all')],
  ['report', say('Only report them')],
];
interface SettingsCardProps {
  readonly settings: Settings;
  /** Fields whose values may have to be unique, and what the file calls them. */
  readonly uniqueChoices: Options<string>;
  readonly checked: BatchPreview | null;
  readonly rows: RowCount;
  readonly presets: PresetChoiceProps;
  /** What the choice of files comes to, tried on the example. */
  readonly trial: Trial;
  readonly isGs1: boolean;
  readonly onChange: (changed: Partial<Settings>) => void;
}

export const SettingsCard = ({
  settings: { folderName, files, onError, duplicates, unique },
  uniqueChoices,
  checked,
  rows,
  presets,
  trial,
  isGs1,
  onChange,
}: SettingsCardProps) => (
  <Card title={say('Codes and files')}>
    <FolderInput value={folderName} onText={(name) => onChange({ folderName: name })} />
    <PresetChoice {...presets} />
    <p class="muted small">{say('A code costs one unit, however many formats you choose.')}</p>
    <PrintSettings
      choice={files}
      trial={trial}
      isGs1={isGs1}
      isMany
      onChoice={(choice) => onChange({ files: choice })}
    />
    <SelectInput
      look="narrow"
      label={say('If a row fails while the codes are made')}
      value={onError}
      options={[
        ['skip', say('Leave it out, make the others')],
        ['stop', say('Stop the batch')],
      ]}
      onChoose={(chosen) => onChange({ onError: chosen })}
    />
    <SelectInput
      label={say('Rows that repeat an earlier one')}
      value={duplicates}
      options={RULES}
      onChoose={(rule) => onChange({ duplicates: rule })}
    />
    {uniqueChoices.length > 0 && (
      <SelectInput
        label={say('Every row needs a value of its own in')}
        value={uniqueChoices.some(([field]) => field === unique) ? unique : ''}
        options={[['', say('No column')], ...uniqueChoices]}
        onChoose={(field) => onChange({ unique: field })}
      />
    )}
    <p class="muted small" role="status">
      {checked !== null && checked.compared_rows > 0 && summaryOf(checked, rows)}
    </p>
  </Card>
);
