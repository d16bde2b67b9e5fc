/** Codes as tiles or lines, with search, order, selection and their actions: of all folders or of one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, toScreenPath } from '../../api/client.ts';
import { change, refresh, usePages } from '../../api/query.ts';
import type { Code, Folder } from '../../api/shapes.ts';
import { Button, Primary, PrimaryLink, Quiet, useAction, useCopy, useToast } from '../../ui/buttons.tsx';
import { Dialog } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { useAddressed } from '../../ui/kept/address.ts';
import { More } from '../../ui/lists.tsx';
import { Page, Tabs } from '../../ui/page.tsx';
import { Empty, Failure, Loaded } from '../../ui/states.tsx';
import { EditMany } from '../links/edit-many.tsx';
import { PrintCodes } from '../print/codes.tsx';
import { RenameCode, useDeletion } from './edit.tsx';
import { useFolderChoice } from './folder-choice.tsx';
import { type CodeActions, Items, SelectionBar } from './items.tsx';
import { labelOf } from './thumbnail.tsx';
import {
  preferredView,
  preferView,
  SORTS,
  type Sort,
  Toolbar,
  tagsOf,
  useSelection,
  VIEWS,
} from './toolbar.tsx';
import { VerifyDialog } from './verify-dialog.tsx';

interface MoveDialogProps {
  readonly ids: readonly string[];
  readonly onMoved: (folder: Pick<Folder, 'id' | 'name'>) => void;
  readonly onClose: () => void;
}

/** Lets a person choose a folder, or make one, and moves codes there. */
const MoveDialog = ({ ids, onMoved, onClose }: MoveDialogProps) => {
  const { chosen, newName, choice } = useFolderChoice('Find or name a folder');
  const { run, busy, fault } = useAction();
  const move = (find: () => Promise<Folder>): void =>
    void run(async () => {
      const folder = await find();
      await change(api.POST('/api/v1/codes/move', { body: { ids: [...ids], folder_id: folder.id } }));
      onMoved(folder);
      onClose();
    });
  const make = (name: string) => change(api.POST('/api/v1/folders', { body: { name } }));

  return (
    <Dialog title={`Move ${count(ids.length, 'code')}`} onClose={onClose}>
      {choice}
      {fault && <Failure fault={fault} />}
      <div class="row">
        <Primary disabled={busy || chosen === null} onClick={() => chosen && move(async () => chosen)}>
          Move
        </Primary>
        {newName !== null && (
          <Button disabled={busy} onClick={() => move(() => make(newName))}>
            Move to a new folder “{newName}”
          </Button>
        )}
        <Quiet onClick={onClose}>Cancel</Quiet>
      </div>
    </Dialog>
  );
};

const PAGE = 36;

const whatOf = (codes: readonly Code[]): string =>
  codes.length === 1 && codes[0] ? `“${labelOf(codes[0])}”` : count(codes.length, 'code');

/** A question to a person about codes of the list, and those codes. */
interface Prompt {
  readonly about: Parameters<CodeActions['ask']>[0];
  readonly codes: readonly Code[];
}

interface QuestionProps {
  readonly prompt: Prompt;
  readonly onMoved: () => void;
  readonly onClose: () => void;
}

/** Asks for a name or a folder, whether to read the codes, where their links lead, or for files. */
const Question = ({ prompt: { about, codes }, onMoved, onClose }: QuestionProps) => {
  const { route } = useLocation();
  const toast = useToast();
  const [code] = codes;
  const ids = codes.map(({ id }) => id);
  const moved = ({ id, name }: Pick<Folder, 'id' | 'name'>): void => {
    onMoved();
    toast({
      text: `${count(ids.length, 'code')} moved to “${name}”.`,
      action: { label: 'Open folder', run: () => route(toScreenPath(`/folders/${id}`)) },
    });
  };
  if (about === 'folder') return <MoveDialog ids={ids} onMoved={moved} onClose={onClose} />;
  if (about === 'proof') return <VerifyDialog ids={ids} onClose={onClose} />;
  if (about === 'files') return <PrintCodes codes={codes} onClose={onClose} />;
  if (about === 'links') return <EditMany codes={codes} onClose={onClose} />;
  return code && <RenameCode code={code} onClose={onClose} />;
};

interface CodeBrowserProps {
  readonly folderId?: string;
  readonly firstSort: Sort;
  readonly searchLabel: string;
  /** Shown when there are no codes at all. */
  readonly empty: ComponentChildren;
}

/** Shows codes. @param folderId Absent: of all folders. */
export const CodeBrowser = ({ folderId, firstSort, searchLabel, empty }: CodeBrowserProps) => {
  const [firstView] = useState(preferredView);
  const [{ search, tag, sort, view }, choose] = useAddressed(
    { search: '', tag: '', sort: firstSort, view: firstView },
    { sort: SORTS, view: VIEWS },
  );
  const [prompt, setPrompt] = useState<Prompt | null>(null);
  const copy = useCopy();
  const pages = usePages('/api/v1/codes', {
    query: {
      limit: PAGE,
      sort,
      ...(search && { search }),
      ...(tag && { tag }),
      ...(folderId && { folder_id: folderId }),
    },
  });
  const codes = pages.items;
  const selection = useSelection(codes.map(({ id }) => id));
  const clear = (): void => selection.chooseAll(false);
  const { remove, question } = useDeletion(() => {
    clear();
    refresh();
  });
  const filterBy = (by: string) => choose({ tag: by });
  const actions: CodeActions = {
    ask: (about, chosen) => setPrompt({ about, codes: chosen }),
    remove: (chosen) => void remove({ kind: 'codes', ids: chosen.map(({ id }) => id), what: whatOf(chosen) }),
    filterBy,
    copyLink: copy,
  };
  const close = (): void => {
    if (prompt?.about === 'links') clear();
    setPrompt(null);
  };
  const chosen = codes.filter(({ id }) => selection.has(id));
  return (
    <>
      <Toolbar
        searchLabel={searchLabel}
        search={search}
        tag={tag}
        sort={sort}
        view={view}
        selection={selection}
        tags={tagsOf(codes)}
        shown={codes.length}
        onSearch={(text) => choose({ search: text }, 'typed')}
        onTag={filterBy}
        onSort={(order) => choose({ sort: order })}
        onView={(way) => {
          preferView(way);
          choose({ view: way });
        }}
      />
      {question}
      <Loaded load={pages} what="codes">
        {() => {
          if (codes.length > 0)
            return <Items codes={codes} view={view} selection={selection} actions={actions} />;
          if (search !== '') return <Empty title={`No code has “${search}” in its name or its text.`} />;
          return tag === '' ? empty : <Empty title={`No code has the tag “${tag}”.`} />;
        }}
      </Loaded>
      <More pages={pages} />
      {chosen.length > 0 && <SelectionBar chosen={chosen} actions={actions} onClear={clear} />}
      {prompt && <Question prompt={prompt} onMoved={clear} onClose={close} />}
    </>
  );
};

/** Shows all codes of the account, whatever their folder. */
export default function Codes(_: { readonly path: string }) {
  return (
    <Page title="Codes" actions={<PrimaryLink href={toScreenPath('/design')}>New code</PrimaryLink>}>
      <Tabs of="codes" />
      <CodeBrowser
        firstSort="newest"
        searchLabel="Search codes"
        empty={
          <Empty title="No codes yet.">
            <p>
              <a href={toScreenPath('/design')}>Design a code</a>, or{' '}
              <a href={toScreenPath('/table')}>import a table</a>.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}
