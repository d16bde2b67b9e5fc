/** What a list of short links is asked for. */
import { useGet } from '../../../api/query.ts';
import type { Link, RuleSet } from '../../../api/shapes.ts';
import { type Options, Select } from '../../../ui/fields.tsx';
import { count } from '../../../ui/format.ts';
import { Search } from '../../../ui/lists.tsx';
import { SelectAll, type Selection } from '../../../ui/rows/selection.tsx';
import { TagFilter } from '../../../ui/rows/tags.tsx';
import { say } from '../../../words/say.ts';
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

/** Folders to choose from: the newest ones. The list of a folder has links to all others. */
const FOLDERS = 100;

/** Returns options with the chosen one, also when it is none of those. */
const withChosen = (options: Options<string>, chosen: string): Options<string> =>
  options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]];

interface FiltersProps {
  readonly asked: Asked;
  readonly choose: (changed: Partial<Asked>, how?: 'typed') => void;
  readonly sets: readonly RuleSet[];
}

/** Takes what the links of the list have in common besides a text and a tag. */
const Filters = ({ asked, choose, sets }: FiltersProps) => {
  const { folder, domain, status, rules } = asked;
  const folders = useGet('/api/v1/folders', { query: { limit: FOLDERS } }).data?.data ?? [];
  const { data: domains = [] } = useDomains();
  const lists: readonly (readonly [label: string, name: keyof Asked, chosen: string, Options<string>])[] = [
    [say('Status'), 'status', status, STATUSES],
    [
      say('Folder'),
      'folder',
      folder,
      [['', say('All folders')], ...folders.map(({ id, name }) => [id, name] as const)],
    ],
    [
      say('Domain'),
      'domain',
      domain,
      [
        ['', say('All domains')],
        ['shared', say('Address of the service')],
        ...domains.map(({ host }) => [host, host] as const),
      ],
    ],
    [say('Rules'), 'rules', rules, [...RULES, ...sets.map(({ id, name }) => [id, name] as const)]],
  ];
  return (
    <>
      {lists.map(
        ([label, name, chosen, options]) =>
          (name !== 'domain' || domains.length > 0 || chosen !== '') && (
            <Select
              key={name}
              aria-label={label}
              value={chosen}
              options={withChosen(options, chosen)}
              onChoose={(value) => choose({ [name]: value })}
            />
          ),
      )}
    </>
  );
};

interface ToolbarProps extends FiltersProps {
  /** Tags to choose from. */
  readonly tags: readonly string[];
  readonly selection: Selection<Link>;
  /** Links that the page shows. */
  readonly shown: number;
}

/** Stands above the list: search, filters and order, and a box that selects all that are shown. */
export const Toolbar = ({ tags, selection, shown, ...filters }: ToolbarProps) => {
  const { asked, choose } = filters;
  return (
    <div class="toolbar">
      <SelectAll
        shown={shown}
        chosen={selection.rows.length}
        what={count(shown, 'link', 'links')}
        onChoose={selection.chooseAll}
      />
      <Search
        label={say('Search links')}
        searched={asked.search}
        onSearch={(text) => choose({ search: text }, 'typed')}
      />
      <TagFilter tag={asked.tag} known={tags} onTag={(by) => choose({ tag: by })} />
      <Filters {...filters} />
      <Select
        class="sort"
        aria-label={say('Sort by')}
        value={asked.sort}
        options={SORTS}
        onChoose={(value) => choose({ sort: value })}
      />
    </div>
  );
};
