import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, messageAt, toScreenPath } from '../../../api/client.ts';
import { change, usePages } from '../../../api/query.ts';
import type { Domain } from '../../../api/shapes.ts';
import { Primary } from '../../../ui/buttons.tsx';
import { Input } from '../../../ui/fields.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { formatDay } from '../../../ui/format.ts';
import { useDraft } from '../../../ui/kept/drafts.ts';
import { PagedTable } from '../../../ui/lists.tsx';
import { Page, Tabs } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';
import { say } from '../../../words/say.ts';

const STATES: Readonly<Record<Domain['state'], readonly [name: string, look: string]>> = {
  pending: [say('Not proved'), 'warn'],
  verified: [say('Proved'), 'good'],
  failing: [say('Proof is missing'), 'warn'],
  lapsed: [say('Lapsed'), 'bad'],
};

/** Says whether a domain is proved, and whether new short links are there. */
export const DomainChips = ({ domain }: { readonly domain: Domain }) => {
  const [name, look] = STATES[domain.state];
  return (
    <>
      <span class={`chip ${look}`}>{name}</span>{' '}
      {domain.is_default && <span class="chip">{say('Default')}</span>}
    </>
  );
};

/** Returns the path of a domain's screen. */
export const pathOf = ({ host }: Pick<Domain, 'host'>): string => toScreenPath(`/links/domains/${host}`);

interface NewDomainProps {
  readonly onMade: (domain: Domain) => void;
  readonly onClose: () => void;
}

/** Asks for a host, and registers it. */
const NewDomain = ({ onMade, onClose }: NewDomainProps) => {
  const [{ host, prefix }, enter, draft] = useDraft('new domain', { host: '', prefix: '' });
  return (
    <FormDialog
      title={say('Add a domain')}
      action={say('Add')}
      fields={['host', 'prefix']}
      submit={async () =>
        onMade(await change(api.POST('/api/v1/domains', { body: { host: host.trim(), prefix } })))
      }
      draft={draft}
      help={say('Nothing is served there before you prove that it is yours; its page says how.')}
      onClose={onClose}
    >
      {(_, fault) => (
        <>
          <Input
            label={say('Host')}
            placeholder="qr.brand.example"
            required
            spellcheck={false}
            value={host}
            fault={messageAt(fault, 'host')}
            onText={(typed) => enter({ host: typed })}
          />
          <Input
            label={say('Prefix')}
            hint={say('empty: links are at the root; it never changes')}
            maxLength={32}
            spellcheck={false}
            value={prefix}
            fault={messageAt(fault, 'prefix')}
            onText={(typed) => enter({ prefix: typed })}
          />
          {host !== '' && (
            <p class="new-address wrap">{`${host.trim()}/${prefix === '' ? '' : `${prefix}/`}4fGk2LmQ`}</p>
          )}
        </>
      )}
    </FormDialog>
  );
};

const Row = ({ domain }: { readonly domain: Domain }) => (
  <tr>
    <td>
      <a class="wrap name" href={pathOf(domain)}>
        {domain.host}
      </a>
    </td>
    <td>
      <DomainChips domain={domain} />
    </td>
    <td class="wrap muted">{domain.short_url_base}</td>
    <td class="muted" data-name={say('Added')}>
      {formatDay(domain.created_at)}
    </td>
  </tr>
);

/** Shows the account's own domains, oldest first, and adds them. */
export default function Domains(_: { readonly path: string }) {
  const { route } = useLocation();
  const [isAdding, setAdding] = useState(false);
  const pages = usePages('/api/v1/domains', { query: { limit: 25 } });
  const begin = <Primary onClick={() => setAdding(true)}>{say('Add a domain')}</Primary>;
  return (
    <Page title={say('Domains')} actions={pages.items.length > 0 && begin}>
      <Tabs of="links" />
      <PagedTable
        pages={pages}
        what={say('the domains')}
        columns={[say('Domain'), say('State'), say('Short links begin with'), say('Added')]}
        hasActions={false}
        empty={
          <Empty title={say('No domains yet.')} icon="links" actions={begin}>
            <p>
              {say(
                'With a host of your own, short links are your brand’s, and a shorter host makes a smaller code.',
              )}
            </p>
          </Empty>
        }
        row={(domain) => <Row key={domain.id} domain={domain} />}
      />
      {isAdding && <NewDomain onMade={(domain) => route(pathOf(domain))} onClose={() => setAdding(false)} />}
    </Page>
  );
}
