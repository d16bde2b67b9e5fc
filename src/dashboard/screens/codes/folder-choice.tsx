import { useState } from 'preact/hooks';
import { useGet } from '../../api/query.ts';
import type { Folder } from '../../api/shapes.ts';
import { count } from '../../ui/format.ts';
import { Search } from '../../ui/lists.tsx';
import { Loaded } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';

const SHOWN = 20;

/**
 * Lets a person find a folder by its name and choose it. `choice` must be shown. `newName` is what was typed when no
 * folder that is shown has this name; otherwise `null`.
 */
export const useFolderChoice = (label: string) => {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Folder | null>(null);
  const folders = useGet('/api/v1/folders', { query: { limit: SHOWN, ...(search && { search }) } });
  const isNew = search !== '' && folders.data?.data.every(({ name }) => name !== search);
  const choice = (
    <>
      <Search label={label} searched={search} onSearch={setSearch} />
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
    </>
  );
  return { chosen, newName: isNew ? search : null, choice };
};
