import { useState } from 'preact/hooks';
import { askRaw } from '../../api/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useAction } from '../../ui/use-action.ts';
import { type FileChoice, FOR_PRINT, faultOf, toChoiceFault, toQuery } from './file-choice.ts';
import { FileFields } from './file-fields.tsx';
import { gradeInWords } from './grade-in-words.ts';
import { fileNameOf, saveBlob } from './save-file.ts';

/** A form that downloads a saved code in the chosen format and size. */
export const DownloadForm = ({
  id,
  widthPx,
  onClose,
}: {
  readonly id: string;
  /** The size that the code was made with. */
  readonly widthPx: number;
  readonly onClose: () => void;
}) => {
  const [choice, setChoice] = useState<FileChoice>({
    ...FOR_PRINT,
    format: 'png',
    widthPx: String(widthPx),
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
    setSaved(`Downloaded. ${gradeInWords(file.headers, choice.unit === 'mm')}`);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (faultOf(choice) === null) void run(download);
  };

  return (
    <form class="stack" noValidate onSubmit={submit}>
      <FileFields choice={choice} fault={shown} onChange={change} />
      <p class="fault" role="alert">
        {shown?.name === null ? shown.text : null}
      </p>
      <div class="row">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Drawing …' : 'Download'}
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <p class="muted" role="status">
        {saved}
      </p>
    </form>
  );
};

/** A button that opens the form in a dialog. */
export const Download = ({ id, widthPx }: { readonly id: string; readonly widthPx: number }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Download …
      </button>
      {isOpen && (
        <Dialog title="Download" onClose={() => setOpen(false)}>
          <DownloadForm id={id} widthPx={widthPx} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
};
