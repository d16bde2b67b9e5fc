import { useState } from 'preact/hooks';
import { api, ask } from '../api/client.ts';
import { BASE, screen } from '../base.ts';
import { count } from '../ui/format.ts';
import { NameDialog } from '../ui/name-dialog.tsx';
import { Above, Page } from '../ui/page.tsx';
import { Empty, Failure } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { CodeBrowser } from './codes/browser.tsx';
import { useProof } from './verification/use-proof.tsx';

const Actions = ({
  id,
  mayVerify,
  onVerify,
  onRename,
}: {
  readonly id: string;
  readonly mayVerify: boolean;
  readonly onVerify: () => void;
  readonly onRename: () => void;
}) => (
  <>
    <button type="button" onClick={onRename}>
      Rename
    </button>
    <a class="button" href={screen(`/folders/${id}/labels`)}>
      Labels
    </a>
    <button type="button" onClick={onVerify} disabled={!mayVerify}>
      Verify all codes
    </button>
    <a class="button primary" href={`${BASE}api/v1/folders/${id}/archive`} download>
      Download ZIP
    </a>
  </>
);

const EMPTY = (
  <Empty title="This folder is empty.">
    <p>
      <a href={screen('/import')}>Import a table</a>, or <a href={screen('/design')}>design a code</a> and
      save it here.
    </p>
  </Empty>
);

/** Shows the codes of one folder. */
export default function Folder({ id = '' }: { readonly id?: string; readonly path: string }) {
  const [isNaming, setNaming] = useState(false);
  const path = { id };
  const folder = useLoad(
    (signal) => ask(api.GET('/api/v1/folders/{id}', { params: { path }, signal })),
    [id],
  );
  const { verify, proof, isBusy } = useProof(id);
  const hasCodes = folder.data !== null && folder.data.code_count > 0;
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
      above={<Above path="/folders" name="Folders" />}
      beside={
        folder.data && (
          <span class="muted">
            {count(folder.data.code_count, 'code')}
            {folder.data.keep && ' · kept for ever'}
          </span>
        )
      }
      actions={
        <Actions id={id} mayVerify={hasCodes && !isBusy} onVerify={verify} onRename={() => setNaming(true)} />
      }
    >
      {hasCodes && proof}
      <CodeBrowser
        key={id}
        folderId={id}
        firstSort="oldest"
        searchLabel="Search in this folder"
        onChanged={folder.reload}
        empty={EMPTY}
      />
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
