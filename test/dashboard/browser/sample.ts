/** An account after some weeks of use, for tests and pictures of every screen. */
import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../src/db/client.ts';
import { insertScans } from '../../../src/db/tables/scans/scans.ts';
import type { TestScope } from '../../servers/server-process.ts';
import { until } from '../../servers/until.ts';
import { insertHours, usedHour } from '../../support/app/usage.ts';
import { openFor } from '../../support/database/database.ts';
import { ADMIN_TOKEN, type TestDashboard } from './support.ts';

/** A screen: the name of its picture, its path and its heading. */
export type SampleScreen = readonly [name: string, path: string, heading: string];

export interface Sample {
  readonly key: string;
  readonly screens: readonly SampleScreen[];
  /** The screens of the operator, who sees the account. */
  readonly operatorScreens: readonly SampleScreen[];
}

const CODES = 8;
const DAYS = 30;
const DAY_MS = 86_400_000;
const LOOKS = ['#1a5fb4', '#8c1d40', '#14532d', '#3d2a5c'];
const COUNTRIES = ['DE', 'DE', 'DE', 'AT', 'FR', 'CH', ''];
const PHONES = [
  ['mobile', 'iOS', 'Safari'],
  ['mobile', 'Android', 'Chrome'],
  ['tablet', 'iOS', 'Safari'],
  ['desktop', 'Windows', 'Microsoft Edge'],
] as const;

/** A month of scans, more on some weekdays than on others. */
const scansOf = (slug: string) =>
  Array.from({ length: DAYS }, (_, day) =>
    Array.from({ length: 4 + ((day * 5) % 7) + (day % 7 > 4 ? 6 : 0) }, (_, i) => {
      const [device, os, browser] = PHONES[(i + day) % PHONES.length]!;
      return {
        ...{ id: randomUUID(), at: new Date(Date.now() - (DAYS - day) * DAY_MS + i * 600_000), slug },
        ...{
          kind: i % 9 === 8 ? ('bot' as const) : i % 9 === 5 ? ('preview' as const) : ('person' as const),
        },
        ...{ visitor: (day * 100 + (i >> 1)).toString(16).padStart(16, '0'), device, os, browser },
        ...{ country: COUNTRIES[i % COUNTRIES.length]!, referrerHost: i % 4 === 0 ? 'instagram.com' : '' },
        rule: '',
      };
    }),
  ).flat();

const useFor = async (sql: Sql, keyId: string): Promise<void> => {
  const [row] = await sql<[{ accountId: string }]>`select account_id from api_keys where id = ${keyId}`;
  const nowMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  await insertHours(
    sql,
    Array.from({ length: DAYS - 1 }, (_, day) => {
      const used = { ...row, keyId, hour: new Date(nowMs - day * DAY_MS), calls: 1 };
      return [
        usedHour({ ...used, kind: 'bulk', monthly: 40 + ((day * 7) % 30) }),
        usedHour({ ...used, kind: 'image', monthly: 10 + ((day * 11) % 17) }),
      ];
    }).flat(),
  );
};

/** Creates the account with folders, codes, scans, a batch, keys and a full bin. */
export const makeSample = async (scope: TestScope, dashboard: TestDashboard): Promise<Sample> => {
  const { url, api, databaseUrl } = dashboard;
  const key = await dashboard.account();
  const items = Array.from({ length: CODES }, (_, index) => ({
    data: `https://example.com/menu/table-${index}`,
    dynamic: index % 2 === 0,
    dotsOptions: { type: index % 3 ? 'rounded' : 'square', color: LOOKS[index % LOOKS.length] },
  }));
  const made = await api(key, 'POST', '/api/v1/qr/bulk', { folderName: 'Spring menu', items });
  await api(key, 'POST', '/api/v1/qr/bulk', {
    folderName: 'Posters for the summer festival at the harbour',
    items: items.slice(0, 3),
  });
  const slug: string = made.results[0]!.slug;
  await api(key, 'PATCH', `/api/v1/links/${slug}`, { destination: 'https://example.com/autumn-menu' });
  const folderId: string = made.meta.folder_id;
  const codes = await api(key, 'GET', `/api/v1/folders/${folderId}/codes`);
  const binned = await api(key, 'POST', '/api/v1/folders', { name: 'Last winter' });
  await api(key, 'DELETE', `/api/v1/folders/${binned.id}`);
  const embed = { name: 'Newsletter', scopes: ['render'], rate_limit_per_second: 5 };
  const { id: keyId } = await api(key, 'POST', '/api/v1/keys', embed);

  const { sql } = await openFor(scope, { url: databaseUrl, dataDir: '' });
  await insertScans(sql, scansOf(slug));
  await useFor(sql, keyId);

  const sent = await fetch(`${url}/api/v1/batches?folder_name=Cup%20sleeves`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: `data,external_id\n${Array.from({ length: 60 }, (_, i) => `Cup ${i},A-${i}\n`).join('')}`,
  });
  const batch = (await sent.json()) as { id: string };
  await until(async () => (await api(key, 'GET', `/api/v1/batches/${batch.id}`)).state === 'done');
  const hook = await api(key, 'POST', '/api/v1/webhooks', {
    ...{ url: 'https://hooks.example.com/tessera', events: ['code.created', 'link.changed', 'scan'] },
  });
  await api(key, 'POST', `/api/v1/webhooks/${hook.id}/test`);
  await api(key, 'PUT', '/api/v1/counters/bottles', { next: 1 });
  await api(key, 'POST', '/api/v1/counters/bottles/take', { count: 500 });
  const links = ['en', 'de'].map((language) => ({
    ...{ rel: 'gs1:pip', href: `https://example.com/${language}/juice`, title: 'Apple juice' },
    hreflang: [language],
  }));
  const rules = [
    {
      name: 'swiss-german',
      when: { country: ['CH'], language: ['de'] },
      destination: 'https://example.com/ch',
    },
    { name: 'half', when: { share_percent: 50 }, destination: 'https://example.com/half' },
  ];
  const set = await api(key, 'POST', '/api/v1/rule-sets', { name: 'Swiss visitors', rules });
  const change = { rules: rules.slice(1), rule_set_id: set.id, visit_limit: 5000, password: 'harbour' };
  await api(key, 'PATCH', `/api/v1/links/${slug}`, { ...change, forward: { query: 'keep-own' } });
  const jobSent = await fetch(`${url}/api/v1/link-jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: `slug,tags\n${slug},spring\nnowhere,spring\n`,
  });
  const job = (await jobSent.json()) as { id: string };
  await until(async () => (await api(key, 'GET', `/api/v1/link-jobs/${job.id}`)).state === 'done');
  await api(key, 'POST', '/api/v1/domains', { host: 'qr.aurora.example' });
  const item = await api(key, 'POST', '/api/v1/resolver/items', { key: '(01)09521321000018', links });
  const { data: accounts } = await api(ADMIN_TOKEN, 'GET', '/admin/v1/accounts');
  const account = accounts[0]!;

  return {
    key,
    screens: [
      ['home', '/dashboard', 'Home'],
      ['codes', '/dashboard/codes', 'Codes'],
      ['folders', '/dashboard/folders', 'Folders'],
      ['folder', `/dashboard/folders/${folderId}`, 'Spring menu'],
      ['labels', `/dashboard/folders/${folderId}/labels`, 'Labels'],
      ['code', `/dashboard/codes/${codes.data.find((code) => code.slug === slug)!.id}`, 'Dynamic code'],
      ['designer', '/dashboard/design', 'Designer'],
      ['table', '/dashboard/table', 'New batch'],
      ['batches', '/dashboard/batches', 'Batches'],
      ['batch', `/dashboard/batches/${batch.id}`, 'Cup sleeves'],
      ['counters', '/dashboard/batches/counters', 'Counters'],
      ['scans', '/dashboard/scans?compare=before', 'Scans'],
      ['keys', '/dashboard/keys', 'Keys'],
      ['embedding', '/dashboard/keys/embedding', 'Embedding'],
      ['webhooks', '/dashboard/keys/webhooks', 'Webhooks'],
      ['webhook', `/dashboard/keys/webhooks/${hook.id}`, 'Webhook'],
      ['links', '/dashboard/links', 'Links'],
      ['link-settings', '/dashboard/links/settings', 'Settings of links'],
      ['domains', '/dashboard/links/domains', 'Domains'],
      ['domain', '/dashboard/links/domains/qr.aurora.example', 'qr.aurora.example'],
      ['rule-sets', '/dashboard/links/rule-sets', 'Rule sets'],
      ['rule-set', `/dashboard/links/rule-sets/${set.id}`, 'Swiss visitors'],
      ['link-jobs', '/dashboard/links/jobs', 'Files of links'],
      ['link-job', `/dashboard/links/jobs/${job.id}`, 'Change of links'],
      ['new-link-job', '/dashboard/links/jobs/new', 'Send a file of links'],
      ['resolver', '/dashboard/links/resolver', 'Resolver'],
      ['resolver-item', `/dashboard/links/resolver/${item.id}`, item.key],
      ['bin', '/dashboard/bin', 'Bin'],
      ['nowhere', '/dashboard/no/such/screen', 'Page not found'],
    ],
    operatorScreens: [
      ['operator', '/dashboard/operator', 'Accounts'],
      ['operator-account', `/dashboard/operator/accounts/${account.id}`, account.name],
    ],
  };
};
