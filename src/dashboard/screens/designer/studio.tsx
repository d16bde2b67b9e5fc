import { useState } from 'preact/hooks';
import { BASE, screen } from '../../base.ts';
import { DESIGNED_FOLDER, shortUrl } from '../codes/names.ts';
import type { Beginning } from './beginning.ts';
import { ContentCard } from './content/content-card.tsx';
import { DesignContext } from './context.ts';
import { change, type Draft, type FieldFault, toFieldFault } from './draft.ts';
import { LookList } from './look-list.tsx';
import { Panel } from './make/panel.tsx';
import { RequestPane } from './make/request-pane.tsx';
import { useCode } from './make/use-code.ts';
import { Options } from './options.tsx';
import { presetsOf } from './presets/calls.ts';
import { PresetList } from './presets/preset-list.tsx';
import { usePreview } from './use-preview.ts';

/** Has the length of every short link, so that the preview has as many modules as the finished code. */
const SHORT_LINK = `${location.origin}${BASE}l/Preview0`;

/** Says what a saved code contains, which stays. */
const LockedContent = ({ id, content }: { readonly id: string; readonly content: string }) => (
  <section class="content" aria-labelledby="content-title">
    <h2 id="content-title">Content</h2>
    <p class="wrap">{content}</p>
    <p class="muted small">
      It stays, because the code may be printed. <a href={screen(`/design?from=${id}`)}>Duplicate the code</a>{' '}
      for another content.
    </p>
  </section>
);

/** Designs a code: its content and options on one side; its picture, and what is done with it, on the other. */
export const Studio = ({ beginning }: { readonly beginning: Beginning }) => {
  const { edited } = beginning;
  const [draft, setDraft] = useState<Draft>(beginning.draft);
  const [place, setPlace] = useState({ folderName: DESIGNED_FOLDER, name: '' });
  const [refusal, setRefusal] = useState<FieldFault | null>(null);
  const [presets, setPresets] = useState(beginning.presets);
  const { request, dynamic } = draft;
  const opened = edited && { id: edited.id, folderId: edited.folder_id, slug: edited.slug };
  const code = useCode(draft, opened, setRefusal);
  const slug = code.canUpdate ? code.kept?.slug : null;
  const link = slug ? shortUrl(slug) : SHORT_LINK;
  const preview = usePreview(dynamic && request.data !== '' ? { ...request, data: link } : request);

  const edit = (next: Partial<Draft>) => {
    setRefusal(null);
    setDraft((before) => ({ ...before, ...next }));
  };
  const design = {
    request,
    fault: refusal ?? toFieldFault(preview.fault?.details ?? ''),
    set: (path: string, value: unknown) => {
      setRefusal(null);
      setDraft((before) => ({ ...before, request: change(before.request, path, value) }));
    },
  };
  const choose = (chosen: Draft['request']) => edit({ request: chosen });

  return (
    <DesignContext.Provider value={design}>
      <div class="studio">
        <div class="studio-form card">
          {edited === null ? (
            <ContentCard dynamic={dynamic} onDynamic={(on) => edit({ dynamic: on })} />
          ) : (
            <LockedContent id={edited.id} content={edited.content} />
          )}
          <section class="look-section" aria-label="Looks and presets">
            <LookList request={request} onChoose={choose} />
            <PresetList
              presets={presets}
              request={request}
              onChoose={choose}
              onChanged={async () => setPresets(await presetsOf())}
            />
          </section>
          <Options />
          <RequestPane draft={draft} folderName={place.folderName} />
        </div>
        <Panel
          draft={draft}
          preview={preview}
          code={code}
          place={place}
          isEdit={edited !== null}
          onPlace={setPlace}
          onRequest={choose}
        />
      </div>
    </DesignContext.Provider>
  );
};
