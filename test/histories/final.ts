/** Waits until no work is in progress, and reads the final state. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { until } from '../servers/until.ts';
import type { UsedUnits } from '../support/app/answer-body.ts';
import { type Account, insist } from './client.ts';
import { KEY_QUOTAS } from './operations.ts';
import { ADMIN_TOKEN, type Stack } from './stack.ts';

const SETTLED_MAX_MS = 120_000;
/** Scans are written after a quarter of a second or, after a failure, after a second. */
const SCANS_WRITTEN_MS = 2500;

/** Returns sentences about unfinished work of the accounts. */
const underWay = async ({ ledger }: Stack, ids: string[]): Promise<string[]> => {
  const { sql } = ledger;
  await sql`update webhook_deliveries set next_at = least(next_at, now()) where state = 'waiting' and tries > 0`;
  await sql`update webhooks set paused_until = least(paused_until, now() + interval '5 seconds')`;
  const [counts] = await sql<Record<string, number>[]>`
    select (select count(*) from batches where account_id = any (${ids}::uuid[]) and finished_at is null) as batches,
      (select count(*) from credit_grants where account_id = any (${ids}::uuid[]) and applied_at is null) as grants,
      (select count(*) from quota_holds where account_id = any (${ids}::uuid[])
        and (released_at is null or applied_at is null)) as holds,
      (select count(*) from webhook_deliveries d join webhooks w on w.id = d.webhook_id
        where w.account_id = any (${ids}::uuid[]) and d.state = 'waiting') as deliveries,
      (select count(*) from quota_balances where account_id = any (${ids}::uuid[])
        and open_monthly + open_credits > 0) as remainders,
      (select count(*) from quota_balances b join accounts a on a.id = b.account_id
        where a.id = any (${ids}::uuid[])
          and greatest(monthly_quota - monthly_used, 0) + credits < 0.2 * monthly_quota
          and not exists (select from webhook_quota_told t where t.account_id = a.id)) as untold`;
  const all: Record<string, number> = {
    ...counts,
    reservations: await ledger.openReservations(),
    'entries of streams': await ledger.undrained(),
  };
  return Object.entries(all).flatMap(([what, count]) => (count > 0 ? [`${count} ${what} are left`] : []));
};

interface Usage {
  readonly usage_count: number;
  readonly monthly_used: number;
  readonly monthly_quota: number;
  readonly credits: number;
  readonly remaining: number;
}

interface KeyRow {
  readonly id: string;
  readonly monthly_quota: number | null;
  readonly usage_count: number;
}

/** Reads the units of an account as the account and the operator see them. */
const readUnits = async ({ urls }: Stack, { id, keys }: Account) => {
  const { key } = keys[0]!;
  const get = (path: string, token: string) =>
    insist(urls[0]!, token, { method: 'GET', path, as: 'account' });
  const usage = JSON.parse(await get('/api/v1/usage', key)) as Usage;
  const { total: history } = JSON.parse(await get('/api/v1/usage/history', key)) as { total: UsedUnits };
  const rows = parse(await get('/admin/v1/usage', ADMIN_TOKEN), { columns: true }) as Record<
    string,
    string
  >[];
  const row = rows.find(({ account_id }) => account_id === id);
  const { data } = JSON.parse(await get('/api/v1/keys', key)) as { readonly data: readonly KeyRow[] };
  const { units = 0, monthly = 0, credits = 0 } = row ?? {};
  return {
    usage,
    history,
    invoice: { units: Number(units), monthly: Number(monthly), credits: Number(credits) },
    keys: keys.map((own) => {
      const { monthly_quota: quota, usage_count: used } = data.find((each) => each.id === own.id)!;
      return { quota, used };
    }),
  };
};

/** Reads the data of the accounts from Postgres. Accounts are numbered as in operations. */
const readTables = async ({ ledger: { sql } }: Stack, ids: string[], keyIds: string[]) => ({
  codes: await sql<{ content: string; folder: string; slug: string | null }[]>`
    select convert_from(content, 'UTF8') as content, folder_id as folder, slug from codes
    where account_id = any (${ids}::uuid[]) order by id`,
  folders: await sql<{ id: string; name: string }[]>`
    select id, name from folders where account_id = any (${ids}::uuid[])`,
  // Where a visit is led, now and by each entry of the histories.
  links: await sql<{ slug: string; destination: string; people: number; past: string[] }[]>`
    select l.slug, coalesce(s.rules#>>'{0,destination}', l.rules#>>'{0,destination}',
        l.destination || coalesce('?utm_content=' || (l.forward#>>'{utm,content}'), '')) as destination,
      coalesce((select people from scan_totals t where t.slug = l.slug), 0)::int as people,
      coalesce((select json_agg(led) from (
        select coalesce(h.rules#>>'{0,destination}',
          h.destination || coalesce('?utm_content=' || (h.forward#>>'{utm,content}'), '')) as led
        from link_history h where h.slug = l.slug
        union all select h.rules#>>'{0,destination}' from rule_set_history h where h.rule_set_id = s.id
      ) as entries), '[]') as past
    from links l left join rule_sets s on s.id = l.rule_set_id where l.account_id = any (${ids}::uuid[])`,
  domains: await sql<{ slug: string; destination: string }[]>`
    select host as slug, answers->>'rootUrl' as destination from domains where account_id = any (${ids}::uuid[])`,
  grants: await sql<{ account: number; reference: string; amount: number }[]>`
    select array_position(${ids}::uuid[], account_id) - 1 as account, reference, amount from credit_grants
    where account_id = any (${ids}::uuid[])`,
  batches: await sql<
    {
      id: string;
      account: number;
      by: number;
      name: string;
      state: string;
      reason: string | null;
      made: number;
    }[]
  >`
    select id, array_position(${ids}::uuid[], account_id) - 1 as account, folder_name as name, state, reason, made,
      (array_position(${keyIds}::uuid[], key_id) - 1) % ${KEY_QUOTAS.length} as by
    from batches
    where account_id = any (${ids}::uuid[])`,
});

/** Each try of a webhook: its path ends with the id of its account, and `about` is the batch or the slug. */
const readEvents = ({ receiver }: Stack, ids: string[]) =>
  receiver.received.flatMap(({ id, json: { type, data }, path }) => {
    const account = ids.indexOf(path.split('/').pop()!);
    const about = String(data.id ?? data.slug ?? data.period);
    const isLow = Number(data.remaining) < 0.2 * Number(data.monthly_quota);
    return account < 0 ? [] : [{ id, type, account, about, isLow }];
  });

/** Waits at most two minutes until everything is settled, and reads the data for the checker. */
export const readFinal = async (stack: Stack, accounts: readonly Account[]) => {
  const ids = accounts.map(({ id }) => id);
  let left: string[] = [];
  const isSettled = async () => {
    left = await underWay(stack, ids).catch((error: unknown) => [`it cannot be read: ${error}`]);
    return left.length === 0;
  };
  await sleep(SCANS_WRITTEN_MS);
  await until(isSettled, { deadlineMs: SETTLED_MAX_MS, pauseMs: 250 }).catch(() => {});
  const differing = (await stack.ledger.differences()).filter(({ accountId }) => ids.includes(accountId));
  return {
    units: await Promise.all(accounts.map((account) => readUnits(stack, account))),
    ...(await readTables(
      stack,
      ids,
      accounts.flatMap(({ keys }) => keys.map(({ id }) => id)),
    )),
    events: readEvents(stack, ids),
    differences: [...left, ...differing.map((difference) => JSON.stringify(difference))],
  };
};

type Read = Awaited<ReturnType<typeof readFinal>>;
/** The state when all faults are over and no work is in progress. */
export type Final = { readonly [Name in keyof Read]: readonly Read[Name][number][] };
/** The units of an account. */
export type Units = Final['units'][number];
