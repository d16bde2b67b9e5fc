import { Choice } from '../../ui/forms/choice.tsx';
import { Input } from '../../ui/forms/field.tsx';
import {
  type ChoiceFault,
  type FileChoice,
  FORMAT_CHOICES,
  NUMBERS,
  type NumberName,
  numbersOf,
} from './file-choice.ts';
import { TillFields } from './till-fields.tsx';

const LABELS: Readonly<Record<NumberName, readonly [label: string, hint: string]>> = {
  widthPx: ['Width', 'px'],
  moduleMm: ['Module', 'mm'],
  dpi: ['Resolution', 'dpi of the printer'],
};

interface FileFieldsProps {
  readonly choice: FileChoice;
  /** Whether the code has GS1 data, which tills read. */
  readonly isGs1: boolean;
  readonly fault: ChoiceFault | null;
  readonly onChange: (choice: FileChoice) => void;
}

/** The fields of a file: format, and size in pixels or on paper. */
export const FileFields = ({ choice, isGs1, fault, onChange }: FileFieldsProps) => (
  <>
    <Choice
      label="Format"
      value={choice.format}
      options={FORMAT_CHOICES}
      onChoose={(format) => onChange({ ...choice, format })}
    />
    <Choice
      label="Size"
      value={choice.unit}
      options={[
        ['mm', 'Millimetres, for print'],
        ['px', 'Pixels, for screens'],
      ]}
      onChoose={(unit) => onChange({ ...choice, unit })}
    />
    {numbersOf(choice).map((name) => {
      const { min, max, step } = NUMBERS[name];
      const [label, hint] = LABELS[name];
      return (
        <Input
          key={name}
          type="number"
          {...{ label, hint, min, max, step }}
          value={choice[name]}
          fault={fault?.name === name ? fault.text : null}
          onText={(text) => onChange({ ...choice, [name]: text })}
        />
      );
    })}
    {choice.unit === 'mm' && (
      <>
        {isGs1 && (
          <TillFields choice={choice} onChange={(forTills) => onChange({ ...choice, ...forTills })} />
        )}
        <p class="muted small">
          Phones need modules of 0.33 mm, scanners in shops 0.4 to 1 mm. The quiet zone of four modules is
          part of the file.
        </p>
      </>
    )}
  </>
);
