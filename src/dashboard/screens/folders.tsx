import { useCallback, useState } from 'preact/hooks';
import { api, ask } from '../api/client.ts';
import type { Folder } from '../api/shapes.ts';
import { BASE, screen } from '../base.ts';
import { count, day, number } from '../ui/format.ts';
import { usePages } from '../ui/lists/paged.ts';
import { PagedTable } from '../ui/lists/paged-table.tsx';
import { Search } from '../ui/lists/search.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure } from '../ui/states.tsx';
import { useDeletion } from './folders/deletion.ts';

const Row = ({
  folder,
  onRename,
  onDelete,
}: {
  readonly folder: Folder;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}) => (
  <tr>
    <td>
      <a class="wrap" href={screen(`/folders/${folder.id}`)}>
        {folder.name}
      </a>
    </td>
    <td class="number" data-name="Codes">
      {number(folder.code_count)}
    </td>
    <td data-name="Created">{day(folder.created_at)}</td>
    <td class="end">
      <div class="row">
        <a class="button quiet" href={`${BASE}api/v1/folders/${folder.id}/archive`} download>
          ZIP<span class="hidden"> of {folder.name}</span>
        </a>
        <button type="button" class="quiet" onClick={onRename}>
          Rename<span class="hidden"> {folder.name}</span>
        </button>
        <button type="button" class="quiet danger" onClick={onDelete}>
          Delete<span class="hidden"> {folder.name}</span>
        </button>
      </div>
    </td>
  </tr>
);

/** Shows all folders of the account. */
export default function Folders(_: { readonly path: string }) {
  const [search, setSearch] = useState('');
  const [naming, setNaming] = useState<Folder | 'new' | null>(null);
  const pages = usePages(
    (cursor, signal) =>
      ask(
        api.GET('/api/v1/folders', {
          params: { query: { limit: 50, ...(search && { search }), ...(cursor && { cursor }) } },
          signal: signal ?? null,
        }),
      ),
    [search],
  );
  const { remove, fault } = useDeletion(pages.reload);

  const save = useCallback(
    async (name: string) => {
      if (naming === 'new') await ask(api.POST('/api/v1/folders', { body: { name } }));
      else if (naming)
        await ask(api.PATCH('/api/v1/folders/{id}', { params: { path: { id: naming.id } }, body: { name } }));
      pages.reload();
    },
    [naming, pages.reload],
  );

  return (
    <Page
      title="Folders"
      actions={
        <>
          <Search label="Search folders" onSearch={setSearch} />
          <button type="button" class="primary" onClick={() => setNaming('new')}>
            New folder
          </button>
        </>
      }
    >
      {fault && <Failure fault={fault} />}
      <PagedTable
        pages={pages}
        what="folders"
        columns={['Name', 'Codes', 'Created']}
        empty={
          <Empty title={search ? `No folder has “${search}” in its name.` : 'No folders yet.'}>
            {!search && (
              <p>Imports and batches save their codes in a folder, where you can download them again.</p>
            )}
          </Empty>
        }
        row={(folder) => (
          <Row
            key={folder.id}
            folder={folder}
            onRename={() => setNaming(folder)}
            onDelete={() =>
              void remove(
                'folders',
                folder.id,
                `“${folder.name}” and its ${count(folder.code_count, 'code')}`,
              )
            }
          />
        )}
      />
      {naming !== null && (
        <NameDialog
          title={naming === 'new' ? 'New folder' : 'Rename the folder'}
          name={naming === 'new' ? '' : naming.name}
          action={naming === 'new' ? 'Create' : 'Rename'}
          save={save}
          onClose={() => setNaming(null)}
        />
      )}
    </Page>
  );
}
