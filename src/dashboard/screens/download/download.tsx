import { useState } from 'preact/hooks';
import { PARAMETERS, type ParameterName } from '../../../../workers/lists.ts';
import { askRaw } from '../../api/client.ts';
import type { CodeWithDesign } from '../../api/shapes.ts';
import { Primary, Quiet, Submit } from '../../ui/buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultOf } from '../../ui/forms/field.tsx';
import { useAction } from '../../ui/use-action.ts';
import { type FileChoice, FOR_PRINT, faultOf, toChoiceFault, toQuery } from './file-choice.ts';
import { FileFields } from './file-fields.tsx';
import { fileNameOf, saveBlob } from './save-file.ts';
import { NOT_FOR_TILLS } from './till.ts';

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
    ...{ ...FOR_PRINT, ...NOT_FOR_TILLS },
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

/** A button that opens the form in a dialog. */
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
