/** What stands above a list of rows: search, filters, order, and a box that selects all that are shown. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { say } from '../../words/say.ts';
import { Button, Quiet } from '../buttons.tsx';
import { type Options, Select } from '../fields.tsx';
import { Search } from '../lists.tsx';
import { SelectAll, type SelectAllProps } from './selection.tsx';
import { TagFilter } from './tags.tsx';

/** What every list is asked for. */
interface Asked<Sort extends string> {
  readonly search: string;
  readonly tag: string;
  readonly sort: Sort;
}

interface ListToolbarProps<Sort extends string> extends SelectAllProps {
  readonly searchLabel: string;
  readonly asked: Asked<Sort>;
  /** Tags to choose from. */
  readonly tags: readonly string[];
  readonly sorts: Options<Sort>;
  /** The fields of the filters, which are folded, and how many of these are set. */
  readonly fields: ComponentChildren;
  readonly filters: number;
  readonly onClear: () => void;
  /** Further buttons. */
  readonly beside?: ComponentChildren;
  /** How many rows the list has, in words. */
  readonly total?: string;
  readonly onAsk: (changed: Partial<Asked<Sort>>, how?: 'typed') => void;
}

export const ListToolbar = <Sort extends string>({
  searchLabel,
  asked,
  tags,
  sorts,
  fields,
  filters,
  onClear,
  beside,
  total,
  onAsk,
  ...rows
}: ListToolbarProps<Sort>) => {
  const [isWanted, want] = useState<boolean | null>(null);
  const isOpen = isWanted ?? filters > 0;
  const id = useId();
  return (
    <>
      <div class="toolbar">
        <Search
          label={searchLabel}
          searched={asked.search}
          onSearch={(search) => onAsk({ search }, 'typed')}
        />
        <TagFilter tag={asked.tag} known={tags} onTag={(tag) => onAsk({ tag })} />
        <Button aria-expanded={isOpen} aria-controls={id} onClick={() => want(!isOpen)}>
          {filters === 0 ? say('Filters') : say('Filters ({filters})', { filters })}
        </Button>
        <Select
          class="sort"
          aria-label={say('Sort by')}
          value={asked.sort}
          options={sorts}
          onChoose={(sort) => onAsk({ sort })}
        />
        {beside}
      </div>
      <div id={id} hidden={!isOpen}>
        <div class="filter-row">
          {fields}
          {filters > 0 && <Quiet onClick={onClear}>{say('Clear filters')}</Quiet>}
        </div>
      </div>
      <div class="toolbar">
        <SelectAll {...rows} />
        {total !== undefined && (
          <p class="muted small" role="status">
            {total}
          </p>
        )}
      </div>
    </>
  );
};
