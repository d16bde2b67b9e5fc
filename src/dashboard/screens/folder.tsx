import { useState } from 'preact/hooks';
import { toScreenPath } from '../api/client.ts';
import { useGet } from '../api/query.ts';
import { Button, ButtonLink, Primary, PrimaryLink } from '../ui/buttons.tsx';
import { count } from '../ui/format.ts';
import { Above, Dots, Page } from '../ui/page.tsx';
import { Empty, Failure } from '../ui/states.tsx';
import { say } from '../words/say.ts';
import { changeFolder, RenameFolder } from './codes/edit.tsx';
import { CodeBrowser } from './codes/list/browser.tsx';
import { useProof } from './codes/verify-dialog.tsx';
import { DomainChoice } from './links/domains/domain-choice.tsx';
import { PrintFolder } from './print/codes.tsx';

const EMPTY = (
  <Empty
    title={say('This folder is empty.')}
    icon="folder"
    actions={
      <>
        <PrimaryLink href={toScreenPath('/design')}>{say('Design a code')}</PrimaryLink>
        <ButtonLink href={toScreenPath('/table')}>{say('Send a table')}</ButtonLink>
      </>
    }
  >
    <p>{say('What is saved under its name is here.')}</p>
  </Empty>
);

export default function Folder({ id = '' }: { readonly id?: string; readonly path: string }) {
  const [isNaming, setNaming] = useState(false);
  const [isDownloading, setDownloading] = useState(false);
  const path = { id };
  const { data: folder, error, refetch } = useGet('/api/v1/folders/{id}', { path });
  const { verify, proof, isBusy } = useProof(id);
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
      beside={
        folder && (
          <>
            <Dots facts={[count(folder.code_count, 'code', 'codes'), folder.keep && say('kept for ever')]} />
            <a href={toScreenPath(`/scans?folder=${id}`)}>{say('Scans')}</a>
          </>
        )
      }
      actions={
        <>
          <Button onClick={() => setNaming(true)}>{say('Rename')}</Button>
          {folder && (
            <DomainChoice
              what={say('this folder')}
              domain={folder.domain}
              save={(domain) => changeFolder(folder, { domain })}
            />
          )}
          <ButtonLink href={toScreenPath(`/folders/${id}/labels`)}>{say('Labels')}</ButtonLink>
          <Button onClick={verify} disabled={!hasCodes || isBusy}>
            {say('Verify all codes')}
          </Button>
          <Primary onClick={() => setDownloading(true)} disabled={!hasCodes}>
            {say('Download ZIP …')}
          </Primary>
        </>
      }
    >
      {hasCodes && proof}
      <CodeBrowser
        key={id}
        folderId={id}
        firstSort="oldest"
        searchLabel={say('Search in this folder')}
        empty={EMPTY}
      />
      {isDownloading && folder && <PrintFolder folder={folder} onClose={() => setDownloading(false)} />}
      {isNaming && folder && <RenameFolder folder={folder} onClose={() => setNaming(false)} />}
    </Page>
  );
}
