import { useEffect, useState } from 'preact/hooks';
import { Router, useLocation } from 'preact-iso';
import { api, ask, BASE, toScreenPath } from '../api/client.ts';
import { usePages } from '../api/query.ts';
import type { Account } from '../api/shapes.ts';
import { NotFound, type Place, SignedIn, type SignInProps } from '../frame.tsx';
import { ButtonLink, Primary } from '../ui/buttons.tsx';
import { formatDay, formatNumber } from '../ui/format.ts';
import { useAddressed } from '../ui/kept/address.ts';
import { PagedTable, Search } from '../ui/lists.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { AccountScreen, NewAccount, PLANS } from './operator-account.tsx';
import { SignInForm } from './sign-in.tsx';

const Row = ({ account }: { readonly account: Account }) => (
  <tr>
    <td>
      <a class="wrap" href={toScreenPath(`/operator/accounts/${account.id}`)}>
        {account.name}
      </a>
    </td>
    <td>{new Map(PLANS).get(account.plan)}</td>
    <td class="number" data-unit="units this month">
      <span class="row">
        {formatNumber(account.usage.monthly_used)} of {formatNumber(account.monthly_quota)}
        {account.usage.remaining === 0 && <span class="chip warn">None left</span>}
      </span>
    </td>
    <td class="number" data-unit="credits">
      {formatNumber(account.credits)}
    </td>
    <td data-name="Created">{formatDay(account.created_at)}</td>
  </tr>
);

/** Shows all accounts, with a search and a button that creates one. */
const Accounts = (_: { readonly path: string }) => {
  const [{ search }, choose] = useAddressed({ search: '' });
  const [isMaking, setMaking] = useState(false);
  const { route } = useLocation();
  const pages = usePages('/admin/v1/accounts', { query: { limit: 50, ...(search && { search }) } });
  return (
    <Page
      title="Accounts"
      actions={
        <>
          <Search
            label="Search by name or id"
            searched={search}
            onSearch={(text) => choose({ search: text }, 'typed')}
          />
          <ButtonLink href={`${BASE}admin/v1/usage`} download>
            Download usage
          </ButtonLink>
          <Primary onClick={() => setMaking(true)}>New account</Primary>
        </>
      }
    >
      <PagedTable
        pages={pages}
        what="accounts"
        columns={['Name', 'Plan', 'Units this month', 'Credits', 'Created']}
        hasActions={false}
        empty={
          <Empty title={search ? `No account has “${search}” in its name.` : 'No accounts yet.'}>
            {!search && (
              <p>
                Create one, and a key for it. People sign in with the key, and programs use it to call the
                service.
              </p>
            )}
          </Empty>
        }
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
  { path: '/operator', name: 'Accounts', icon: 'accounts', also: ['/operator/accounts'] },
];

const ENDED =
  'It expired, or the admin token was changed. Sign in again to continue where you were: everything is still here.';

const SignIn = ({ onSession, onLeave }: SignInProps<object>) => {
  useEffect(() => {
    document.title = 'Operator · Tessera';
  }, []);
  return (
    <SignInForm
      label="Admin token"
      lead="Sign in as the operator to manage accounts."
      ended={ENDED}
      onLeave={onLeave}
      signIn={async (token) => {
        await ask(api.POST('/dashboard/operator/session', { body: { token } }));
        onSession({});
      }}
    >
      <p class="muted small">
        The token is the <code>ADMIN_TOKEN</code> of the service. If none was set, it is in the file{' '}
        <code>admin-token</code> of the data folder. Your browser does not store it.
      </p>
      <p class="muted small">
        Do you have an account here? <a href={toScreenPath()}>Sign in with an API key</a>
      </p>
    </SignInForm>
  );
};

/** Shows the sign-in form of the operator, or the operator's screens. */
export default function Operator() {
  return (
    <SignedIn
      what="the operator’s screen"
      places={PLACES}
      whoOf={() => 'Operator'}
      idOf={() => 'operator'}
      look={() => ask<object | undefined>(api.GET('/dashboard/operator/session'))}
      end={() => ask(api.DELETE('/dashboard/operator/session'))}
      form={(props) => <SignIn {...props} />}
    >
      {() => (
        <Router>
          <Accounts path={toScreenPath('/operator')} />
          <AccountScreen path={toScreenPath('/operator/accounts/:id')} />
          <NotFound default />
        </Router>
      )}
    </SignedIn>
  );
}
