/** What stands above a list of codes. */
import type { Code } from '../../../api/shapes.ts';
import { Button } from '../../../ui/buttons.tsx';
import { count } from '../../../ui/format.ts';
import { keep, readKept } from '../../../ui/kept/stored.ts';
import type { Selection } from '../../../ui/rows/selection.tsx';
import { ListToolbar } from '../../../ui/rows/toolbar.tsx';
import { say } from '../../../words/say.ts';
import { countFilters, FilterFields, type Filters, NO_FILTERS } from './filters.tsx';

export const SORTS = [
  ['newest', say('Newest first')],
  ['oldest', say('Oldest first')],
  ['name', say('Name')],
  ['scans', say('Most scans')],
] as const;
export type Sort = (typeof SORTS)[number][0];

export type View = 'tiles' | 'list';

const KEY = 'tessera.codes.view';

/** The way in which this browser lists codes, unless the address says another. */
export const preferredView = (): View => (readKept(KEY) === 'tiles' ? 'tiles' : 'list');

export const preferView = (view: View): void => keep(KEY, view);

export const VIEWS = [
  ['list', say('List'), 'M3 4h14v2.4H3zM3 8.8h14v2.4H3zM3 13.6h14V16H3z'],
  ['tiles', say('Tiles'), 'M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z'],
] as const;

const ViewButtons = ({ view, onView }: { readonly view: View; readonly onView: (view: View) => void }) => (
  <fieldset class="view-choice">
    <legend class="hidden">{say('View')}</legend>
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

/** What a person has chosen to be listed, as the address has it. */
export interface Choice extends Filters {
  readonly search: string;
  readonly tag: string;
  readonly sort: Sort;
  readonly view: View;
}

interface ToolbarProps {
  readonly searchLabel: string;
  readonly choice: Choice;
  readonly isOfFolder: boolean;
  /** Tags to choose from. */
  readonly tags: readonly string[];
  readonly selection: Selection<Code>;
  /** How many codes are loaded. */
  readonly loaded: number;
  /** How many codes the list has, in words. */
  readonly total: string;
  readonly onChoose: (changed: Partial<Choice>, how?: 'typed') => void;
  readonly onColumns: () => void;
}

/** Stands above a list of codes: search, filters, order, the way of listing, and a box that selects all that are loaded. */
export const Toolbar = ({
  choice,
  isOfFolder,
  selection,
  loaded,
  onChoose,
  onColumns,
  ...list
}: ToolbarProps) => (
  <ListToolbar
    {...list}
    asked={choice}
    sorts={SORTS}
    fields={<FilterFields filters={choice} isOfFolder={isOfFolder} onFilter={onChoose} />}
    filters={countFilters(choice)}
    onClear={() => onChoose(NO_FILTERS)}
    beside={
      <>
        {choice.view === 'list' && <Button onClick={onColumns}>{say('Columns')}</Button>}
        <ViewButtons view={choice.view} onView={(view) => onChoose({ view })} />
      </>
    }
    shown={loaded}
    chosen={selection.rows.length}
    what={count(loaded, 'code', 'codes')}
    onChoose={selection.chooseAll}
    onAsk={onChoose}
  />
);
