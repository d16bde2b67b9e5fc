/** What a list of short links is asked for. */
import type { Link, RuleSet } from '../../../api/shapes.ts';
import { type Options, SelectInput } from '../../../ui/fields.tsx';
import { count } from '../../../ui/format.ts';
import type { Selection } from '../../../ui/rows/selection.tsx';
import { ListToolbar } from '../../../ui/rows/toolbar.tsx';
import { say } from '../../../words/say.ts';
import { FolderFilter } from '../../codes/list/filters.tsx';
import { useDomains } from '../domains/domain-choice.tsx';

export const SORTS = [
  ['newest', say('Newest first')],
  ['oldest', say('Oldest first')],
  ['changed', say('Last changed')],
  ['name', say('Name')],
  ['scans', say('Most scans')],
] as const;
type Sort = (typeof SORTS)[number][0];

export const STATUSES = [
  ['', say('Any status')],
  ['active', say('Active')],
  ['scheduled', say('Not started')],
  ['expired', say('Ended')],
  ['limit_reached', say('Limit reached')],
] as const satisfies Options<Link['status'] | ''>;

const RULES: Options<string> = [
  ['', say('Rules or none')],
  ['with', say('With rules')],
  ['without', say('Without rules')],
];

/** What the address says of the list. An empty text asks for all. */
export interface Asked extends Readonly<Record<string, string>> {
  readonly search: string;
  readonly tag: string;
  /** The id of a folder. */
  readonly folder: string;
  /** A host, or `shared`. */
  readonly domain: string;
  readonly status: Link['status'] | '';
  /** `with`, `without`, or the id of a rule set. */
  readonly rules: string;
  readonly sort: Sort;
}

export const NONE: Asked = {
  ...{ search: '', tag: '', folder: '', domain: '', status: '', rules: '', sort: 'newest' },
};

/** Returns the query of `GET /api/v1/links` without the size of a page. */
export const queryOf = ({ search, tag, folder, domain, status, rules, sort }: Asked) => ({
  sort,
  ...(search && { search }),
  ...(tag && { tag }),
  ...(folder && { folder_id: folder }),
  ...(domain && { domain }),
  ...(status && { status }),
  ...(rules === 'with' || rules === 'without'
    ? { has_rules: rules === 'with' }
    : rules && { rule_set_id: rules }),
});

/** Returns how many filters are set besides the search and the tag. */
const countFilters = ({ folder, domain, status, rules }: Asked): number =>
  [folder, domain, status, rules].filter((value) => value !== '').length;

/** Whether the list is asked for some links only. */
export const isFiltered = (asked: Asked): boolean =>
  asked.search !== '' || asked.tag !== '' || countFilters(asked) > 0;

/** Returns options with the chosen one, also when it is none of those. */
const withChosen = (options: Options<string>, chosen: string): Options<string> =>
  options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]];

interface FieldsProps {
  readonly asked: Asked;
  readonly choose: (changed: Partial<Asked>, how?: 'typed') => void;
  readonly sets: readonly RuleSet[];
}

/** Takes what the links of the list have in common besides a text and a tag. */
const FilterFields = ({ asked: { folder, domain, status, rules }, choose, sets }: FieldsProps) => {
  const { data: domains = [] } = useDomains();
  const hosts = domains.map(({ host }) => [host, host] as const);
  return (
    <>
      <SelectInput
        label={say('Status')}
        value={status}
        options={STATUSES}
        onChoose={(value) => choose({ status: value })}
      />
      {(domains.length > 0 || domain !== '') && (
        <SelectInput
          label={say('Domain')}
          value={domain}
          options={withChosen(
            [['', say('All domains')], ['shared', say('Address of the service')], ...hosts],
            domain,
          )}
          onChoose={(value) => choose({ domain: value })}
        />
      )}
      <SelectInput
        label={say('Rules')}
        value={rules}
        options={withChosen([...RULES, ...sets.map(({ id, name }) => [id, name] as const)], rules)}
        onChoose={(value) => choose({ rules: value })}
      />
      <FolderFilter id={folder} onChoose={(value) => choose({ folder: value })} />
    </>
  );
};

interface ToolbarProps extends FieldsProps {
  /** Tags to choose from. */
  readonly tags: readonly string[];
  readonly selection: Selection<Link>;
  /** Links that the page shows. */
  readonly shown: number;
}

/** Stands above the list: search, filters and order, and a box that selects all that are shown. */
export const Toolbar = ({ tags, selection, shown, ...filters }: ToolbarProps) => (
  <ListToolbar
    searchLabel={say('Search links')}
    asked={filters.asked}
    tags={tags}
    sorts={SORTS}
    fields={<FilterFields {...filters} />}
    filters={countFilters(filters.asked)}
    onClear={() => filters.choose({ folder: '', domain: '', status: '', rules: '' })}
    shown={shown}
    chosen={selection.rows.length}
    what={count(shown, 'link', 'links')}
    onChoose={selection.chooseAll}
    onAsk={filters.choose}
  />
);
