import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask } from '../../api/client.ts';
import type { Account } from '../../api/shapes.ts';
import { BASE, screen } from '../../base.ts';
import { day, number } from '../../ui/format.ts';
import { usePages } from '../../ui/lists/paged.ts';
import { PagedTable } from '../../ui/lists/paged-table.tsx';
import { Search } from '../../ui/lists/search.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { NewAccount } from './new-account.tsx';
import { PLANS } from './plans.ts';

const Used = ({ account: { monthly_quota: quota, usage } }: { readonly account: Account }) => (
  <span class="row">
    {number(usage.monthly_used)} of {number(quota)}
    {usage.remaining === 0 && <span class="chip warn">None left</span>}
  </span>
);

const Row = ({ account }: { readonly account: Account }) => (
  <tr>
    <td>
      <a class="wrap" href={screen(`/operator/accounts/${account.id}`)}>
        {account.name}
      </a>
    </td>
    <td>{PLANS[account.plan]}</td>
    <td class="number" data-unit="units this month">
      <Used account={account} />
    </td>
    <td class="number" data-unit="credits">
      {number(account.credits)}
    </td>
    <td data-name="Created">{day(account.created_at)}</td>
  </tr>
);

/** Shows all accounts, with search, and a button that makes one. */
export const Accounts = (_: { readonly path: string }) => {
  const [search, setSearch] = useState('');
  const [isMaking, setMaking] = useState(false);
  const { route } = useLocation();
  const pages = usePages(
    (cursor, signal) =>
      ask(
        api.GET('/admin/v1/accounts', {
          params: { query: { limit: 50, ...(search && { search }), ...(cursor && { cursor }) } },
          signal: signal ?? null,
        }),
      ),
    [search],
  );
  return (
    <Page
      title="Accounts"
      actions={
        <>
          <Search label="Search by name or id" onSearch={setSearch} />
          <a class="button" href={`${BASE}admin/v1/usage`} download>
            Download usage
          </a>
          <button type="button" class="primary" onClick={() => setMaking(true)}>
            New account
          </button>
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
                Create one, and a key for it. With the key its people sign in and their programs call the
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
          onMade={(id) => route(screen(`/operator/accounts/${id}`))}
        />
      )}
    </Page>
  );
};
