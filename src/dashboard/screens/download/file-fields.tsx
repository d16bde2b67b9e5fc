import { useId } from 'preact/hooks';
import { Choice } from '../../ui/forms/choice.tsx';
import {
  type ChoiceFault,
  type FileChoice,
  FORMATS,
  NUMBERS,
  type NumberName,
  numbersOf,
} from './file-choice.ts';

const LABELS: Readonly<Record<NumberName, readonly [label: string, hint: string]>> = {
  widthPx: ['Width', 'px'],
  moduleMm: ['Module', 'mm'],
  dpi: ['Resolution', 'dpi of the printer'],
};

const NumberInput = ({
  name,
  choice,
  fault,
  onChange,
}: {
  readonly name: NumberName;
  readonly choice: FileChoice;
  readonly fault: string | null;
  readonly onChange: (choice: FileChoice) => void;
}) => {
  const id = useId();
  const [label, hint] = LABELS[name];
  const { min, max, step } = NUMBERS[name];
  return (
    <div class="field">
      <label for={id}>
        {label} <span class="muted">{hint}</span>
      </label>
      <input
        id={id}
        type="number"
        {...{ min, max, step }}
        value={choice[name]}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-fault`}
        onInput={(event) => onChange({ ...choice, [name]: event.currentTarget.value })}
      />
      <p class="fault" id={`${id}-fault`} role="alert">
        {fault}
      </p>
    </div>
  );
};

/**
 * The fields of a file: format, and size in pixels or on paper. `pixels` names the choice of pixels; without a field
 * for the width when `hasWidth` is false, because something else decides it.
 */
export const FileFields = ({
  choice,
  fault,
  pixels = 'Pixels, for screens',
  hasWidth = true,
  onChange,
}: {
  readonly choice: FileChoice;
  readonly fault: ChoiceFault | null;
  readonly pixels?: string;
  readonly hasWidth?: boolean;
  readonly onChange: (choice: FileChoice) => void;
}) => (
  <>
    <Choice
      label="Format"
      value={choice.format}
      options={FORMATS}
      onChoose={(format) => onChange({ ...choice, format })}
    />
    <Choice
      label="Size"
      value={choice.unit}
      options={[
        { value: 'mm', name: 'Millimetres, for print' },
        { value: 'px', name: pixels },
      ]}
      onChoose={(unit) => onChange({ ...choice, unit })}
    />
    {numbersOf(choice)
      .filter((name) => hasWidth || name !== 'widthPx')
      .map((name) => (
        <NumberInput
          key={name}
          {...{ name, choice, onChange }}
          fault={fault?.name === name ? fault.text : null}
        />
      ))}
    {choice.unit === 'mm' && (
      <p class="muted small">
        Phones need modules of 0.33 mm, scanners in shops 0.4 to 1 mm. The quiet zone of four modules is part
        of the file.
      </p>
    )}
  </>
);
