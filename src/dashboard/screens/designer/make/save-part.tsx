import { useId } from 'preact/hooks';
import { screen } from '../../../base.ts';
import { FolderField } from '../../../ui/forms/folder-field.tsx';
import type { CodeActions, Place } from './use-code.ts';

const Links = ({ id, folderId }: { readonly id: string; readonly folderId: string }) => (
  <p class="row">
    <a href={screen(`/codes/${id}`)}>Open code</a>
    <a href={screen(`/folders/${folderId}`)}>Open folder</a>
  </p>
);

interface SavePartProps {
  readonly code: CodeActions;
  readonly place: Place;
  /** Whether the designer was opened to edit a saved code, which is then never saved as another one. */
  readonly isEdit: boolean;
  readonly isDisabled: boolean;
  readonly onPlace: (place: Place) => void;
}

/** Saves a new code under a name and in a folder. */
const NewCode = ({ code, place, isDisabled, onPlace }: SavePartProps) => {
  const id = useId();
  const { kept, canUpdate, saving } = code;
  const isReady = !isDisabled && place.folderName.trim() !== '';
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isReady) void code.save(place);
  };
  return (
    <form class="save-part" onSubmit={submit}>
      <div class="place">
        <div class="field">
          <label for={id}>
            Name <span class="muted">optional</span>
          </label>
          <input
            id={id}
            type="text"
            maxLength={200}
            placeholder="optional"
            value={place.name}
            onInput={(event) => onPlace({ ...place, name: event.currentTarget.value })}
          />
        </div>
        <FolderField
          id={`${id}-folder`}
          name={place.folderName}
          onName={(folderName) => onPlace({ ...place, folderName })}
        />
      </div>
      <div class="row">
        <button type="submit" disabled={!isReady}>
          {saving.busy ? 'Saving …' : kept === null ? 'Save' : 'Save as new'}
        </button>
        {canUpdate && (
          <button type="button" disabled={isDisabled} onClick={() => void code.update()}>
            Update the saved code
          </button>
        )}
      </div>
    </form>
  );
};

/** Saves the code: a new one in a folder, or the saved one in its new design. */
export const SavePart = (props: SavePartProps) => {
  const { kept, isSaved, saving, update } = props.code;
  if (kept === null || (!props.isEdit && !isSaved)) return <NewCode {...props} />;
  return (
    <div class="save-part">
      {props.isEdit ? (
        <button
          type="button"
          class="primary"
          disabled={props.isDisabled || isSaved}
          onClick={() => void update()}
        >
          {saving.busy ? 'Saving …' : 'Save changes'}
        </button>
      ) : (
        <p class="chip good">Saved in “{props.place.folderName}”</p>
      )}
      <Links {...kept} />
    </div>
  );
};
