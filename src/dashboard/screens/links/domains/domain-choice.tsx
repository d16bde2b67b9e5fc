/** The domain at which short links of a folder or a preset are made. */
import { useState } from 'preact/hooks';
import { getAll, useRead } from '../../../api/query.ts';
import type { Domain } from '../../../api/shapes.ts';
import { Button } from '../../../ui/buttons.tsx';
import { SelectInput } from '../../../ui/fields.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { say } from '../../../words/say.ts';

/** Bounds the loop; an account has far fewer domains. */
const PAGES_MAX = 10;

/** Reads the domains of the account. */
export const useDomains = () =>
  useRead(
    ['domains'],
    (signal): Promise<readonly Domain[]> =>
      getAll('/api/v1/domains', { query: { limit: 100 } }, PAGES_MAX, signal),
  );

/** Returns the hosts at which new short links can be: those that are served. */
const useServedHosts = (): readonly string[] => {
  const { data = [] } = useDomains();
  return data.flatMap(({ host, state }) => (state === 'verified' || state === 'failing' ? [host] : []));
};

interface DomainChoiceProps {
  /** What makes the links, such as `this folder`. */
  readonly what: string;
  /** The host so far; `null`: none is named. */
  readonly domain: string | null;
  readonly save: (domain: string | null) => Promise<unknown>;
}

const DomainDialog = ({
  what,
  domain,
  save,
  hosts,
  onClose,
}: DomainChoiceProps & { readonly hosts: readonly string[]; readonly onClose: () => void }) => {
  const [chosen, choose] = useState(domain ?? '');
  // One that is no longer served stays chosen until another is.
  const all = domain === null || hosts.includes(domain) ? hosts : [...hosts, domain];
  return (
    <FormDialog
      title={say('Domain of {what}', { what })}
      action={say('Save')}
      submit={() => save(chosen || null)}
      help={say('Links that are made already stay where they are.')}
      onClose={onClose}
    >
      {(aria) => (
        <SelectInput
          label={say('New short links are at')}
          value={chosen}
          options={[['', say('The domain of the account')], ...all.map((host) => [host, host] as const)]}
          onChoose={choose}
          {...aria}
        />
      )}
    </FormDialog>
  );
};

/** A button that chooses the domain of new short links. Shows nothing while the account has none to choose. */
export const DomainChoice = (props: DomainChoiceProps) => {
  const hosts = useServedHosts();
  const [isOpen, setOpen] = useState(false);
  if (hosts.length === 0 && props.domain === null) return null;
  return (
    <>
      <Button about={say('of {what}', { what: props.what })} onClick={() => setOpen(true)}>
        {say('Domain')}
      </Button>
      {isOpen && <DomainDialog {...props} hosts={hosts} onClose={() => setOpen(false)} />}
    </>
  );
};
