import { toScreenPath } from '../../../api/client.ts';
import { Button, Primary } from '../../../ui/buttons.tsx';
import { FolderInput, NameInput } from '../../../ui/fields.tsx';
import { say } from '../../../words/say.ts';
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
        <NameInput hint={say('optional')} value={place.name} onText={(name) => onPlace({ ...place, name })} />
        <FolderInput value={place.folderName} onText={(folderName) => onPlace({ ...place, folderName })} />
      </div>
      <div class="row">
        <button type="submit" disabled={!isReady}>
          {saving.busy ? say('Saving …') : kept === null ? say('Save') : say('Save as new')}
        </button>
        {canUpdate && (
          <Button disabled={isDisabled} onClick={() => void code.update()}>
            {say('Update the saved code')}
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
          {saving.busy ? say('Saving …') : say('Save changes')}
        </Primary>
      ) : (
        <p class="chip good">{say('Saved in “{folderName}”', { folderName: props.place.folderName })}</p>
      )}
      <p class="row">
        <a href={toScreenPath(`/codes/${kept.id}`)}>{say('Open code')}</a>
        <a href={toScreenPath(`/folders/${kept.folderId}`)}>{say('Open folder')}</a>
      </p>
    </div>
  );
};
