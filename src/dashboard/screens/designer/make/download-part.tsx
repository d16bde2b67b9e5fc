import { useEffect, useState } from 'preact/hooks';
import { FORMATS } from '../../../../../workers/lists.ts';
import { Submit } from '../../../ui/buttons.tsx';
import { Segments } from '../../../ui/forms/choice.tsx';
import { Input } from '../../../ui/forms/field.tsx';
import { FORMAT_CHOICES } from '../../download/file-choice.ts';
import { TillFields } from '../../download/till-fields.tsx';
import type { ChoiceFault, FileChoice } from './file.ts';

const UNITS = [
  ['px', 'px'],
  ['mm', 'mm'],
] as const;

const WIDTH = { type: 'number', label: 'Width', isLabelHidden: true } as const;

const isWidthPx = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= 50 && Number(text) <= 2000;

interface PixelInputProps {
  readonly widthPx: number;
  readonly onWidth: (widthPx: number) => void;
}

/** Takes the width of the design in pixels. An invalid width stays in the input and does not change the design. */
const PixelInput = ({ widthPx, onWidth }: PixelInputProps) => {
  const [text, setText] = useState(String(widthPx));
  useEffect(() => {
    if (Number(text) !== widthPx) setText(String(widthPx));
  }, [widthPx]);
  return (
    <Input
      {...WIDTH}
      min={50}
      max={2000}
      value={text}
      fault={isWidthPx(text) ? null : 'Enter a whole number from 50 to 2000.'}
      onText={(typed) => {
        setText(typed);
        if (isWidthPx(typed)) onWidth(Number(typed));
      }}
    />
  );
};

interface DownloadPartProps {
  readonly choice: FileChoice;
  /** Whether the content is GS1 data, which tills read. */
  readonly isGs1: boolean;
  readonly fault: ChoiceFault | null;
  readonly widthPx: number;
  /** What the button says. */
  readonly label: string;
  readonly isDisabled: boolean;
  readonly onChoice: (choice: FileChoice) => void;
  readonly onWidth: (widthPx: number) => void;
  readonly onDownload: () => void;
}

/** Takes format and size of a file, and downloads it. */
export const DownloadPart = (props: DownloadPartProps) => {
  const { choice, isGs1, fault, widthPx, label, isDisabled, onChoice, onWidth, onDownload } = props;
  const faultAt = (field: ChoiceFault['field']) => (fault?.field === field ? fault.text : null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isDisabled && fault === null) onDownload();
  };
  return (
    <form class="download-part" noValidate onSubmit={submit}>
      <Segments
        label="Format"
        value={choice.format}
        options={FORMAT_CHOICES}
        onChoose={(format) => onChoice({ ...choice, format })}
      />
      <div class="size-row">
        {choice.unit === 'px' ? (
          <PixelInput widthPx={widthPx} onWidth={onWidth} />
        ) : (
          <Input
            {...WIDTH}
            step="any"
            value={choice.widthMm}
            fault={faultAt('widthMm')}
            onText={(widthMm) => onChoice({ ...choice, widthMm })}
          />
        )}
        <Segments
          label="Unit"
          value={choice.unit}
          options={UNITS}
          onChoose={(unit) => onChoice({ ...choice, unit })}
        />
        <Submit disabled={isDisabled || fault !== null}>{label}</Submit>
      </div>
      {choice.unit === 'mm' && FORMATS[choice.format].isBitmap && (
        <Input
          look="dpi"
          type="number"
          label="Resolution in dpi"
          value={choice.dpi}
          fault={faultAt('dpi')}
          onText={(dpi) => onChoice({ ...choice, dpi })}
        />
      )}
      {choice.unit === 'mm' && isGs1 && (
        <TillFields choice={choice} onChange={(forTills) => onChoice({ ...choice, ...forTills })} />
      )}
    </form>
  );
};
