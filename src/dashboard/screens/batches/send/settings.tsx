import { useState } from 'preact/hooks';
import type { DuplicateRule } from '../../../../duplicates/rules.ts';
import { FolderInput, type Options, Pills, SelectInput } from '../../../ui/fields.tsx';
import { formatNumber } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import { usePresetList } from '../../designer/presets.tsx';
import { FORMAT_CHOICES } from '../../print/choice.ts';
import { linesOf, summaryOf } from '../words.ts';
import type { RowCount } from './file.ts';
import type { ComposedRows, useRows } from './rows-of-file.tsx';
import type { BatchChoice } from './upload.tsx';

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
    <SelectInput
      look="narrow"
      label="Preset"
      value={chosen ?? ''}
      options={[
        ['', 'None'],
        ...presets.map(({ id, name, is_default }) => [id, is_default ? `${name} (default)` : name] as const),
      ]}
      onChoose={(id) => choose(id === '' ? null : id)}
    />
  );

const RULES: Options<DuplicateRule> = [
  ['refuse-keys', 'Refuse repeated GS1 keys of single things and values that must be unique'],
  ['refuse', 'Refuse all'],
  ['report', 'Only report them'],
];
const SHOWN = 10;

/** Says which of the first rows repeat an earlier one. */
const Found = ({ of, rows }: { readonly of: ComposedRows; readonly rows: RowCount }) => {
  const { compared, compareFault } = of;
  const isKnown = compared !== null && compared.compared_rows > 0;
  const lines = isKnown ? linesOf(compared, SHOWN) : [];
  return (
    <>
      <p class="muted small" role="status">
        {isKnown ? summaryOf(compared, rows) : 'The rows are compared when the batch is checked.'}
        {compareFault !== null && ` They could not be compared before: ${compareFault}`}
      </p>
      {lines.length > 0 && (
        <ul class="stack small" aria-label="Rows that repeat an earlier one">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
          {isKnown && compared.duplicates > lines.length && (
            <li>… and {formatNumber(compared.duplicates - lines.length)} more</li>
          )}
        </ul>
      )}
    </>
  );
};

interface RepeatsCardProps {
  readonly of: ReturnType<typeof useRows>;
  readonly rows: RowCount;
}

/** Asks what happens to rows that repeat an earlier one, and names the first ones. */
export const RepeatsCard = ({ of, rows }: RepeatsCardProps) => {
  const { repeats, setRepeats, uniqueChoices, composed } = of;
  return (
    <Card title="Repeated rows">
      <SelectInput
        label="Rows that repeat an earlier one"
        value={repeats.rule}
        options={RULES}
        onChoose={(rule) => setRepeats({ ...repeats, rule })}
      />
      {uniqueChoices.length > 0 && (
        <SelectInput
          label="Every row needs a value of its own in"
          value={repeats.unique}
          options={[['', 'No column'], ...uniqueChoices]}
          onChoose={(unique) => setRepeats({ ...repeats, unique })}
        />
      )}
      <Found of={composed} rows={rows} />
    </Card>
  );
};

interface SettingsProps {
  readonly choice: Omit<BatchChoice, 'columns' | 'design'>;
  /** Whose options the design begins with. */
  readonly presets: ReturnType<typeof usePresets>;
  readonly onChange: (changed: Partial<BatchChoice>) => void;
}

/** Asks where the codes are saved, in which formats, and what happens to a row that fails. */
export const Settings = ({ choice: { folderName, formats, onError }, presets, onChange }: SettingsProps) => (
  <Card title="Codes and files">
    <FolderInput value={folderName} onText={(name) => onChange({ folderName: name })} />
    <PresetChoice {...presets} />
    <Pills
      legend={
        <>
          Formats <span class="muted">a code costs one unit, however many you choose</span>
        </>
      }
      options={FORMAT_CHOICES}
      chosen={formats}
      // A batch needs a format: the last one stays.
      onChoose={(chosen) => chosen.length > 0 && onChange({ formats: chosen })}
    />
    <SelectInput
      look="narrow"
      label="If a row fails while the codes are made"
      value={onError}
      options={[
        ['skip', 'Leave it out, make the others'],
        ['stop', 'Stop the batch'],
      ]}
      onChoose={(chosen) => onChange({ onError: chosen })}
    />
  </Card>
);
