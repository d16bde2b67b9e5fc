/** Downloads a saved code as a file of any format, for screens or in millimetres for print. */
import { useState } from 'preact/hooks';
import { PARAMETERS, type ParameterName } from '../../../../workers/lists.ts';
import { askRaw, fileNameOf, saveBlob } from '../../api/client.ts';
import type { CodeWithDesign } from '../../api/shapes.ts';
import { Primary, Quiet, Submit, useAction } from '../../ui/buttons.tsx';
import { CheckInput, FaultOf, Input, SelectInput } from '../../ui/fields.tsx';
import { Dialog } from '../../ui/form.tsx';
import {
  type ChoiceFault,
  type FileChoice,
  FOR_PRINT,
  FORMAT_CHOICES,
  faultOf,
  NOT_FOR_TILLS,
  NUMBERS,
  type NumberName,
  numbersOf,
  type TillChoice,
  toChoiceFault,
  toQuery,
} from './file-choice.ts';

interface TillFieldsProps {
  readonly choice: TillChoice;
  readonly onChange: (choice: TillChoice) => void;
}

/** Asks whether tills must read a printed GS1 code, and whether its numbers are printed below it. */
export const TillFields = ({ choice: { till, text }, onChange }: TillFieldsProps) => (
  <>
    <CheckInput
      label="For tills"
      hint="Refuses codes that tills might fail to read."
      isOn={till}
      onToggle={(isOn) => onChange({ till: isOn, text })}
    />
    <CheckInput
      label="Numbers below the code"
      hint="In readable form, (01)…"
      isOn={text}
      onToggle={(isOn) => onChange({ till, text: isOn })}
    />
  </>
);

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

const FileFields = ({ choice, isGs1, fault, onChange }: FileFieldsProps) => (
  <>
    <SelectInput
      look="narrow"
      label="Format"
      value={choice.format}
      options={FORMAT_CHOICES}
      onChoose={(format) => onChange({ ...choice, format })}
    />
    <SelectInput
      look="narrow"
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
          label={label}
          hint={hint}
          min={min}
          max={max}
          step={step}
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

/** Returns the grade of a file and why it is below 4, from the headers of its answer. '' without a grade. */
const describeFileGrade = (headers: { get(name: string): string | null }, isInMm = false): string => {
  const grade = headers.get('tessera-grade');
  if (grade === null) return '';
  const warnings = (headers.get('tessera-warnings') ?? '').split(', ').filter((item) => item !== '');
  const words = warnings.map((item) => {
    const [name = '', value] = item.split(';v=');
    const unit = name === 'small-modules' ? (isInMm ? ' mm' : ' px') : '';
    return `${PARAMETERS[name as ParameterName].title.toLowerCase()}${value === undefined ? '' : ` (${value}${unit})`}`;
  });
  return `Grade ${grade}${words.length === 0 ? '.' : `: ${words.join(', ')}.`}`;
};

interface DownloadProps {
  readonly code: Pick<CodeWithDesign, 'id' | 'width' | 'design'>;
}

/** A form that downloads a saved code in the chosen format and size. */
const DownloadForm = ({
  code: { id, width, design },
  onClose,
}: DownloadProps & { readonly onClose: () => void }) => {
  const [choice, setChoice] = useState<FileChoice>({
    ...FOR_PRINT,
    ...NOT_FOR_TILLS,
    format: 'png',
    widthPx: String(width),
  });
  const [isTried, setTried] = useState(false);
  const [saved, setSaved] = useState('');
  const { busy, fault, run, clear } = useAction();
  const own = isTried ? faultOf(choice) : null;
  const shown = own ?? (fault && toChoiceFault(fault));

  const change = (next: FileChoice): void => {
    clear();
    setSaved('');
    setChoice(next);
  };
  const download = async (): Promise<void> => {
    setSaved('');
    const file = await askRaw(`api/v1/codes/${id}/image?format=${choice.format}&${toQuery(choice)}`);
    saveBlob(fileNameOf(file.headers) ?? `${id}.${choice.format}`, await file.blob());
    setSaved(`Downloaded. ${describeFileGrade(file.headers, choice.unit === 'mm')}`);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (faultOf(choice) === null) void run(download);
  };

  return (
    <form class="stack" noValidate onSubmit={submit}>
      <FileFields
        choice={choice}
        isGs1={design.qrOptions?.gs1 !== undefined}
        fault={shown}
        onChange={change}
      />
      <FaultOf text={shown?.name === null ? shown.text : null} />
      <div class="row">
        <Submit disabled={busy}>{busy ? 'Drawing …' : 'Download'}</Submit>
        <Quiet onClick={onClose}>Close</Quiet>
      </div>
      <p class="muted" role="status">
        {saved}
      </p>
    </form>
  );
};

export const Download = ({ code }: DownloadProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Primary onClick={() => setOpen(true)}>Download …</Primary>
      {isOpen && (
        <Dialog title="Download" onClose={() => setOpen(false)}>
          <DownloadForm code={code} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
};
