/** Codes as tiles or lines, with search, order, selection and their actions: of all folders or of one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { refresh, usePages } from '../../api/query.ts';
import type { Code, Folder } from '../../api/shapes.ts';
import { toScreenPath } from '../../base.ts';
import { useCopy } from '../../ui/copy-button.tsx';
import { count } from '../../ui/format.ts';
import { NameDialog } from '../../ui/forms/form.tsx';
import { More } from '../../ui/lists/paged-table.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useDeletion } from '../folders/use-deletion.tsx';
import { EditMany } from '../links/edit-many.tsx';
import { VerifyDialog } from '../verification/verify-dialog.tsx';
import { type CodeActions, Items } from './items.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { labelOf, renameCode, shortUrl } from './names.ts';
import { SelectionBar } from './selection-bar.tsx';
import { tagsOf } from './tag-filter.tsx';
import { type Sort, Toolbar, useSelection, useView } from './toolbar.tsx';

const PAGE = 36;

const whatOf = (codes: readonly Code[]): string =>
  codes.length === 1 && codes[0] ? `“${labelOf(codes[0])}”` : count(codes.length, 'code');

/** A question to a person about codes of the list, and those codes. */
interface Asked {
  readonly about: 'name' | 'folder' | 'proof' | 'links';
  readonly codes: readonly Code[];
}

interface QuestionProps {
  readonly asked: Asked;
  readonly onMoved: () => void;
  readonly onClose: () => void;
}

/** Asks for a name or a folder, whether to read the codes, or where their links lead. */
const Question = ({ asked: { about, codes }, onMoved, onClose }: QuestionProps) => {
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
  if (about === 'links')
    return <EditMany slugs={codes.flatMap(({ slug }) => slug ?? [])} onClose={onClose} />;
  return (
    code && (
      <NameDialog
        title="Rename the code"
        name={code.name ?? ''}
        action="Rename"
        mayBeEmpty
        save={(name) => renameCode(code, name)}
        onClose={onClose}
      />
    )
  );
};

interface CodeBrowserProps {
  readonly folderId?: string;
  readonly firstSort: Sort;
  /** The tag by which the list is filtered at first; absent: none. */
  readonly firstTag?: string;
  readonly searchLabel: string;
  /** Shown when there are no codes at all. */
  readonly empty: ComponentChildren;
}

/** Shows codes. @param folderId Absent: of all folders. */
export const CodeBrowser = ({ folderId, firstSort, firstTag = '', searchLabel, empty }: CodeBrowserProps) => {
  const [search, setSearch] = useState('');
  const [tag, setTag] = useState(firstTag);
  const [sort, setSort] = useState(firstSort);
  const [view, setView] = useView();
  const [asked, ask] = useState<Asked | null>(null);
  const copy = useCopy();
  const pages = usePages('/api/v1/codes', {
    query: {
      ...{ limit: PAGE, sort },
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
  const actions: CodeActions = {
    ask: (about, chosen) => ask({ about, codes: chosen }),
    remove: (chosen) => void remove({ kind: 'codes', ids: chosen.map(({ id }) => id), what: whatOf(chosen) }),
    filterBy: setTag,
    copyLink: (slug) => copy(shortUrl(slug)),
  };
  const close = (): void => {
    if (asked?.about === 'links') clear();
    ask(null);
  };
  const chosen = codes.filter(({ id }) => selection.has(id));
  return (
    <>
      <Toolbar
        {...{ searchLabel, tag, sort, view, selection }}
        tags={tagsOf(codes)}
        shown={codes.length}
        onSearch={setSearch}
        onTag={setTag}
        onSort={setSort}
        onView={setView}
      />
      {question}
      <Loaded load={pages} what="codes">
        {() => {
          if (codes.length > 0) return <Items {...{ codes, view, selection, actions }} />;
          if (search !== '') return <Empty title={`No code has “${search}” in its name or its text.`} />;
          return tag === '' ? empty : <Empty title={`No code has the tag “${tag}”.`} />;
        }}
      </Loaded>
      <More pages={pages} />
      {chosen.length > 0 && <SelectionBar {...{ chosen, actions }} onClear={clear} />}
      {asked && <Question asked={asked} onMoved={clear} onClose={close} />}
    </>
  );
};
