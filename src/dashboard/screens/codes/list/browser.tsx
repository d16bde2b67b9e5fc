/** Codes as tiles or lines, with search, order, selection and their actions: of all folders or of one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { refresh, useGet } from '../../../api/query.ts';
import type { Code, Counted } from '../../../api/shapes.ts';
import { Button, useCopy } from '../../../ui/buttons.tsx';
import { count } from '../../../ui/format.ts';
import { useSteady } from '../../../ui/hooks.ts';
import { useAddressed } from '../../../ui/kept/address.ts';
import { useLongList } from '../../../ui/long-list.tsx';
import { useSelection } from '../../../ui/rows/selection.tsx';
import { tagsOf } from '../../../ui/rows/tags.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { say } from '../../../words/say.ts';
import { EditMany } from '../../links/edit-many.tsx';
import { PrintCodes } from '../../print/codes.tsx';
import { RenameCode, useDeletion } from '../edit.tsx';
import { MoveCodes } from '../move.tsx';
import { TagsDialog } from '../tags.tsx';
import { labelOf } from '../thumbnail.tsx';
import { VerifyDialog } from '../verify-dialog.tsx';
import { ColumnsDialog, useColumns } from './columns.tsx';
import { countFilters, KNOWN_FILTERS, NO_FILTERS, toQuery } from './filters.tsx';
import type { CodeActions } from './parts.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { CodeTable, type ListOfCodes } from './table.tsx';
import { Tiles } from './tiles.tsx';
import { type Choice, preferredView, preferView, SORTS, type Sort, Toolbar, VIEWS } from './toolbar.tsx';

const whatOf = (codes: readonly Code[]): string =>
  codes.length === 1 && codes[0] ? `“${labelOf(codes[0])}”` : count(codes.length, 'code', 'codes');

/** A question to a person about codes of the list, and those codes. */
interface Prompt {
  readonly about: Parameters<CodeActions['ask']>[0];
  readonly codes: readonly Code[];
}

interface QuestionProps {
  readonly prompt: Prompt;
  /** Called when the codes were changed together. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks for a name, tags or a folder, whether to read the codes, where their links lead, or for files. */
const Question = ({ prompt: { about, codes }, onDone, onClose }: QuestionProps) => {
  const [code] = codes;
  const ids = codes.map(({ id }) => id);
  if (about === 'folder') return <MoveCodes ids={ids} onMoved={onDone} onClose={onClose} />;
  if (about === 'tags')
    return (
      <TagsDialog rows={codes} what={(n) => count(n, 'code', 'codes')} onTagged={onDone} onClose={onClose} />
    );
  if (about === 'proof') return <VerifyDialog ids={ids} onClose={onClose} />;
  if (about === 'files') return <PrintCodes codes={codes} onClose={onClose} />;
  if (about === 'links') {
    const links = codes.flatMap(({ slug, domain }) => (slug === null ? [] : { slug, domain }));
    return <EditMany links={links} onClose={onClose} />;
  }
  return code && <RenameCode code={code} onClose={onClose} />;
};

/** Rows of tiles are whole when there are 2, 3, 4 or 6 in a row. */
const PAGE = 24;

interface CodeBrowserProps {
  readonly folderId?: string;
  readonly firstSort: Sort;
  readonly searchLabel: string;
  /** Shown when there are no codes at all. */
  readonly empty: ComponentChildren;
}

/** Returns how many codes the list has; `null`: not known yet. They are counted when not all are loaded. */
const useTotal = ({ loaded, isWhole, first }: ListOfCodes, filters: object): Counted | null => {
  const isCounted = first.data !== undefined && !isWhole;
  const counted = useGet('/api/v1/codes/count', { query: filters }, { enabled: isCounted });
  if (isWhole) return { count: loaded, is_exact: true };
  return counted.isPlaceholderData ? null : (counted.data ?? null);
};

const totalOf = (counted: Counted | null): string => {
  if (counted === null) return '';
  const codes = count(counted.count, 'code', 'codes');
  return counted.is_exact ? codes : say('At least {codes}', { codes });
};

/** Shows codes. @param folderId Absent: of all folders. */
export const CodeBrowser = ({ folderId, firstSort, searchLabel, empty }: CodeBrowserProps) => {
  const [firstView] = useState(preferredView);
  const [choice, choose] = useAddressed(
    { search: '', tag: '', sort: firstSort, view: firstView, ...NO_FILTERS },
    { sort: SORTS, view: VIEWS, ...KNOWN_FILTERS },
  );
  const { search, tag, sort, view } = choice;
  const [prompt, setPrompt] = useState<Prompt | null>(null);
  const [areColumnsAsked, askColumns] = useState(false);
  const columns = useColumns();
  const copy = useCopy();
  const filters = {
    ...(search && { search }),
    ...(tag && { tag }),
    ...toQuery(choice),
    ...(folderId && { folder_id: folderId }),
  };
  const list = useLongList('/api/v1/codes', { query: { limit: PAGE, sort, ...filters } });
  const total = useTotal(list, filters);
  const selection = useSelection(list.key, list.items, ({ id }) => id);
  const clear = (): void => selection.chooseAll(false);
  const { remove, question } = useDeletion(() => {
    clear();
    refresh();
  });
  const actions = useSteady<CodeActions>({
    ask: (about, chosen) => setPrompt({ about, codes: chosen }),
    remove: (chosen) => void remove({ kind: 'codes', ids: chosen.map(({ id }) => id), what: whatOf(chosen) }),
    filterBy: (by) => choose({ tag: by }),
    copyLink: copy,
  });
  const close = (): void => {
    if (prompt?.about === 'links') clear();
    setPrompt(null);
  };
  const chooseAndKeep = (changed: Partial<Choice>, how?: 'typed'): void => {
    if (changed.view !== undefined) preferView(changed.view);
    choose(changed, how);
  };
  const sortBy = (by: Sort): void => choose({ sort: by });
  const isFiltered = search !== '' || tag !== '' || countFilters(choice) > 0;
  const hasNone = list.isWhole && list.loaded === 0;
  return (
    <>
      {(isFiltered || !hasNone) && (
        <Toolbar
          searchLabel={searchLabel}
          choice={choice}
          isOfFolder={folderId !== undefined}
          tags={tagsOf(list.first.data?.data ?? [])}
          selection={selection}
          loaded={list.loaded}
          total={totalOf(total)}
          onChoose={chooseAndKeep}
          onColumns={() => askColumns(true)}
        />
      )}
      {question}
      <Loaded load={list.first} what={say('codes')}>
        {() => {
          if (hasNone)
            return isFiltered ? (
              <Empty title={say('No code has all of that.')}>
                <Button onClick={() => choose({ search: '', tag: '', ...NO_FILTERS })}>
                  {say('Clear search and filters')}
                </Button>
              </Empty>
            ) : (
              empty
            );
          return view === 'tiles' ? (
            <Tiles list={list} selection={selection} actions={actions} />
          ) : (
            <CodeTable
              list={list}
              columns={columns.columns}
              total={total?.is_exact ? total.count : null}
              sort={sort}
              onSort={sortBy}
              selection={selection}
              actions={actions}
            />
          );
        }}
      </Loaded>
      {selection.rows.length > 0 && (
        <SelectionBar chosen={selection.rows} actions={actions} onClear={clear} />
      )}
      {prompt && <Question prompt={prompt} onDone={clear} onClose={close} />}
      {areColumnsAsked && <ColumnsDialog {...columns} onClose={() => askColumns(false)} />}
    </>
  );
};
