import type { ComponentChildren } from 'preact';
import { Choice } from '../../../ui/forms/choice.tsx';
import { FolderField } from '../../../ui/forms/folder-field.tsx';
import { Card } from '../../../ui/page.tsx';
import type { Format } from '../../download/file-choice.ts';
import { PresetChoice, type usePresets } from './preset-choice.tsx';
import type { BatchChoice } from './send-batch.ts';

const Pill = ({
  isOn,
  onToggle,
  children,
}: {
  readonly isOn: boolean;
  readonly onToggle: () => void;
  readonly children: ComponentChildren;
}) => (
  <label class="pill">
    <input type="checkbox" checked={isOn} onChange={onToggle} />
    {children}
  </label>
);

/** Asks where the codes are saved, in which formats, and what happens to a row that fails. */
export const Settings = ({
  choice: { folderName, formats, onError },
  offered,
  presets,
  onChange,
}: {
  readonly choice: BatchChoice;
  /** The formats that the service offers. */
  readonly offered: readonly { readonly value: Format; readonly name: string }[];
  /** Whose options the design begins with. */
  readonly presets: ReturnType<typeof usePresets>;
  readonly onChange: (changed: Partial<BatchChoice>) => void;
}) => {
  const toggle = (format: Format): void => {
    const chosen = offered
      .map(({ value }) => value)
      .filter((value) => formats.includes(value) !== (value === format));
    // A batch needs a format: the last one stays.
    if (chosen.length > 0) onChange({ formats: chosen });
  };
  return (
    <Card title="Codes and files">
      <FolderField id="batch-folder" name={folderName} onName={(name) => onChange({ folderName: name })} />
      <PresetChoice {...presets} />
      <fieldset>
        <legend class="label">
          Formats <span class="muted">a code costs one unit in any number of them</span>
        </legend>
        <div class="row">
          {offered.map(({ value, name }) => (
            <Pill key={value} isOn={formats.includes(value)} onToggle={() => toggle(value)}>
              {name}
            </Pill>
          ))}
        </div>
      </fieldset>
      <Choice
        label="If a row fails while the codes are made"
        value={onError}
        options={[
          { value: 'skip', name: 'Leave it out, make the others' },
          { value: 'stop', name: 'Stop the batch' },
        ]}
        onChoose={(chosen) => onChange({ onError: chosen })}
      />
    </Card>
  );
};
