/** The scans of all short links, or of a folder, a tag, a batch, a domain, a rule or some codes. */
import { useEffect, useId } from 'preact/hooks';
import { toScreenPath } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import { linkTo, Quiet } from '../../ui/buttons.tsx';
import { Input, SelectInput, useFollowing } from '../../ui/fields.tsx';
import { count } from '../../ui/format.ts';
import { useSettled } from '../../ui/hooks.ts';
import { useAddressed } from '../../ui/kept/address.ts';
import { Page } from '../../ui/page.tsx';
import { TagFilter, tagsOf } from '../../ui/rows/tags.tsx';
import { say, sayWith } from '../../words/say.ts';
import { ScanReport, type Scope } from './report.tsx';

const NO_FILTERS = {
  ...{ folder: '', tag: '', batch: '', domain: '', rule_set: '', codes: '', rule: '' },
};
type Filters = typeof NO_FILTERS;

interface FilterProps {
  readonly filters: Filters;
  readonly onFilter: (changed: Partial<Filters>, how?: 'typed') => void;
}

const LISTED = 100;
const PAUSE_MS = 250;

const isSame = (name: string, text: string): boolean => name.toLowerCase() === text.trim().toLowerCase();

/** Takes the name of a folder, and tells its id once it is whole. */
const FolderFilter = ({ filters: { folder }, onFilter }: FilterProps) => {
  const chosen = useGet('/api/v1/folders/{id}', { path: { id: folder } }, { enabled: folder !== '' }).data;
  // Until the chosen one is read, there is another one.
  const [text, setText] = useFollowing(chosen?.id === folder ? chosen.name : '');
  const id = useId();
  const search = useSettled(text.trim(), PAUSE_MS);
  const found = useGet('/api/v1/folders', { query: { limit: LISTED, ...(search && { search }) } }).data;
  const folders = found?.data ?? [];
  // The name may be whole before the folders are read.
  useEffect(() => {
    const named = folders.find(({ name }) => isSame(name, text));
    if (named !== undefined && named.id !== folder) onFilter({ folder: named.id });
  }, [found, text]);
  const type = (typed: string): void => {
    setText(typed);
    if (typed === '') onFilter({ folder: '' });
  };
  const isKnown = text === '' || chosen === undefined || isSame(chosen.name, text);
  const isRead = found !== undefined && search === text.trim();
  return (
    <>
      <Input
        look="narrow"
        label={say('Folder')}
        type="search"
        list={id}
        value={text}
        fault={
          isRead && text !== '' && !isKnown
            ? say('No folder has this name: the scans of the one before are shown.')
            : isRead && text !== '' && folder === '' && !folders.some(({ name }) => isSame(name, text))
              ? say('No folder has this name: the scans of all are shown.')
              : null
        }
        onText={type}
      />
      <datalist id={id}>
        {folders.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
};

/** Takes a domain and a rule set, if the account has any. */
const LinkFilters = ({ filters: { domain, rule_set }, onFilter }: FilterProps) => {
  const domains = useGet('/api/v1/domains', { query: { limit: LISTED } }).data?.data ?? [];
  const ruleSets = useGet('/api/v1/rule-sets', { query: { limit: LISTED } }).data?.data ?? [];
  return (
    <>
      {(domains.length > 0 || domain !== '') && (
        <SelectInput
          look="narrow"
          label={say('Domain')}
          value={domain}
          options={[
            ['', say('All domains')],
            ['shared', say('That of this service')],
            ...domains.map(({ host }) => [host, host] as const),
          ]}
          onChoose={(host) => onFilter({ domain: host })}
        />
      )}
      {(ruleSets.length > 0 || rule_set !== '') && (
        <SelectInput
          look="narrow"
          label={say('Rule set')}
          value={rule_set}
          options={[['', say('With and without')], ...ruleSets.map(({ id, name }) => [id, name] as const)]}
          onChoose={(id) => onFilter({ rule_set: id })}
        />
      )}
    </>
  );
};

interface ChosenProps {
  readonly name: string;
  readonly onEnd: () => void;
}

/** A filter that other screens set, with a button that ends it. */
const Chosen = ({ name, onEnd }: ChosenProps) => (
  <p class="row">
    <span class="wrap">{name}</span>
    <Quiet about={say('besides “{name}”', { name })} onClick={onEnd}>
      {say('Show all')}
    </Quiet>
  </p>
);

const BatchFilter = ({ filters: { batch }, onFilter }: FilterProps) => {
  const { data } = useGet('/api/v1/batches/{id}', { path: { id: batch } });
  return <Chosen name={`Batch ${data?.folder_name ?? ''}`} onEnd={() => onFilter({ batch: '' })} />;
};

/** Returns what the API is asked for. */
const toScope = ({ folder, tag, batch, domain, rule_set, codes, rule }: Filters): Scope => ({
  ...(folder && { folder_id: folder }),
  ...(tag && { tag }),
  ...(batch && { batch_id: batch }),
  ...(domain && { domain }),
  ...(rule_set && { rule_set_id: rule_set }),
  ...(codes && { code_ids: codes }),
  ...(rule && { rule }),
});

/** Returns the address of this screen with a rule as a further filter. */
const hrefOfRule = (rule: string): string => {
  const query = new URLSearchParams(location.search);
  query.set('rule', rule);
  return toScreenPath(`/scans?${query}`);
};

export default function Scans(_: { readonly path: string }) {
  const [filters, onFilter] = useAddressed(NO_FILTERS);
  const { batch, codes, rule, tag } = filters;
  const props = { filters, onFilter };
  const links = useGet('/api/v1/links', { query: { limit: LISTED } }).data?.data;
  const hasChoice = links === undefined || links.length > 0 || Object.values(filters).some(Boolean);
  return (
    <Page title={say('Scans')}>
      {hasChoice && (
        <div class="row">
          <FolderFilter {...props} />
          <TagFilter
            look="narrow"
            tag={tag}
            known={tagsOf(links ?? [])}
            onTag={(by) => onFilter({ tag: by })}
          />
          <LinkFilters {...props} />
        </div>
      )}
      {batch && <BatchFilter {...props} />}
      {codes && (
        <Chosen
          name={count(codes.split(',').length, 'chosen code', 'chosen codes')}
          onEnd={() => onFilter({ codes: '' })}
        />
      )}
      {rule && <Chosen name={say('Led by the rule {rule}', { rule })} onEnd={() => onFilter({ rule: '' })} />}
      <ScanReport
        scope={toScope(filters)}
        hrefOfRule={hrefOfRule}
        empty={
          <p>
            {sayWith(
              'A dynamic code contains a short link, and every scan of it is counted here. <link>Design a code</link>, or choose a longer time.',
              { link: linkTo('/design') },
            )}
          </p>
        }
      />
    </Page>
  );
}
