/** A short link in the list. */
import { toScreenPath } from '../../../api/client.ts';
import type { Link, RuleSet } from '../../../api/shapes.ts';
import { Quiet, useCopy } from '../../../ui/buttons.tsx';
import { count, formatNumber, unitOf } from '../../../ui/format.ts';
import { Menu } from '../../../ui/menu.tsx';
import type { Selection } from '../../../ui/rows/selection.tsx';
import { Tags } from '../../../ui/rows/tags.tsx';
import { say } from '../../../words/say.ts';
import { Destination } from './destination.tsx';
import { STATUSES } from './filters.tsx';

const LOOKS: Readonly<Record<Link['status'], string>> = {
  active: 'good',
  scheduled: 'warn',
  expired: 'bad',
  limit_reached: 'bad',
};

/** Returns a short address as a list shows it: an own domain is part of it. */
const shownSlug = ({ slug, domain, short_url }: Link): string =>
  domain === null ? slug : short_url.replace(/^https?:\/\//, '');

/** Says which rules lead visits of a link, its own ones first. */
const rulesInWords = ({ rules, rule_set_id: id }: Link, sets: readonly RuleSet[]): string =>
  [
    rules !== null && count(rules.length, 'rule', 'rules'),
    id !== null && (sets.find((set) => set.id === id)?.name ?? say('A rule set')),
  ]
    .filter((part) => part !== false)
    .join(', ');

interface RowProps {
  readonly link: Link;
  readonly sets: readonly RuleSet[];
  readonly selection: Selection<Link>;
  /** Lists only links with a tag. */
  readonly onTag: (tag: string) => void;
  readonly onDelete: () => void;
}

const Status = ({ of: { status, has_password: hasPassword } }: { readonly of: RowProps['link'] }) => (
  <>
    <span class={`chip ${LOOKS[status]}`}>{STATUSES.find(([value]) => value === status)?.[1]}</span>
    {hasPassword && <span class="chip">{say('Password')}</span>}
  </>
);

export const Row = ({ link, sets, selection, onTag, onDelete }: RowProps) => {
  const copy = useCopy();
  const { code_id: id, name, tags, scan_count: scans } = link;
  const slug = shownSlug(link);
  const page = toScreenPath(`/codes/${id}`);
  const rules = rulesInWords(link, sets);
  return (
    <tr class={selection.has(link) ? 'chosen' : ''}>
      <td>
        <div class="link-name">
          <input
            type="checkbox"
            aria-label={say('Select {slug}', { slug })}
            checked={selection.has(link)}
            onClick={(event) => selection.choose(link, event.currentTarget.checked, event.shiftKey)}
          />
          <a class="clip" href={page} title={link.short_url}>
            {slug}
          </a>
          <Quiet
            class="quiet small"
            aria-label={say('Copy {slug}', { slug })}
            onClick={() => copy(link.short_url)}
          >
            {say('Copy')}
          </Quiet>
          {name !== null && <span class="muted small clip">{name}</span>}
        </div>
      </td>
      <td class="leads-to">
        <Destination link={link} name={slug} />
      </td>
      <td class={tags.length === 0 ? 'spare' : ''}>
        <Tags tags={tags} what={say('links')} onTag={onTag} />
      </td>
      <td class="folder">
        <a class="clip" title={link.folder} href={toScreenPath(`/folders/${link.folder_id}`)}>
          {link.folder}
        </a>
      </td>
      <td>
        <Status of={link} />
      </td>
      <td class="number" data-unit={unitOf(scans, 'scan', 'scans')}>
        {formatNumber(scans)}
      </td>
      <td class={rules === '' ? 'spare' : ''}>{rules}</td>
      <td class="end">
        <Menu
          label={say('Actions for {slug}', { slug })}
          items={[
            { label: say('Open'), href: page },
            { label: say('Copy the short link'), run: () => copy(link.short_url) },
            { label: say('Delete'), run: onDelete, isDanger: true },
          ]}
        />
      </td>
    </tr>
  );
};
