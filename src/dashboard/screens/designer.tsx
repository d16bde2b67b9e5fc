import { useState } from 'preact/hooks';
import { BASE } from '../base.ts';
import { Page } from '../ui/page.tsx';
import { DesignContext } from './designer/context.ts';
import { change, type Draft, type FieldFault, toFieldFault } from './designer/draft.ts';
import { ContentField } from './designer/fields/content-field.tsx';
import { MakePane } from './designer/make/make-pane.tsx';
import { RequestPane } from './designer/make/request-pane.tsx';
import { Options } from './designer/options.tsx';
import { PresetList } from './designer/preset-list.tsx';
import { PreviewPane } from './designer/preview-pane.tsx';
import { usePreview } from './designer/use-preview.ts';

const BEGINNING: Draft = {
  request: { data: 'https://example.com/', width: 600, height: 600 },
  dynamic: false,
};
const FOLDER = 'Designed codes';
const PRINT_MM = 40;
/** Has the length of every short link, so that the preview has as many modules as the finished code. */
const SHORT_LINK = `${location.origin}${BASE}l/Preview0`;

/** Designs a code: options on one side; its picture, grade and the button that makes it on the other. */
export default function Designer(_: { readonly path: string }) {
  const [draft, setDraft] = useState(BEGINNING);
  const [folderName, setFolderName] = useState(FOLDER);
  const [printMm, setPrintMm] = useState(PRINT_MM);
  const [refusal, setRefusal] = useState<FieldFault | null>(null);
  const { request, dynamic } = draft;
  const shown = dynamic && request.data !== '' ? { ...request, data: SHORT_LINK } : request;
  const preview = usePreview(shown);
  const fault = refusal ?? toFieldFault(preview.fault?.details ?? '');

  const edit = (next: Partial<Draft>) => {
    setRefusal(null);
    setDraft((before) => ({ ...before, ...next }));
  };
  const design = {
    request,
    fault,
    set: (path: string, value: unknown) => {
      setRefusal(null);
      setDraft((before) => ({ ...before, request: change(before.request, path, value) }));
    },
  };

  return (
    <Page title="Designer">
      <DesignContext.Provider value={design}>
        <div class="designer">
          <div class="designer-form">
            <ContentField dynamic={dynamic} onDynamic={(on) => edit({ dynamic: on })} />
            <PresetList request={request} onChoose={(dressed) => edit({ request: dressed })} />
            <Options />
            <RequestPane draft={draft} folderName={folderName} />
          </div>
          <div class="designer-side">
            <PreviewPane
              request={request}
              preview={preview}
              printMm={printMm}
              onPrintMm={setPrintMm}
              onRepair={(repaired) => edit({ request: repaired })}
            />
            <MakePane
              draft={draft}
              folderName={folderName}
              onFolderName={setFolderName}
              onFault={(made) => setRefusal(made && toFieldFault(made.details))}
            />
          </div>
        </div>
      </DesignContext.Provider>
    </Page>
  );
}
