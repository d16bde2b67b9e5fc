import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useGet } from '../../api/query.ts';
import type { Folder } from '../../api/shapes.ts';
import { Button, Primary, Quiet, useAction } from '../../ui/buttons.tsx';
import { Dialog } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { Search } from '../../ui/lists.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';

const SHOWN = 20;

interface FolderDialogProps {
  readonly title: string;
  /** Label of the button that chooses. */
  readonly action: string;
  readonly onChoose: (folder: Folder) => Promise<unknown>;
  /** Gets a name that none of the folders that are shown has; absent: only a folder that there is can be chosen. */
  readonly onNew?: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** Lets a person find a folder by its name and choose it. It closes when what that begins is done. */
export const FolderDialog = ({ title, action, onChoose, onNew, onClose, children }: FolderDialogProps) => {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Folder | null>(null);
  const { run, busy, fault } = useAction();
  const folders = useGet('/api/v1/folders', { query: { limit: SHOWN, ...(search && { search }) } });
  const isNew = search !== '' && folders.data?.data.every(({ name }) => name !== search);
  const take = (choose: () => Promise<unknown>): void => void run(() => choose().then(onClose));
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Search
        label={onNew ? say('Find or name a folder') : say('Find a folder')}
        searched={search}
        onSearch={setSearch}
      />
      <Loaded load={folders} what={say('folders')}>
        {({ data, next_cursor }) => (
          <fieldset class="folder-choice">
            <legend class="hidden">{say('Folder')}</legend>
            {data.map((folder) => (
              <label key={folder.id} class="check">
                <input
                  type="radio"
                  name="folder"
                  checked={chosen?.id === folder.id}
                  onChange={() => setChosen(folder)}
                />
                <span class="wrap">{folder.name}</span>
                <span class="muted small">{count(folder.code_count, 'code', 'codes')}</span>
              </label>
            ))}
            {data.length === 0 && <p class="muted">{say('No folder has this name.')}</p>}
            {next_cursor !== null && (
              <p class="muted small">{say('Type a part of its name to find another one.')}</p>
            )}
          </fieldset>
        )}
      </Loaded>
      {fault && <Failure fault={fault} />}
      <div class="row">
        <Primary disabled={busy || chosen === null} onClick={() => chosen && take(() => onChoose(chosen))}>
          {action}
        </Primary>
        {onNew && isNew && (
          <Button disabled={busy} onClick={() => take(() => onNew(search))}>
            {say('Move to a new folder “{newName}”', { newName: search })}
          </Button>
        )}
        <Quiet onClick={onClose}>{say('Cancel')}</Quiet>
      </div>
    </Dialog>
  );
};
