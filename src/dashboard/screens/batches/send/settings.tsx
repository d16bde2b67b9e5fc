import type { FileFormat } from '../../../../../workers/lists.ts';
import { useDocument } from '../../../api/query.ts';
import { Choice } from '../../../ui/forms/choice.tsx';
import { FolderInput } from '../../../ui/forms/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { FORMAT_CHOICES } from '../../download/file-choice.ts';
import { PresetChoice, type usePresets } from './preset-choice.tsx';
import type { BatchChoice } from './use-upload.ts';

interface Document {
  readonly paths: {
    readonly '/api/v1/batches': {
      readonly post: {
        readonly parameters: readonly {
          readonly name?: string;
          readonly schema?: { readonly pattern?: string };
        }[];
      };
    };
  };
}

/** Returns the formats that the running service takes for batches. */
const formatsOf = ({ paths }: Document) => {
  const { parameters } = paths['/api/v1/batches'].post;
  const pattern = parameters.find(({ name }) => name === 'formats')?.schema?.pattern ?? '';
  return FORMAT_CHOICES.filter(([value]) => new RegExp(pattern).test(value));
};

interface SettingsProps {
  readonly choice: Omit<BatchChoice, 'columns' | 'design'>;
  /** Whose options the design begins with. */
  readonly presets: ReturnType<typeof usePresets>;
  readonly onChange: (changed: Partial<BatchChoice>) => void;
}

/** Asks where the codes are saved, in which formats, and what happens to a row that fails. */
export const Settings = ({ choice: { folderName, formats, onError }, presets, onChange }: SettingsProps) => {
  const { data: offered = FORMAT_CHOICES.slice(0, 1) } = useDocument(formatsOf);
  const toggle = (format: FileFormat): void => {
    const chosen = offered
      .map(([value]) => value)
      .filter((value) => formats.includes(value) !== (value === format));
    // A batch needs a format: the last one stays.
    if (chosen.length > 0) onChange({ formats: chosen });
  };
  return (
    <Card title="Codes and files">
      <FolderInput value={folderName} onText={(name) => onChange({ folderName: name })} />
      <PresetChoice {...presets} />
      <fieldset>
        <legend class="label">
          Formats <span class="muted">a code costs one unit, however many you choose</span>
        </legend>
        <div class="row">
          {offered.map(([value, name]) => (
            <label key={value} class="pill">
              <input type="checkbox" checked={formats.includes(value)} onChange={() => toggle(value)} />
              {name}
            </label>
          ))}
        </div>
      </fieldset>
      <Choice
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
};
