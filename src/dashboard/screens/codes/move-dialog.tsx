import { useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { change, useGet } from '../../api/query.ts';
import type { Folder } from '../../api/shapes.ts';
import { Button, Primary, Quiet } from '../../ui/buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { count } from '../../ui/format.ts';
import { Search } from '../../ui/lists/search.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';

const SHOWN = 20;

interface MoveDialogProps {
  readonly ids: readonly string[];
  readonly onMoved: (folder: Pick<Folder, 'id' | 'name'>) => void;
  readonly onClose: () => void;
}

/** Lets a person choose a folder, or make one, and moves codes there. */
export const MoveDialog = ({ ids, onMoved, onClose }: MoveDialogProps) => {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Folder | null>(null);
  const { run, busy, fault } = useAction();
  const folders = useGet('/api/v1/folders', { query: { limit: SHOWN, ...(search && { search }) } });
  const move = (find: () => Promise<Folder>): void =>
    void run(async () => {
      const folder = await find();
      await change(api.POST('/api/v1/codes/move', { body: { ids: [...ids], folder_id: folder.id } }));
      onMoved(folder);
      onClose();
    });
  const make = () => change(api.POST('/api/v1/folders', { body: { name: search } }));
  const isNew = search !== '' && folders.data?.data.every(({ name }) => name !== search);

  return (
    <Dialog title={`Move ${count(ids.length, 'code')}`} onClose={onClose}>
      <Search label="Find or name a folder" onSearch={setSearch} />
      <Loaded load={folders} what="folders">
        {({ data, next_cursor }) => (
          <fieldset class="folder-choice">
            <legend class="hidden">Folder</legend>
            {data.map((folder) => (
              <label key={folder.id} class="check">
                <input
                  type="radio"
                  name="folder"
                  checked={chosen?.id === folder.id}
                  onChange={() => setChosen(folder)}
                />
                <span class="wrap">{folder.name}</span>
                <span class="muted small">{count(folder.code_count, 'code')}</span>
              </label>
            ))}
            {data.length === 0 && <p class="muted">No folder has this name.</p>}
            {next_cursor !== null && <p class="muted small">Type a part of its name to find another one.</p>}
          </fieldset>
        )}
      </Loaded>
      {fault && <Failure fault={fault} />}
      <div class="row">
        <Primary disabled={busy || chosen === null} onClick={() => chosen && move(async () => chosen)}>
          Move
        </Primary>
        {isNew && (
          <Button disabled={busy} onClick={() => move(make)}>
            Move to a new folder “{search}”
          </Button>
        )}
        <Quiet onClick={onClose}>Cancel</Quiet>
      </div>
    </Dialog>
  );
};
