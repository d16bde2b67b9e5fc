import { useState } from 'preact/hooks';
import { FOLDER_NAMES } from '../../../sheets/caption.ts';
import { pagesFor } from '../../../sheets/grid.ts';
import { resolveSheet } from '../../../sheets/sheet.ts';
import { api, ask } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { count } from '../../ui/format.ts';
import { Above, Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { DownloadPane } from './download-pane.tsx';
import { BEGINNING, type Draft, toRequest } from './draft.ts';
import { SheetForm } from './form.tsx';
import { Preview } from './preview.tsx';

/** Codes that the preview shows. */
const SHOWN = 100;

/** Makes sheets of labels of a folder: the form on one side, the first page and the download on the other. */
export default function Labels({ id = '' }: { readonly id?: string; readonly path: string }) {
  const [draft, setDraft] = useState(BEGINNING);
  const path = { id };
  const load = useRead(['labels', id], async (signal) => {
    const [folder, codes] = await Promise.all([
      ask(api.GET('/api/v1/folders/{id}', { params: { path }, signal })),
      ask(api.GET('/api/v1/folders/{id}/codes', { params: { path, query: { limit: SHOWN } }, signal })),
    ]);
    return { folder, codes: codes.data };
  });
  const request = toRequest(draft);
  const sheet = resolveSheet(request, FOLDER_NAMES);
  const form = {
    draft,
    fault: sheet.ok ? null : sheet.fault,
    change: (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next })),
  };

  return (
    <Page title="Labels" above={<Above path={`/folders/${id}`} name={load.data?.folder.name ?? 'Folder'} />}>
      <Loaded load={load} what="the folder">
        {({ folder, codes }) => {
          if (codes.length === 0) return <Empty title="This folder is empty." />;
          const labels = folder.code_count * (draft.copies ?? 1);
          const pages = sheet.ok ? pagesFor(sheet.value.grid, labels, sheet.value.startAt) : 0;
          return (
            <>
              <p class="muted">
                {count(folder.code_count, 'code')}
                {sheet.ok && ` on ${count(pages, 'page')}`}
              </p>
              <div class="labels">
                <SheetForm form={form} />
                <div class="labels-side">
                  <Card title="First page">
                    {sheet.ok ? (
                      <Preview sheet={sheet.value} codes={codes} codeCount={folder.code_count} />
                    ) : (
                      <p class="muted">Correct the form to see the page.</p>
                    )}
                  </Card>
                  <DownloadPane folder={folder} request={sheet.ok ? request : null} pages={pages} />
                </div>
              </div>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
