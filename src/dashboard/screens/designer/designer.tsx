import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask, BASE } from '../../api/client.ts';
import { ONCE, useRead } from '../../api/query.ts';
import type { CodeWithDesign } from '../../api/shapes.ts';
import { CopyButton, linkTo } from '../../ui/buttons.tsx';
import { DraftNote } from '../../ui/form.tsx';
import { useDraft } from '../../ui/kept/drafts.ts';
import { Above, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { say, sayWith } from '../../words/say.ts';
import { DESIGNED_FOLDER, labelOf } from '../codes/thumbnail.tsx';
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
      <CopyButton text={copied} label={say('Copy {title}', { title })} />
    </div>
    <pre class="listing">{shown}</pre>
  </>
);

/** Shows the JSON and the curl command with which a program makes the same code. */
const RequestPane = ({ draft, folderName }: { readonly draft: Draft; readonly folderName: string }) => {
  const { path, json, shown } = asCode(draft, folderName);
  return (
    <details class="card section">
      <summary>{say('For developers: JSON and curl')}</summary>
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
  /** Where it is saved unless a person names another folder. */
  readonly folderName: string;
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

/** What the address of the designer says. */
interface Asked {
  /** The id of a saved code that is edited, or of one that is copied. */
  readonly edit?: string | undefined;
  readonly from?: string | undefined;
  /** A Digital Link that the code contains. */
  readonly gs1?: string | undefined;
  /** The name of the folder in which the code is saved. */
  readonly folder?: string | undefined;
}

/** Loads it. @throws {Fault} */
const loadBeginning = async ({ edit, from, gs1, folder }: Asked, signal: AbortSignal): Promise<Beginning> => {
  const id = edit ?? from;
  const folderName = folder ?? DESIGNED_FOLDER;
  if (id !== undefined) {
    const code = await codeOf(id, signal);
    const edited = edit === undefined ? null : code;
    return { id: `${edit} ${from}`, draft: draftOf(code, edited !== null), edited, folderName };
  }
  const preset = (await loadPresets()).find(({ is_default }) => is_default);
  const data = gs1 ?? EXAMPLE;
  const look = preset === undefined ? { data, ...SIZE } : await designOf(preset.id, data, signal);
  const request = gs1 === undefined ? look : withField(look, 'qrOptions.gs1', 'digital-link');
  return {
    id: folder === undefined ? `new ${gs1}` : `new ${gs1} in ${folder}`,
    draft: { request, dynamic: false },
    edited: null,
    folderName,
    presetId: preset?.id,
  };
};

/** Has the length of every short link, so that the preview has as many modules as the finished code. */
const SHORT_LINK = `${location.origin}${BASE}l/Preview0`;

/** Says what a saved code contains, which cannot change. */
const LockedContent = ({ id, content }: { readonly id: string; readonly content: string }) => (
  <section class="stack tight" aria-labelledby="content-title">
    <h2 id="content-title">{say('Content')}</h2>
    <p class="wrap">{content}</p>
    <p class="muted small">
      {sayWith(
        'It cannot be changed, because the code may be printed. <link>Duplicate the code</link> for other content.',
        { link: linkTo(`/design?from=${id}`) },
      )}
    </p>
  </section>
);

/** What a person enters: the draft, where it is saved, and the forms of its content as they were filled. */
interface Entered extends Draft, Place {
  readonly typed: Typed | null;
}

interface LooksProps {
  readonly request: Draft['request'];
  readonly presetId: string | undefined;
  readonly onChoose: (chosen: Draft['request']) => void;
}

const Looks = ({ request, presetId, onChoose }: LooksProps) => (
  <section class="stack tight" aria-label={say('Looks and presets')}>
    <LookList request={request} onChoose={onChoose} />
    <PresetList request={request} begunWith={presetId} onChoose={onChoose} />
  </section>
);

/** Designs a code: its content and options on one side; its picture, and what is done with it, on the other. */
const Studio = ({ beginning }: { readonly beginning: Beginning }) => {
  const { edited } = beginning;
  const [entered, change, kept] = useDraft<Entered>(
    `design ${beginning.id}`,
    { ...beginning.draft, folderName: beginning.folderName, name: '', typed: null },
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
  const drawn = dynamic && request.data !== '' ? { ...request, data: link } : request;
  const preview = usePreview(drawn);

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
          <Looks request={request} presetId={beginning.presetId} onChoose={choose} />
          <Options />
          <RequestPane draft={draft} folderName={place.folderName} />
        </div>
        <Panel
          draft={draft}
          drawn={drawn}
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
 * Designs a code. With `edit=<id>` a saved code gets another design; with `from=<id>` a new code begins as its copy, with
 * `gs1=<URI>` it contains a Digital Link, and with `folder=<name>` it is saved there.
 */
export default function Designer(_: { readonly path: string }) {
  const { edit, from, gs1, folder } = useLocation().query;
  const beginning = useRead(
    ['beginning', edit, from, gs1, folder],
    (signal) => loadBeginning({ edit, from, gs1, folder }, signal),
    ONCE,
  );
  const edited = beginning.data?.edited;
  return (
    <Page
      title={edit === undefined ? say('Designer') : say('Edit design')}
      above={
        edit !== undefined && <Above path={`/codes/${edit}`} name={edited ? labelOf(edited) : say('Code')} />
      }
    >
      <Loaded load={beginning} what={say('the designer')}>
        {(loaded) => <Studio key={loaded.id} beginning={loaded} />}
      </Loaded>
    </Page>
  );
}
