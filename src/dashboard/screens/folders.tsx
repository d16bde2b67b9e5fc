import { useState } from 'preact/hooks';
import { api, toScreenPath } from '../api/client.ts';
import { change, usePages } from '../api/query.ts';
import type { Folder } from '../api/shapes.ts';
import { Primary } from '../ui/buttons.tsx';
import { NameDialog } from '../ui/form.tsx';
import { formatDay, formatNumber, unitOf } from '../ui/format.ts';
import { useAddressed } from '../ui/kept/address.ts';
import { useAskedForNew } from '../ui/kept/asked.ts';
import { PagedTable, Search } from '../ui/lists.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { Page, Tabs } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { say } from '../words/say.ts';
import { useFolderActions } from './codes/folder-actions.tsx';

const Row = ({ folder, items }: { readonly folder: Folder; readonly items: readonly MenuItem[] }) => (
  <tr>
    <td>
      <span class="dots">
        <a class="wrap name" href={toScreenPath(`/folders/${folder.id}`)}>
          {folder.name}
        </a>
        {folder.keep && <span class="muted">{say('kept for ever')}</span>}
      </span>
    </td>
    <td class="number" data-unit={unitOf(folder.code_count, 'code', 'codes')}>
      {formatNumber(folder.code_count)}
    </td>
    <td data-name={say('Created')}>{formatDay(folder.created_at)}</td>
    <td class="end">
      <div class="row">
        <Menu label={say('Actions for {name}', { name: folder.name })} items={items} />
      </div>
    </td>
  </tr>
);

export default function Folders(_: { readonly path: string }) {
  const [{ search }, choose] = useAddressed({ search: '' });
  const [isMaking, setMaking] = useState(false);
  const pages = usePages('/api/v1/folders', { query: { limit: 50, ...(search && { search }) } });
  useAskedForNew(() => setMaking(true));
  const { rename, download, keep, deletion, dialogs } = useFolderActions();
  const begin = <Primary onClick={() => setMaking(true)}>{say('New folder')}</Primary>;
  const hasNone = search === '' && pages.data !== undefined && pages.items.length === 0;

  return (
    <Page title={say('Folders')} actions={!hasNone && begin}>
      <Tabs of="codes" />
      {!hasNone && (
        <div class="toolbar">
          <Search
            label={say('Search folders')}
            searched={search}
            onSearch={(text) => choose({ search: text }, 'typed')}
          />
        </div>
      )}
      <PagedTable
        pages={pages}
        what={say('folders')}
        columns={[say('Name'), say('Codes'), say('Created')]}
        empty={
          hasNone ? (
            <Empty title={say('No folders yet.')} icon="folder" actions={begin}>
              <p>{say('A folder holds the codes of a campaign. Every batch gets one, too.')}</p>
            </Empty>
          ) : (
            <Empty title={say('No folder fits “{search}”.', { search })} />
          )
        }
        row={(folder) => (
          <Row
            key={folder.id}
            folder={folder}
            items={[
              { label: say('Rename'), run: () => rename(folder) },
              keep(folder),
              { label: say('Download ZIP'), run: () => download(folder) },
              { label: say('Labels'), href: toScreenPath(`/folders/${folder.id}/labels`) },
              deletion(folder),
            ]}
          />
        )}
      />
      {dialogs}
      {isMaking && (
        <NameDialog
          title={say('New folder')}
          name=""
          action={say('Create')}
          save={(name) => change(api.POST('/api/v1/folders', { body: { name } }))}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  );
}
