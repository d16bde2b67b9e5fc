import { useState } from 'preact/hooks';
import { api, ask } from '../api/client.ts';
import { BASE, screen } from '../base.ts';
import { count } from '../ui/format.ts';
import { More } from '../ui/lists/more.tsx';
import { usePages } from '../ui/lists/paged.ts';
import { Search } from '../ui/lists/search.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, Loaded } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { useDeletion } from './folders/deletion.ts';
import { Proof } from './folders/proof.tsx';
import { Tile } from './folders/tile.tsx';

const PAGE = 36;

/** Shows the codes of one folder. */
export default function Folder({ id = '' }: { readonly id?: string; readonly path: string }) {
  const [search, setSearch] = useState('');
  const [isNaming, setNaming] = useState(false);
  const path = { id };
  const folder = useLoad(
    (signal) => ask(api.GET('/api/v1/folders/{id}', { params: { path }, signal })),
    [id],
  );
  const codes = usePages(
    (cursor, signal) => {
      const page = { limit: PAGE, ...(cursor && { cursor }) };
      return search === ''
        ? ask(
            api.GET('/api/v1/folders/{id}/codes', { params: { path, query: page }, signal: signal ?? null }),
          )
        : ask(
            api.GET('/api/v1/codes', {
              params: { query: { ...page, search, folder_id: id } },
              signal: signal ?? null,
            }),
          );
    },
    [id, search],
  );
  const { remove, fault } = useDeletion(() => {
    folder.reload();
    codes.reload();
  });
  const rename = async (name: string): Promise<void> => {
    await ask(api.PATCH('/api/v1/folders/{id}', { params: { path }, body: { name } }));
    folder.reload();
  };

  if (folder.state === 'failed') {
    return (
      <Page title="Folder">
        <Failure fault={folder.fault} retry={folder.reload} />
      </Page>
    );
  }
  return (
    <Page
      title={folder.data?.name ?? 'Folder'}
      actions={
        <>
          <Search label="Search in this folder" onSearch={setSearch} />
          <button type="button" onClick={() => setNaming(true)} disabled={folder.data === null}>
            Rename
          </button>
          <a class="button" href={screen(`/folders/${id}/labels`)}>
            Labels
          </a>
          <a class="button primary" href={`${BASE}api/v1/folders/${id}/archive`} download>
            Download all (ZIP)
          </a>
        </>
      }
    >
      {folder.data && <p class="muted">{count(folder.data.code_count, 'code')}</p>}
      {folder.data && folder.data.code_count > 0 && <Proof folderId={id} />}
      {fault && <Failure fault={fault} />}
      <Loaded load={codes.first} what="codes">
        {() =>
          codes.items.length === 0 && !codes.hasMore ? (
            <Empty title={search ? `No code here has “${search}” in its content.` : 'This folder is empty.'}>
              {!search && (
                <p>
                  <a href={screen('/import')}>Import a table</a>, or{' '}
                  <a href={screen('/design')}>design a code</a> and save it here.
                </p>
              )}
            </Empty>
          ) : (
            <ul class="tiles">
              {codes.items.map((code) => (
                <Tile key={code.id} code={code} onDelete={() => void remove('codes', code.id, 'The code')} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <More pages={codes} />
      {isNaming && folder.data && (
        <NameDialog
          title="Rename the folder"
          name={folder.data.name}
          action="Rename"
          save={rename}
          onClose={() => setNaming(false)}
        />
      )}
    </Page>
  );
}
