import { useCallback, useState } from 'preact/hooks';
import { api, ask } from '../api/client.ts';
import type { Folder } from '../api/shapes.ts';
import { BASE, screen } from '../base.ts';
import { count, day, number } from '../ui/format.ts';
import { usePages } from '../ui/lists/paged.ts';
import { PagedTable } from '../ui/lists/paged-table.tsx';
import { Search } from '../ui/lists/search.tsx';
import { Menu } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';
import { useDeletion } from './folders/use-deletion.tsx';

const Row = ({
  folder,
  onRename,
  onKeep,
  onDelete,
}: {
  readonly folder: Folder;
  readonly onRename: () => void;
  readonly onKeep: () => void;
  readonly onDelete: () => void;
}) => (
  <tr>
    <td>
      <a class="wrap" href={screen(`/folders/${folder.id}`)}>
        {folder.name}
      </a>
      {folder.keep && <span class="muted"> · kept for ever</span>}
    </td>
    <td class="number" data-unit={folder.code_count === 1 ? 'code' : 'codes'}>
      {number(folder.code_count)}
    </td>
    <td data-name="Created">{day(folder.created_at)}</td>
    <td class="end">
      <div class="row">
        <Menu
          label={`Actions for ${folder.name}`}
          items={[
            { label: 'Rename', run: onRename },
            { label: folder.keep ? 'Let old codes go' : 'Keep for ever', run: onKeep },
            { label: 'Download ZIP', href: `${BASE}api/v1/folders/${folder.id}/archive`, isFile: true },
            { label: 'Labels', href: screen(`/folders/${folder.id}/labels`) },
            { label: 'Delete', run: onDelete, isDanger: true },
          ]}
        />
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
  const { remove, question } = useDeletion(pages.reload);
  const keeping = useAction();

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
      {question}
      {keeping.fault && <Failure fault={keeping.fault} />}
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
            onKeep={() =>
              void keeping.run(async () => {
                const params = { path: { id: folder.id } };
                await ask(api.PATCH('/api/v1/folders/{id}', { params, body: { keep: !folder.keep } }));
                pages.reload();
              })
            }
            onDelete={() =>
              void remove({
                kind: 'folder',
                id: folder.id,
                what: `“${folder.name}” and its ${count(folder.code_count, 'code')}`,
              })
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
