import { useLocation } from 'preact-iso';
import { toScreenPath } from '../api/client.ts';
import { useGet } from '../api/query.ts';
import type { Folder as FolderBody } from '../api/shapes.ts';
import { Button, ButtonLink, Primary, PrimaryLink, Quiet } from '../ui/buttons.tsx';
import { count } from '../ui/format.ts';
import { Menu } from '../ui/menu.tsx';
import { Above, Dots, Page } from '../ui/page.tsx';
import { Empty, Failure } from '../ui/states.tsx';
import { say } from '../words/say.ts';
import { changeFolder } from './codes/edit.tsx';
import { useFolderActions } from './codes/folder-actions.tsx';
import { CodeBrowser } from './codes/list/browser.tsx';
import { useProof } from './codes/verify-dialog.tsx';
import { DomainChoice } from './links/domains/domain-choice.tsx';

/** Returns what fills a folder: what is made there is saved under its name. */
const emptyOf = (name: string) => {
  const query = new URLSearchParams({ folder: name });
  return (
    <Empty
      title={say('This folder is empty.')}
      icon="folder"
      actions={
        <>
          <PrimaryLink href={toScreenPath(`/design?${query}`)}>{say('Design a code')}</PrimaryLink>
          <ButtonLink href={toScreenPath(`/table?${query}`)}>{say('New batch')}</ButtonLink>
        </>
      }
    >
      <p>{say('What is saved under its name is here.')}</p>
    </Empty>
  );
};

interface BesideProps {
  readonly folder: FolderBody;
  readonly actions: ReturnType<typeof useFolderActions>;
}

/** What is known of a folder, and what is seldom done with it. */
const Beside = ({ folder, actions }: BesideProps) => (
  <>
    <Dots facts={[count(folder.code_count, 'code', 'codes'), folder.keep && say('kept for ever')]} />
    <a href={toScreenPath(`/scans?folder=${folder.id}`)}>{say('Scans')}</a>
    <Quiet onClick={() => actions.rename(folder)}>{say('Rename')}</Quiet>
    <Menu
      label={say('Actions for {name}', { name: folder.name })}
      items={[actions.keep(folder), actions.deletion(folder)]}
    />
  </>
);

export default function Folder({ id = '' }: { readonly id?: string; readonly path: string }) {
  const { route } = useLocation();
  const path = { id };
  const { data: folder, error, refetch } = useGet('/api/v1/folders/{id}', { path });
  const { verify, proof, isBusy } = useProof(id);
  const actions = useFolderActions(() => route(toScreenPath('/folders')));
  const hasCodes = folder !== undefined && folder.code_count > 0;

  if (error !== null) {
    return (
      <Page title={say('Folder')}>
        <Failure fault={error} retry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={folder?.name ?? say('Folder')}
      above={<Above path="/folders" name={say('Folders')} />}
      beside={folder && <Beside folder={folder} actions={actions} />}
      actions={
        folder && (
          <>
            <DomainChoice
              what={say('this folder')}
              domain={folder.domain}
              save={(domain) => changeFolder(folder, { domain })}
            />
            <ButtonLink href={toScreenPath(`/folders/${id}/labels`)}>{say('Labels')}</ButtonLink>
            <Button onClick={verify} disabled={!hasCodes || isBusy}>
              {say('Verify all codes')}
            </Button>
            <Primary onClick={() => actions.download(folder)} disabled={!hasCodes}>
              {say('Download ZIP …')}
            </Primary>
          </>
        )
      }
    >
      {hasCodes && proof}
      <CodeBrowser
        key={id}
        folderId={id}
        firstSort="oldest"
        searchLabel={say('Search in this folder')}
        empty={folder && emptyOf(folder.name)}
      />
      {actions.dialogs}
    </Page>
  );
}
