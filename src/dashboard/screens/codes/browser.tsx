/** Codes as tiles or lines, with search, order, selection and their actions: of all folders or of one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask } from '../../api/client.ts';
import type { Code, Folder } from '../../api/shapes.ts';
import { screen } from '../../base.ts';
import { count } from '../../ui/format.ts';
import { More } from '../../ui/lists/more.tsx';
import { usePages } from '../../ui/lists/paged.ts';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useDeletion } from '../folders/use-deletion.tsx';
import { EditMany } from '../links/edit-many.tsx';
import { VerifyDialog } from '../verification/verify-dialog.tsx';
import type { CodeActions } from './actions.ts';
import { Items } from './items.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { labelOf, shortUrl } from './names.ts';
import { useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { type Sort, Toolbar } from './toolbar.tsx';
import { useView } from './view.ts';

const PAGE = 36;

const usePagesOfCodes = (folderId: string | undefined, search: string, sort: Sort) =>
  usePages(
    (cursor, signal) =>
      ask(
        api.GET('/api/v1/codes', {
          params: {
            query: {
              ...{ limit: PAGE, sort },
              ...(search && { search }),
              ...(folderId && { folder_id: folderId }),
              ...(cursor && { cursor }),
            },
          },
          signal: signal ?? null,
        }),
      ),
    [folderId, search, sort],
  );

const whatOf = (codes: readonly Code[]): string =>
  codes.length === 1 && codes[0] ? `“${labelOf(codes[0])}”` : count(codes.length, 'code');

/**
 * What a person is asked about codes of the list: a name, a folder, whether to read them, or where their links lead.
 */
const useQuestions = (onRenamed: (code: Code) => void, onChanged: () => void) => {
  const { route } = useLocation();
  const toast = useToast();
  const [naming, setNaming] = useState<Code | null>(null);
  const [moving, setMoving] = useState<readonly string[] | null>(null);
  const [verifying, setVerifying] = useState<readonly string[] | null>(null);
  const [slugs, setSlugs] = useState<readonly string[] | null>(null);
  const rename = async (code: Code, text: string): Promise<void> => {
    const name = text.trim() === '' ? null : text;
    const path = { id: code.id };
    onRenamed(await ask(api.PATCH('/api/v1/codes/{id}', { params: { path }, body: { name } })));
  };
  const moved = (ids: readonly string[], { id, name }: Pick<Folder, 'id' | 'name'>): void => {
    setMoving(null);
    const open = () => route(screen(`/folders/${id}`));
    toast({
      text: `${count(ids.length, 'code')} moved to “${name}”.`,
      action: { label: 'Open folder', run: open },
    });
    onChanged();
  };
  const questions = (
    <>
      {naming && (
        <NameDialog
          title="Rename the code"
          name={naming.name ?? ''}
          action="Rename"
          mayBeEmpty
          save={(name) => rename(naming, name)}
          onClose={() => setNaming(null)}
        />
      )}
      {moving && (
        <MoveDialog
          ids={moving}
          onClose={() => setMoving(null)}
          onMoved={(folder) => moved(moving, folder)}
        />
      )}
      {verifying && <VerifyDialog ids={verifying} onClose={() => setVerifying(null)} />}
      {slugs && (
        <EditMany
          slugs={slugs}
          onDone={() => {
            setSlugs(null);
            onChanged();
          }}
        />
      )}
    </>
  );
  return { questions, askName: setNaming, askFolder: setMoving, askLinks: setSlugs, verify: setVerifying };
};

/** Returns a function that copies a short link and says whether that worked. */
const useCopyLink = () => {
  const toast = useToast();
  return (slug: string): void => {
    const url = shortUrl(slug);
    const copied = () => toast({ text: 'Copied.' });
    const refused = () => toast({ text: `The browser refused to copy. Select the text and copy it: ${url}` });
    // Browsers offer no clipboard over plain HTTP, except on localhost.
    if (navigator.clipboard === undefined) refused();
    else navigator.clipboard.writeText(url).then(copied, refused);
  };
};

/**
 * Shows codes.
 *
 * @param folderId Absent: of all folders.
 * @param onChanged Called when codes were moved, deleted or restored.
 */
export const CodeBrowser = ({
  folderId,
  firstSort,
  searchLabel,
  empty,
  onChanged,
}: {
  readonly folderId?: string;
  readonly firstSort: Sort;
  readonly searchLabel: string;
  /** Shown when there are no codes at all. */
  readonly empty: ComponentChildren;
  readonly onChanged?: () => void;
}) => {
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState(firstSort);
  const [view, setView] = useView();
  const [renamed, setRenamed] = useState<ReadonlyMap<string, Code>>(new Map());
  const pages = usePagesOfCodes(folderId, search, sort);
  const codes = pages.items.map((code) => renamed.get(code.id) ?? code);
  const selection = useSelection(codes.map(({ id }) => id));
  const reload = (): void => {
    selection.chooseAll(false);
    pages.reload();
    onChanged?.();
  };
  const { remove, question } = useDeletion(reload);
  const { questions, askName, askFolder, askLinks, verify } = useQuestions(
    (code) => setRenamed((before) => new Map(before).set(code.id, code)),
    reload,
  );
  const actions: CodeActions = {
    rename: askName,
    move: (chosen) => askFolder(chosen.map(({ id }) => id)),
    verify: (chosen) => verify(chosen.map(({ id }) => id)),
    remove: (chosen) => void remove({ kind: 'codes', ids: chosen.map(({ id }) => id), what: whatOf(chosen) }),
    editLinks: (chosen) => askLinks(chosen.flatMap(({ slug }) => slug ?? [])),
    copyLink: useCopyLink(),
  };
  const chosen = codes.filter(({ id }) => selection.has(id));
  return (
    <>
      <Toolbar
        {...{ searchLabel, sort, view, selection }}
        shown={codes.length}
        onSearch={setSearch}
        onSort={setSort}
        onView={setView}
      />
      {question}
      <Loaded load={pages.first} what="codes">
        {() => {
          if (codes.length > 0 || pages.hasMore) return <Items {...{ codes, view, selection, actions }} />;
          return search === '' ? empty : <Empty title={`No code has “${search}” in its name or its text.`} />;
        }}
      </Loaded>
      <More pages={pages} />
      {chosen.length > 0 && (
        <SelectionBar {...{ chosen, actions }} onClear={() => selection.chooseAll(false)} />
      )}
      {questions}
    </>
  );
};
