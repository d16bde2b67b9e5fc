/** Codes as tiles or lines, with search, order, selection and their actions: of all folders or of one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask } from '../../api/client.ts';
import type { Code } from '../../api/shapes.ts';
import { screen } from '../../base.ts';
import { count } from '../../ui/format.ts';
import { More } from '../../ui/lists/more.tsx';
import { usePages } from '../../ui/lists/paged.ts';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useDeletion } from '../folders/use-deletion.tsx';
import type { CodeActions } from './actions.ts';
import { Line, Tile } from './items.tsx';
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

/** @param folderId Absent: all folders. @param onChanged Called when codes were moved, deleted or restored. */
export const CodeBrowser = ({
  folderId,
  firstSort,
  searchLabel,
  empty,
  onChanged = () => {},
}: {
  readonly folderId?: string;
  readonly firstSort: Sort;
  readonly searchLabel: string;
  /** Shown when there are no codes at all. */
  readonly empty: ComponentChildren;
  readonly onChanged?: () => void;
}) => {
  const { route } = useLocation();
  const toast = useToast();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState(firstSort);
  const [view, setView] = useView();
  const [naming, setNaming] = useState<Code | null>(null);
  const [moving, setMoving] = useState<readonly string[] | null>(null);
  const [renamed, setRenamed] = useState<ReadonlyMap<string, Code>>(new Map());
  const pages = usePagesOfCodes(folderId, search, sort);
  const codes = pages.items.map((code) => renamed.get(code.id) ?? code);
  const selection = useSelection(codes.map(({ id }) => id));

  const reload = (): void => {
    pages.reload();
    onChanged();
  };
  const { remove, question } = useDeletion(reload);
  const actions: CodeActions = {
    rename: setNaming,
    move: (chosen) => setMoving(chosen.map(({ id }) => id)),
    remove: (chosen) => void remove({ kind: 'codes', ids: chosen.map(({ id }) => id), what: whatOf(chosen) }),
    copyLink: (slug) =>
      void navigator.clipboard.writeText(shortUrl(slug)).then(
        () => toast({ text: 'Copied.' }),
        () => toast({ text: `The browser refused to copy. Select the text and copy it: ${shortUrl(slug)}` }),
      ),
  };
  const rename = async (code: Code, text: string): Promise<void> => {
    const name = text.trim() === '' ? null : text;
    const path = { id: code.id };
    const next = await ask(api.PATCH('/api/v1/codes/{id}', { params: { path }, body: { name } }));
    setRenamed((before) => new Map(before).set(code.id, next));
  };

  const Item = view === 'tiles' ? Tile : Line;
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
        {() =>
          codes.length > 0 || pages.hasMore ? (
            <ul class={view === 'tiles' ? 'tiles' : 'lines card'}>
              {codes.map((code) => (
                <Item key={code.id} {...{ code, selection, actions }} />
              ))}
            </ul>
          ) : search === '' ? (
            empty
          ) : (
            <Empty title={`No code has “${search}” in its name or its text.`} />
          )
        }
      </Loaded>
      <More pages={pages} />
      {selection.ids.length > 0 && (
        <SelectionBar
          ids={selection.ids}
          onMove={() => setMoving(selection.ids)}
          onDelete={() => actions.remove(codes.filter(({ id }) => selection.has(id)))}
          onClear={() => selection.chooseAll(false)}
        />
      )}
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
          onMoved={({ id, name }) => {
            setMoving(null);
            selection.chooseAll(false);
            const open = () => route(screen(`/folders/${id}`));
            toast({
              text: `${count(moving.length, 'code')} moved to “${name}”.`,
              action: { label: 'Open folder', run: open },
            });
            reload();
          }}
        />
      )}
    </>
  );
};
