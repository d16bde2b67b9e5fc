import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask, BASE, toScreenPath } from '../../api/client.ts';
import { ONCE, useRead } from '../../api/query.ts';
import type { CodeWithDesign } from '../../api/shapes.ts';
import { CopyButton } from '../../ui/buttons.tsx';
import { DraftNote } from '../../ui/form.tsx';
import { useDraft } from '../../ui/kept/drafts.ts';
import { Above, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { DESIGNED_FOLDER } from '../codes/thumbnail.tsx';
import { asCode, toCurl } from '../snippets.ts';
import { ContentCard, type Typed, withoutSecrets } from './content/content-card.tsx';
import { type Draft, type FieldFault, toFieldFault, withField, withoutDefaults } from './draft.ts';
import { Panel } from './make/panel.tsx';
import { type Place, useCode } from './make/use-code.ts';
import { DesignContext } from './options/field.tsx';
import { Options } from './options/options.tsx';
import { designOf, loadPresets, PresetList } from './presets.tsx';
import { usePreview } from './preview.tsx';
import { LookList } from './thumbnail.tsx';

const SERVICE = `${location.origin}${BASE}api/v1/`;

interface ListingProps {
  readonly title: string;
  readonly copied: string;
  readonly shown: string;
}

const Listing = ({ title, copied, shown }: ListingProps) => (
  <>
    <div class="row listing-head">
      <h3>{title}</h3>
      <CopyButton text={copied} label={`Copy ${title}`} />
    </div>
    <pre class="listing">{shown}</pre>
  </>
);

/** Shows the JSON and the curl command with which a program makes the same code. */
const RequestPane = ({ draft, folderName }: { readonly draft: Draft; readonly folderName: string }) => {
  const { path, json, shown } = asCode(draft, folderName);
  return (
    <details class="card section">
      <summary>For developers: JSON and curl</summary>
      <Listing title="JSON" copied={json} shown={shown} />
      <Listing title="curl" copied={toCurl(SERVICE, path, json)} shown={toCurl(SERVICE, path, shown)} />
    </details>
  );
};

/** A draft, and the saved code that is edited, if any. */
interface Beginning {
  /** Differs for each saved code that is taken up. */
  readonly id: string;
  readonly draft: Draft;
  readonly edited: CodeWithDesign | null;
  /** Of the preset whose design it has. */
  readonly presetId?: string | undefined;
}

const EXAMPLE = 'https://example.com/';
const SIZE = { width: 600, height: 600 } as const;

const codeOf = (id: string, signal: AbortSignal): Promise<CodeWithDesign> =>
  ask(api.GET('/api/v1/codes/{id}', { params: { path: { id } }, signal }));

/** Returns the draft of a saved code: the same one to edit, or one like it with its present destination. */
const draftOf = (code: CodeWithDesign, isEdit: boolean): Draft => ({
  request: withoutDefaults({
    data: isEdit ? code.content : (code.destination ?? code.content),
    ...code.design,
  }),
  dynamic: code.dynamic,
});

/** Loads it. `edit` and `from` are ids of saved codes. @throws {Fault} */
const loadBeginning = async (
  { edit, from }: { readonly edit?: string | undefined; readonly from?: string | undefined },
  signal: AbortSignal,
): Promise<Beginning> => {
  const id = edit ?? from;
  if (id !== undefined) {
    const code = await codeOf(id, signal);
    const edited = edit === undefined ? null : code;
    return { id: `${edit} ${from}`, draft: draftOf(code, edited !== null), edited };
  }
  const preset = (await loadPresets()).find(({ is_default }) => is_default);
  const request =
    preset === undefined ? { data: EXAMPLE, ...SIZE } : await designOf(preset.id, EXAMPLE, signal);
  return { id: 'new', draft: { request, dynamic: false }, edited: null, presetId: preset?.id };
};

/** Has the length of every short link, so that the preview has as many modules as the finished code. */
const SHORT_LINK = `${location.origin}${BASE}l/Preview0`;

/** Says what a saved code contains, which cannot change. */
const LockedContent = ({ id, content }: { readonly id: string; readonly content: string }) => (
  <section class="stack tight" aria-labelledby="content-title">
    <h2 id="content-title">Content</h2>
    <p class="wrap">{content}</p>
    <p class="muted small">
      It cannot be changed, because the code may be printed.{' '}
      <a href={toScreenPath(`/design?from=${id}`)}>Duplicate the code</a> for other content.
    </p>
  </section>
);

/** What a person enters: the draft, where it is saved, and the forms of its content as they were filled. */
interface Entered extends Draft, Place {
  readonly typed: Typed | null;
}

/** Designs a code: its content and options on one side; its picture, and what is done with it, on the other. */
const Studio = ({ beginning }: { readonly beginning: Beginning }) => {
  const { edited } = beginning;
  const [entered, change, kept] = useDraft<Entered>(
    `design ${beginning.id}`,
    { ...beginning.draft, folderName: DESIGNED_FOLDER, name: '', typed: null },
    withoutSecrets,
  );
  const { request, dynamic } = entered;
  const draft = useMemo<Draft>(() => ({ request, dynamic }), [request, dynamic]);
  const place = { folderName: entered.folderName, name: entered.name };
  const [refusal, setRefusal] = useState<FieldFault | null>(null);
  const code = useCode(draft, edited, beginning.draft, setRefusal);
  useEffect(() => {
    if (code.isSaved) kept.sent();
  }, [code.isSaved]);
  const link = (code.canUpdate && code.kept?.shortUrl) || SHORT_LINK;
  const preview = usePreview(dynamic && request.data !== '' ? { ...request, data: link } : request);

  const edit = (next: Partial<Draft>) => {
    setRefusal(null);
    change(next);
  };
  const design = {
    request,
    fault: refusal ?? toFieldFault(preview.fault?.details ?? ''),
    set: (path: string, value: unknown) => {
      setRefusal(null);
      change((before) => ({ request: withField(before.request, path, value) }));
    },
  };
  const choose = (chosen: Draft['request']) => edit({ request: chosen });

  return (
    <DesignContext.Provider value={design}>
      <DraftNote draft={kept} />
      <div class="studio">
        <div class="studio-form card">
          {edited === null ? (
            <ContentCard
              dynamic={dynamic}
              typed={entered.typed}
              onDynamic={(on) => edit({ dynamic: on })}
              onTyped={(next) => change(({ typed }) => ({ typed: next(typed) }))}
            />
          ) : (
            <LockedContent id={edited.id} content={edited.content} />
          )}
          <section class="stack tight" aria-label="Looks and presets">
            <LookList request={request} onChoose={choose} />
            <PresetList request={request} begunWith={beginning.presetId} onChoose={choose} />
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
          onPlace={change}
          onRequest={choose}
        />
      </div>
    </DesignContext.Provider>
  );
};

/**
 * Designs a code. With `edit=<id>` a saved code gets another design; with `from=<id>` a new code begins as its copy.
 */
export default function Designer(_: { readonly path: string }) {
  const { edit, from } = useLocation().query;
  const beginning = useRead(
    ['beginning', edit, from],
    (signal) => loadBeginning({ edit, from }, signal),
    ONCE,
  );
  return (
    <Page
      title={edit === undefined ? 'Designer' : 'Edit design'}
      above={edit !== undefined && <Above path={`/codes/${edit}`} name="Code" />}
    >
      <Loaded load={beginning} what="the designer">
        {(loaded) => <Studio key={loaded.id} beginning={loaded} />}
      </Loaded>
    </Page>
  );
}
