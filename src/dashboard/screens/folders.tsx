import { useState } from 'preact/hooks';
import { api, toScreenPath } from '../api/client.ts';
import { change, usePages } from '../api/query.ts';
import type { Folder } from '../api/shapes.ts';
import { Primary, useAction } from '../ui/buttons.tsx';
import { NameDialog } from '../ui/form.tsx';
import { count, formatDay, formatNumber, unitOf } from '../ui/format.ts';
import { useAddressed } from '../ui/kept/address.ts';
import { useAskedForNew } from '../ui/kept/asked.ts';
import { PagedTable, Search } from '../ui/lists.tsx';
import { Menu } from '../ui/menu.tsx';
import { Page, Tabs } from '../ui/page.tsx';
import { Empty, Failure } from '../ui/states.tsx';
import { say } from '../words/say.ts';
import { changeFolder, RenameFolder, useDeletion } from './codes/edit.tsx';
import { PrintFolder } from './print/codes.tsx';

interface RowProps {
  readonly folder: Folder;
  readonly onRename: () => void;
  readonly onKeep: () => void;
  readonly onDownload: () => void;
  readonly onDelete: () => void;
}

const Row = ({ folder, onRename, onKeep, onDownload, onDelete }: RowProps) => (
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
        <Menu
          label={say('Actions for {name}', { name: folder.name })}
          items={[
            { label: say('Rename'), run: onRename },
            { label: folder.keep ? say('Let old codes expire') : say('Keep for ever'), run: onKeep },
            { label: say('Download ZIP'), run: onDownload },
            { label: say('Labels'), href: toScreenPath(`/folders/${folder.id}/labels`) },
            { label: say('Delete'), run: onDelete, isDanger: true },
          ]}
        />
      </div>
    </td>
  </tr>
);

interface NamingProps {
  /** `new`: a folder is made. */
  readonly folder: Folder | 'new';
  readonly onClose: () => void;
}

const Naming = ({ folder, onClose }: NamingProps) =>
  folder === 'new' ? (
    <NameDialog
      title={say('New folder')}
      name=""
      action={say('Create')}
      save={(name) => change(api.POST('/api/v1/folders', { body: { name } }))}
      onClose={onClose}
    />
  ) : (
    <RenameFolder folder={folder} onClose={onClose} />
  );

export default function Folders(_: { readonly path: string }) {
  const [{ search }, choose] = useAddressed({ search: '' });
  const [naming, setNaming] = useState<Folder | 'new' | null>(null);
  const [downloading, setDownloading] = useState<Folder | null>(null);
  const pages = usePages('/api/v1/folders', { query: { limit: 50, ...(search && { search }) } });
  useAskedForNew(() => setNaming('new'));
  const { remove, question } = useDeletion();
  const keeping = useAction();
  const begin = <Primary onClick={() => setNaming('new')}>{say('New folder')}</Primary>;
  const hasNone = search === '' && pages.data !== undefined && pages.items.length === 0;

  return (
    <Page
      title={say('Folders')}
      actions={
        !hasNone && (
          <>
            <Search
              label={say('Search folders')}
              searched={search}
              onSearch={(text) => choose({ search: text }, 'typed')}
            />
            {begin}
          </>
        )
      }
    >
      <Tabs of="codes" />
      {question}
      {keeping.fault && <Failure fault={keeping.fault} />}
      <PagedTable
        pages={pages}
        what={say('folders')}
        columns={[say('Name'), say('Codes'), say('Created')]}
        empty={
          hasNone ? (
            <Empty title={say('No folders yet.')} icon="folder" actions={begin}>
              <p>{say('A folder holds the codes of a campaign. Every table that you send gets one, too.')}</p>
            </Empty>
          ) : (
            <Empty title={say('No folder fits “{search}”.', { search })} />
          )
        }
        row={(folder) => (
          <Row
            key={folder.id}
            folder={folder}
            onRename={() => setNaming(folder)}
            onKeep={() => void keeping.run(() => changeFolder(folder, { keep: !folder.keep }))}
            onDownload={() => setDownloading(folder)}
            onDelete={() =>
              void remove({
                kind: 'folder',
                ...folder,
                what: say('“{name}” and its {codes}', {
                  name: folder.name,
                  codes: count(folder.code_count, 'code', 'codes'),
                }),
              })
            }
          />
        )}
      />
      {downloading !== null && <PrintFolder folder={downloading} onClose={() => setDownloading(null)} />}
      {naming !== null && <Naming folder={naming} onClose={() => setNaming(null)} />}
    </Page>
  );
}
