import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Router, useLocation } from 'preact-iso';
import { api, ask, BASE, toScreenPath } from '../api/client.ts';
import { usePages } from '../api/query.ts';
import type { Account, OperatorSession } from '../api/shapes.ts';
import type { paths } from '../api/types.ts';
import { NotFound, type Place, SignedIn, type SignInProps } from '../frame.tsx';
import { linkTo, Primary } from '../ui/buttons.tsx';
import { type Options, SelectInput } from '../ui/fields.tsx';
import { formatDay, formatMonth, formatNumber } from '../ui/format.ts';
import { useAddressed } from '../ui/kept/address.ts';
import { PagedTable, Search } from '../ui/lists.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { say, sayWith } from '../words/say.ts';
import { AccountScreen, NewAccount, PLANS, PlanQuotas } from './operator-account.tsx';
import { SignInForm } from './sign-in.tsx';
import { LeftChip } from './usage.tsx';

const Row = ({ account }: { readonly account: Account }) => (
  <tr>
    <td>
      <a class="wrap" href={toScreenPath(`/operator/accounts/${account.id}`)}>
        {account.name}
      </a>
    </td>
    <td>{new Map(PLANS).get(account.plan)}</td>
    <td class="number" data-unit={say('units this month')}>
      <span class="row">
        {say('{monthlyUsed} of {monthlyQuota}', {
          monthlyUsed: account.usage.monthly_used,
          monthlyQuota: account.monthly_quota,
        })}
        <LeftChip of={{ ...account.usage, monthly_quota: account.monthly_quota }} />
      </span>
    </td>
    <td class="number" data-unit={say('credits')}>
      {formatNumber(account.credits)}
    </td>
    <td data-name={say('Created')}>{formatDay(account.created_at)}</td>
  </tr>
);

type Sort = NonNullable<NonNullable<paths['/admin/v1/accounts']['get']['parameters']['query']>['sort']>;

const SORTS: Options<Sort> = [
  ['created', say('Oldest first')],
  ['newest', say('Newest first')],
  ['name', say('By name')],
  ['share', say('Nearest to the limit')],
  ['used', say('Most units used')],
];

/** These orders have only accounts that have used units this month. */
const OF_USAGE: readonly Sort[] = ['share', 'used'];

const MONTHS = 12;

/** Returns the files with the usage of each of the last months, the present one first. */
const usageFiles = (): readonly MenuItem[] =>
  Array.from({ length: MONTHS }, (_, ago) => {
    const now = new Date();
    const [from, to] = [ago, ago - 1].map((months) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString(),
    ) as [string, string];
    const until = ago === 0 ? '' : `&to=${to.slice(0, 10)}`;
    return {
      label: formatMonth(from, 'UTC'),
      href: `${BASE}admin/v1/usage?from=${from.slice(0, 10)}${until}`,
      isFile: true,
    };
  });

interface Shown {
  readonly search: string;
  readonly sort: Sort;
}

interface ToolbarProps extends Shown {
  readonly choose: (chosen: Partial<Shown>, how?: 'typed') => void;
}

const Toolbar = ({ search, sort, choose }: ToolbarProps) => (
  <div class="toolbar">
    <Search
      label={say('Search by name or id')}
      searched={search}
      onSearch={(text) => choose({ search: text }, 'typed')}
    />
    {search === '' && (
      <SelectInput
        look="narrow"
        label={say('Order')}
        isLabelHidden
        value={sort}
        options={SORTS}
        onChoose={(chosen) => choose({ sort: chosen })}
      />
    )}
  </div>
);

interface NoAccountsProps extends Shown {
  /** Makes the first one. */
  readonly begin: ComponentChildren;
}

/** Says why a list of accounts is empty, and what to do. */
const NoAccounts = ({ search, sort, begin }: NoAccountsProps) => {
  if (search !== '') return <Empty title={say('No account fits “{search}”.', { search })} />;
  if (OF_USAGE.includes(sort)) return <Empty title={say('No account has used units this month.')} />;
  return (
    <Empty title={say('No accounts yet.')} icon="accounts" actions={begin}>
      <p>
        {say(
          'Create one, and a key for it. People sign in with the key, and programs use it to call the service.',
        )}
      </p>
    </Empty>
  );
};

/** Shows all accounts in a chosen order, with a search and a button that creates one. */
const Accounts = (_: { readonly path: string }) => {
  const [{ search, sort }, choose] = useAddressed({ search: '', sort: 'created' as Sort }, { sort: SORTS });
  const [isMaking, setMaking] = useState(false);
  const { route } = useLocation();
  const query = { limit: 50, ...(search === '' ? { sort } : { search }) };
  const pages = usePages('/admin/v1/accounts', { query });
  const isAll = search === '' && !OF_USAGE.includes(sort) && !pages.isPlaceholderData;
  const hasNone = isAll && pages.data !== undefined && pages.items.length === 0;
  const begin = <Primary onClick={() => setMaking(true)}>{say('New account')}</Primary>;
  return (
    <Page
      title={say('Accounts')}
      actions={
        !hasNone && (
          <>
            <Menu label={say('Download usage of all accounts')} items={usageFiles()}>
              {say('Download usage')}
            </Menu>
            {begin}
          </>
        )
      }
    >
      {!hasNone && <Toolbar search={search} sort={sort} choose={choose} />}
      {search === '' && OF_USAGE.includes(sort) && (
        <p class="muted small">
          {say('Only accounts that have used units this month. The order may be some minutes old.')}
        </p>
      )}
      <PagedTable
        pages={pages}
        what={say('accounts')}
        columns={[say('Name'), say('Plan'), say('Units this month'), say('Credits'), say('Created')]}
        hasActions={false}
        empty={<NoAccounts search={search} sort={sort} begin={begin} />}
        row={(account) => <Row key={account.id} account={account} />}
      />
      {isMaking && (
        <NewAccount
          onClose={() => setMaking(false)}
          onMade={(id) => route(toScreenPath(`/operator/accounts/${id}`))}
        />
      )}
    </Page>
  );
};

const PLACES: readonly Place[] = [
  { path: '/operator', name: say('Accounts'), icon: 'accounts', also: ['/operator/accounts'] },
];

const ENDED = say(
  'It expired, or the admin token was changed. Sign in again to continue where you were: everything is still here.',
);

const SignIn = ({ onSession, onLeave }: SignInProps<OperatorSession>) => {
  useEffect(() => {
    document.title = say('Operator · Tessera');
  }, []);
  return (
    <SignInForm
      label={say('Admin token')}
      lead={say('Sign in as the operator to manage accounts.')}
      ended={ENDED}
      onLeave={onLeave}
      signIn={async (token) =>
        onSession(await ask(api.POST('/dashboard/operator/session', { body: { token } })))
      }
    >
      <p class="muted small">
        {sayWith(
          'The token is the <code>ADMIN_TOKEN</code> of the service. If none was set, it is in the file <code>admin-token</code> of the data folder. Your browser does not store it.',
          { code: (name) => <code>{name}</code> },
        )}
      </p>
      <p class="muted small">
        {sayWith('Do you have an account here? <link>Sign in with an API key</link>', { link: linkTo() })}
      </p>
    </SignInForm>
  );
};

/** Shows the sign-in form of the operator, or the operator's screens. */
export default function Operator() {
  return (
    <SignedIn
      what={say('the operator’s screen')}
      places={PLACES}
      whoOf={() => say('Operator')}
      idOf={() => 'operator'}
      look={() => ask<OperatorSession | undefined>(api.GET('/dashboard/operator/session'))}
      end={() => ask(api.DELETE('/dashboard/operator/session'))}
      form={(props) => <SignIn {...props} />}
    >
      {({ plan_quotas: quotas }) => (
        <PlanQuotas.Provider value={quotas}>
          <Router>
            <Accounts path={toScreenPath('/operator')} />
            <AccountScreen path={toScreenPath('/operator/accounts/:id')} />
            <NotFound default />
          </Router>
        </PlanQuotas.Provider>
      )}
    </SignedIn>
  );
}
