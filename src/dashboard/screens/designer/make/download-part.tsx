import { useEffect, useId, useState } from 'preact/hooks';
import { FORMATS } from '../../download/file-choice.ts';
import { type ChoiceFault, type FileChoice, isBitmap } from './file.ts';
import { Segments } from './segments.tsx';

const UNITS = [
  { value: 'px', name: 'px' },
  { value: 'mm', name: 'mm' },
] as const;

const isWidthPx = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= 50 && Number(text) <= 2000;

/** Takes the width of the design in pixels. What is no width stays in the input, and the design as it is. */
const PixelInput = ({
  id,
  widthPx,
  onWidth,
}: {
  readonly id: string;
  readonly widthPx: number;
  readonly onWidth: (widthPx: number) => void;
}) => {
  const [text, setText] = useState(String(widthPx));
  useEffect(() => {
    if (Number(text) !== widthPx) setText(String(widthPx));
  }, [widthPx]);
  const isRight = isWidthPx(text);
  return (
    <>
      <input
        id={id}
        type="number"
        min={50}
        max={2000}
        value={text}
        aria-invalid={!isRight}
        aria-describedby={`${id}-fault`}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          if (isWidthPx(value)) onWidth(Number(value));
        }}
      />
      <p class="fault" id={`${id}-fault`} role="alert">
        {isRight ? '' : 'Enter a whole number from 50 to 2000.'}
      </p>
    </>
  );
};

const PrintInput = ({
  id,
  value,
  fault,
  onValue,
}: {
  readonly id: string;
  readonly value: string;
  readonly fault: string | null;
  readonly onValue: (value: string) => void;
}) => (
  <>
    <input
      id={id}
      type="number"
      step="any"
      value={value}
      aria-invalid={fault !== null}
      aria-describedby={`${id}-fault`}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
    <p class="fault" id={`${id}-fault`} role="alert">
      {fault}
    </p>
  </>
);

interface DownloadPartProps {
  readonly choice: FileChoice;
  readonly fault: ChoiceFault | null;
  /** The width of the design. */
  readonly widthPx: number;
  /** What the button says. */
  readonly label: string;
  readonly isDisabled: boolean;
  readonly onChoice: (choice: FileChoice) => void;
  readonly onWidth: (widthPx: number) => void;
  readonly onDownload: () => void;
}

type SizeProps = Pick<DownloadPartProps, 'choice' | 'fault' | 'widthPx' | 'onChoice' | 'onWidth'>;

/** Takes the width of the file, in the unit of the choice. */
const SizeInput = ({ choice, fault, widthPx, onChoice, onWidth }: SizeProps) => {
  const id = useId();
  return (
    <div class="size-input">
      <label class="hidden" for={id}>
        Width
      </label>
      {choice.unit === 'px' ? (
        <PixelInput id={id} widthPx={widthPx} onWidth={onWidth} />
      ) : (
        <PrintInput
          id={id}
          value={choice.widthMm}
          fault={fault?.field === 'widthMm' ? fault.text : null}
          onValue={(widthMm) => onChoice({ ...choice, widthMm })}
        />
      )}
    </div>
  );
};

/** Takes format and size of a file, and downloads it. */
export const DownloadPart = (props: DownloadPartProps) => {
  const id = useId();
  const { choice, fault, label, isDisabled, onChoice, onDownload } = props;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isDisabled && fault === null) onDownload();
  };
  return (
    <form class="download-part" noValidate onSubmit={submit}>
      <Segments
        label="Format"
        value={choice.format}
        options={FORMATS}
        onChoose={(format) => onChoice({ ...choice, format })}
      />
      <div class="size-row">
        <SizeInput {...props} />
        <Segments
          label="Unit"
          value={choice.unit}
          options={UNITS}
          onChoose={(unit) => onChoice({ ...choice, unit })}
        />
        <button type="submit" class="primary" disabled={isDisabled || fault !== null}>
          {label}
        </button>
      </div>
      {choice.unit === 'mm' && isBitmap(choice.format) && (
        <div class="field dpi">
          <label for={id}>Resolution in dpi</label>
          <PrintInput
            id={id}
            value={choice.dpi}
            fault={fault?.field === 'dpi' ? fault.text : null}
            onValue={(dpi) => onChoice({ ...choice, dpi })}
          />
        </div>
      )}
    </form>
  );
};
