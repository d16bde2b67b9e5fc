import { count } from '../../ui/format.ts';
import { Search } from '../../ui/lists/search.tsx';
import type { Selection } from './selection.ts';
import type { View } from './view.ts';

const SORTS = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['name', 'Name'],
  ['scans', 'Most scans'],
] as const;
/** The order of a list of codes. */
export type Sort = (typeof SORTS)[number][0];

const VIEWS = [
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
  sort,
  view,
  selection,
  shown,
  onSearch,
  onSort,
  onView,
}: {
  readonly searchLabel: string;
  readonly sort: Sort;
  readonly view: View;
  readonly selection: Selection;
  /** Codes that the page shows. */
  readonly shown: number;
  readonly onSearch: (text: string) => void;
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
      <Search label={searchLabel} onSearch={onSearch} />
      <label class="sort">
        <span class="hidden">Sort by</span>
        <select value={sort} onChange={(event) => onSort(event.currentTarget.value as Sort)}>
          {SORTS.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ViewButtons view={view} onView={onView} />
    </div>
  );
};
