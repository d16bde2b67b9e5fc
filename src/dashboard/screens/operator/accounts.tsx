import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { usePages } from '../../api/query.ts';
import type { Account } from '../../api/shapes.ts';
import { BASE, toScreenPath } from '../../base.ts';
import { ButtonLink, Primary } from '../../ui/buttons.tsx';
import { formatDay, formatNumber } from '../../ui/format.ts';
import { PagedTable, Search } from '../../ui/lists.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { NewAccount, PLANS } from './forms.tsx';

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
export const Accounts = (_: { readonly path: string }) => {
  const [search, setSearch] = useState('');
  const [isMaking, setMaking] = useState(false);
  const { route } = useLocation();
  const pages = usePages('/admin/v1/accounts', { query: { limit: 50, ...(search && { search }) } });
  return (
    <Page
      title="Accounts"
      actions={
        <>
          <Search label="Search by name or id" onSearch={setSearch} />
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
