import { useId, useRef, useState } from 'preact/hooks';
import type { Code } from '../../api/shapes.ts';
import { Select, useFollowing } from '../../ui/fields.tsx';
import { count } from '../../ui/format.ts';
import { keep, readKept } from '../../ui/kept/stored.ts';
import { Search } from '../../ui/lists.tsx';

interface TagFilterProps {
  /** The tag of the list; '': all codes are listed. */
  readonly tag: string;
  /** Tags to choose from. Any other takes effect when it is entered. */
  readonly known: readonly string[];
  readonly onTag: (tag: string) => void;
}

/** Returns the tags of codes, each once, from A to Z. */
export const tagsOf = (codes: readonly Code[]): readonly string[] =>
  [...new Set(codes.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b));

/** Takes the tag by which a list of codes is filtered. */
const TagFilter = ({ tag, known, onTag }: TagFilterProps) => {
  const id = useId();
  const [text, setText] = useFollowing(tag);
  const type = (typed: string): void => {
    setText(typed);
    if (typed === '' || known.includes(typed)) onTag(typed);
  };
  return (
    <label class="search tag-filter">
      <span class="hidden">Tag</span>
      <input
        type="search"
        placeholder="Tag"
        list={id}
        value={text}
        maxLength={64}
        onInput={(event) => type(event.currentTarget.value)}
        onChange={() => onTag(text.trim())}
      />
      <datalist id={id}>
        {known.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </label>
  );
};

export interface Selection {
  /** In the order of the list. */
  readonly ids: readonly string[];
  has(id: string): boolean;
  /** @param isRange Whether all between the last code that was touched and this one are meant. */
  choose(id: string, isChosen: boolean, isRange: boolean): void;
  chooseAll(isChosen: boolean): void;
}

/** Remembers which of the listed codes are selected. A code that is no longer listed is no longer selected. */
export const useSelection = (listed: readonly string[]): Selection => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const touched = useRef<string | null>(null);
  const choose = (id: string, isChosen: boolean, isRange: boolean): void => {
    const to = listed.indexOf(id);
    const from = isRange && touched.current !== null ? listed.indexOf(touched.current) : to;
    const between = listed.slice(Math.min(from === -1 ? to : from, to), Math.max(from, to) + 1);
    touched.current = id;
    setChosen((before) => {
      const next = new Set(before);
      for (const each of between) isChosen ? next.add(each) : next.delete(each);
      return next;
    });
  };
  const ids = listed.filter((id) => chosen.has(id));
  return {
    ids,
    has: (id) => chosen.has(id),
    choose,
    chooseAll: (isChosen) => setChosen(new Set(isChosen ? listed : [])),
  };
};

export const SORTS = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['name', 'Name'],
  ['scans', 'Most scans'],
] as const;
export type Sort = (typeof SORTS)[number][0];

export type View = 'tiles' | 'list';

const KEY = 'tessera.codes.view';

/** The way in which this browser lists codes, unless the address says another. */
export const preferredView = (): View => (readKept(KEY) === 'list' ? 'list' : 'tiles');

export const preferView = (view: View): void => keep(KEY, view);

export const VIEWS = [
  ['tiles', 'Tiles', 'M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z'],
  ['list', 'List', 'M3 4h14v2.4H3zM3 8.8h14v2.4H3zM3 13.6h14V16H3z'],
] as const;

const ViewButtons = ({ view, onView }: { readonly view: View; readonly onView: (view: View) => void }) => (
  <fieldset class="view-choice">
    <legend class="hidden">View</legend>
    {VIEWS.map(([value, name, path]) => (
      <button
        key={value}
        type="button"
        class="icon"
        aria-label={name}
        title={name}
        aria-pressed={view === value}
        onClick={() => onView(value)}
      >
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" fill="currentColor">
          <path d={path} />
        </svg>
      </button>
    ))}
  </fieldset>
);

/** Stands above a list of codes: search, order, the way of listing, and a box that selects all that are shown. */
export const Toolbar = ({
  searchLabel,
  search,
  tag,
  tags,
  sort,
  view,
  selection,
  shown,
  onSearch,
  onTag,
  onSort,
  onView,
}: {
  readonly searchLabel: string;
  /** What the list is searched for; '': nothing. */
  readonly search: string;
  /** The tag of the list, and those to choose from. */
  readonly tag: string;
  readonly tags: readonly string[];
  readonly sort: Sort;
  readonly view: View;
  readonly selection: Selection;
  /** Codes that the page shows. */
  readonly shown: number;
  readonly onSearch: (text: string) => void;
  readonly onTag: (tag: string) => void;
  readonly onSort: (sort: Sort) => void;
  readonly onView: (view: View) => void;
}) => {
  const chosen = selection.ids.length;
  return (
    <div class="toolbar">
      <label class="check select-all">
        <input
          type="checkbox"
          disabled={shown === 0}
          checked={shown > 0 && chosen === shown}
          ref={(box) => {
            if (box) box.indeterminate = chosen > 0 && chosen < shown;
          }}
          onClick={(event) => selection.chooseAll(event.currentTarget.checked)}
        />
        Select all<span class="hidden"> {count(shown, 'code')} shown</span>
      </label>
      <Search label={searchLabel} searched={search} onSearch={onSearch} />
      <TagFilter tag={tag} known={tags} onTag={onTag} />
      <Select class="sort" aria-label="Sort by" value={sort} options={SORTS} onChoose={onSort} />
      <ViewButtons view={view} onView={onView} />
    </div>
  );
};
