import { useEffect, useState } from 'preact/hooks';
import { FORMATS } from '../../../../../workers/lists.ts';
import { toScreenPath } from '../../../api/client.ts';
import { Button, Primary, Submit } from '../../../ui/buttons.tsx';
import { FolderInput, Input, NameInput, Segments } from '../../../ui/fields.tsx';
import { TillFields } from '../../codes/download.tsx';
import { FORMAT_CHOICES } from '../../codes/file-choice.ts';
import type { ChoiceFault, FileChoice } from './file.ts';
import type { CodeActions, Place } from './use-code.ts';

interface SaveFormProps {
  readonly code: CodeActions;
  readonly place: Place;
  /** Whether the designer was opened to edit a saved code, which is then never saved as another one. */
  readonly isEdit: boolean;
  readonly isDisabled: boolean;
  readonly onPlace: (place: Place) => void;
}

const NewCode = ({ code, place, isDisabled, onPlace }: SaveFormProps) => {
  const { kept, canUpdate, saving } = code;
  const isReady = !isDisabled && place.folderName.trim() !== '';
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isReady) void code.save(place);
  };
  return (
    <form class="stack tight save-part" onSubmit={submit}>
      <div class="place">
        <NameInput
          hint="optional"
          placeholder="optional"
          value={place.name}
          onText={(name) => onPlace({ ...place, name })}
        />
        <FolderInput value={place.folderName} onText={(folderName) => onPlace({ ...place, folderName })} />
      </div>
      <div class="row">
        <button type="submit" disabled={!isReady}>
          {saving.busy ? 'Saving …' : kept === null ? 'Save' : 'Save as new'}
        </button>
        {canUpdate && (
          <Button disabled={isDisabled} onClick={() => void code.update()}>
            Update the saved code
          </Button>
        )}
      </div>
    </form>
  );
};

/** Saves the code: a new one in a folder, or the saved one in its new design. */
export const SaveForm = (props: SaveFormProps) => {
  const { kept, isSaved, saving, update } = props.code;
  if (kept === null || (!props.isEdit && !isSaved)) return <NewCode {...props} />;
  return (
    <div class="stack tight save-part">
      {props.isEdit ? (
        <Primary disabled={props.isDisabled || isSaved} onClick={() => void update()}>
          {saving.busy ? 'Saving …' : 'Save changes'}
        </Primary>
      ) : (
        <p class="chip good">Saved in “{props.place.folderName}”</p>
      )}
      <p class="row">
        <a href={toScreenPath(`/codes/${kept.id}`)}>Open code</a>
        <a href={toScreenPath(`/folders/${kept.folderId}`)}>Open folder</a>
      </p>
    </div>
  );
};

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

interface DownloadFormProps {
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

export const DownloadForm = (props: DownloadFormProps) => {
  const { choice, isGs1, fault, widthPx, label, isDisabled, onChoice, onWidth, onDownload } = props;
  const faultAt = (field: ChoiceFault['field']) => (fault?.field === field ? fault.text : null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isDisabled && fault === null) onDownload();
  };
  return (
    <form class="stack tight" noValidate onSubmit={submit}>
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
