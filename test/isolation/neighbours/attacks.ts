/** The most expensive request of about a kilobyte for each route of the OpenAPI document. */
import { LARGE_GRADIENT } from '../../../bench/load/styles.ts';
import type { Method } from '../../servers/caller.ts';
import { SAME_ORIGIN, TAG } from '../tenant.ts';
import {
  type Attack,
  addressOf,
  call,
  get,
  inTurn,
  type Lane,
  largePicture,
  madeAndDeleted,
  of,
} from './attack.ts';
import { LINKS } from './links.ts';
import { PICTURES } from './pictures.ts';

/** Changes many things, and undoes it. */
const changedAndUndone =
  (path: string, undo: string, bodyOf: (lane: Lane) => unknown): Attack =>
  async (lane) => {
    const changed = await lane.ask<{ readonly change_id: string }>('PATCH', path, { body: bodyOf(lane) });
    return changed.status < 300 ? lane.send('POST', `${undo}/${changed.body.change_id}/undo`) : undefined;
  };

/** A call of a page of the dashboard. */
const fromPage =
  (method: Method, path: string, bodyOf?: (lane: Lane) => unknown): Attack =>
  (lane) =>
    lane.send(method, path, {
      ...(bodyOf !== undefined && { body: bodyOf(lane) }),
      headers: { ...SAME_ORIGIN, cookie: lane.tenant.cookie },
    });

const manyLinks = (lane: Lane) => ({ tag: TAG, change: { destination: addressOf(lane) } });
const manyItems = (lane: Lane) => ({
  key: `(01)${lane.tenant.gtin}`,
  change: { set: [{ rel: 'gs1:pip', href: addressOf(lane), title: 'Juice' }] },
});
const someCodes = ({ tenant }: Lane) => ({ ids: tenant.codes });
const chosen = () => ({ tag: TAG });
const newItem = (lane: Lane) => ({
  key: `(01)${lane.tenant.ownGtin}(10)L${lane.next()}`,
  links: [{ rel: 'gs1:pip', href: addressOf(lane), title: 'Juice' }],
});
const smallTable = ({ next, tenant: { gtin } }: Lane) =>
  [
    'gtin,serial,rel,href,title',
    ...Array.from({ length: 20 }, (_, n) => `${gtin},S${n},gs1:pip,https://a.example/${next()},J`),
  ].join('\n');
const HOOK = { url: 'https://127.0.0.1:8443/', events: ['quota.low'] };
const SPAN = 'interval=hour&time_zone=Asia/Kolkata';
const signIn: Attack = ({ ask, tenant }) =>
  ask('POST', '/dashboard/session', { headers: SAME_ORIGIN, body: { key: tenant.key } });

/** By one or two values of `operationId`. */
const LIST: Readonly<Record<string, Attack>> = {
  askForCertificate: ({ send }) => send('GET', '/tls/ask?domain=lane.example'),
  getLiveness: ({ send }) => send('GET', '/healthz'),
  getReadiness: ({ send }) => send('GET', '/readyz'),
  getOpenApi: ({ send }) => send('GET', '/openapi.json'),
  getReceiptKeys: ({ send }) => send('GET', '/.well-known/tessera-receipts'),
  preflightRender: ({ send }) =>
    send('OPTIONS', '/api/v1/render', {
      headers: { origin: 'https://example.com', 'access-control-request-method': 'GET' },
    }),

  getUsage: get('/usage'),
  getUsageHistory: get('/usage/history?group=key&interval=month&from=2024-01-01'),
  getOwnAccount: get('/account'),
  updateOwnAccount: call('PATCH', '/account', (lane) => ({ dead_link_url: addressOf(lane) })),
  listDeadLinkChanges: get('/account/dead-link-history?limit=100'),
  listKeys: get('/keys?limit=100'),
  'createKey revokeKey': madeAndDeleted('/keys', () => ({ name: 'one', scopes: ['render'] })),
  updateKey: call('PATCH', of('/keys/:id', 'otherKey'), ({ next }) => ({ name: `key ${next()}` })),

  listFolders: get('/folders?limit=100&search=a'),
  createFolder: call('POST', '/folders', ({ next }) => ({ name: `folder ${next()}` })),
  getFolder: get(of('/folders/:id', 'folder')),
  changeFolder: call('PATCH', of('/folders/:id', 'folder'), ({ next }) => ({ keep: next() % 2 === 0 })),
  deleteFolder: inTurn(
    call('POST', of('/folders/:id/restore', 'binFolder')),
    call('DELETE', of('/folders/:id', 'binFolder')),
  ),
  restoreFolder: inTurn(
    call('DELETE', of('/folders/:id', 'binFolder')),
    call('POST', of('/folders/:id/restore', 'binFolder')),
  ),
  listFolderCodes: get(of('/folders/:id/codes?limit=100', 'folder')),
  getFolderLinksSummary: get(of('/folders/:id/links-summary', 'folder')),

  listCodes: get('/codes?search=yyyyyy&limit=100'),
  countCodes: get('/codes/count?search=yyyyyy&min_width=1'),
  getCode: get(of('/codes/:id', 'logoCode')),
  updateCode: call('PATCH', of('/codes/:id', 'logoCode'), ({ next }) => ({ name: `code ${next()}` })),
  setCodeDesign: call('PUT', of('/codes/:id/design', 'plainCode'), ({ next }) => ({
    ...LARGE_GRADIENT,
    width: 1000 + (next() % 1000),
  })),
  getLinksSummary: call('POST', '/codes/links-summary', chosen),
  moveCodes: call('POST', '/codes/move', ({ next, tenant }) => ({
    ids: tenant.codes,
    folder_id: next() % 2 === 0 ? tenant.folder : tenant.otherFolder,
  })),
  tagCodes: call('POST', '/codes/tags', ({ next, tenant }) => ({
    ids: tenant.codes,
    ...(next() % 2 === 0 ? { add: ['neighbour'] } : { remove: ['neighbour'] }),
  })),
  'deleteCodes restoreCodes': inTurn(
    call('POST', '/codes/delete', someCodes),
    call('POST', '/codes/restore', someCodes),
  ),
  'deleteCode restoreCode': inTurn(
    call('DELETE', of('/codes/:id', 'spareCode')),
    call('POST', of('/codes/:id/restore', 'spareCode')),
  ),
  listBin: get('/bin?limit=100'),

  listLinks: get('/links?limit=100&sort=scans'),
  getLink: get(of('/links/:id', 'slug')),
  updateLink: call('PATCH', of('/links/:id', 'slug'), (lane) => ({ destination: addressOf(lane) })),
  listLinkChanges: get(of('/links/:id/history?limit=100', 'slug')),
  updateLinks: call('PATCH', '/links', manyLinks),
  undoLinksChange: changedAndUndone('/api/v1/links', '/api/v1/links/changes', manyLinks),
  followLink: ({ send, tenant }) => send('GET', `/l/${tenant.slug}?${'a=b&'.repeat(200)}`),
  getLinkScans: get(of(`/links/:id/scans?${SPAN}`, 'slug')),
  listRawScans: get('/scans/raw?format=csv&limit=5000'),
  getScans: get(`/scans?${SPAN}`),

  listItems: get('/resolver/items?limit=100'),
  createItem: call('POST', '/resolver/items', newItem),
  getItem: get(of('/resolver/items/:id', 'item')),
  updateItem: call('PATCH', of('/resolver/items/:id', 'item'), (lane) => ({ links: newItem(lane).links })),
  updateItems: call('PATCH', '/resolver/items', manyItems),
  undoItemsChange: changedAndUndone('/api/v1/resolver/items', '/api/v1/resolver/changes', manyItems),
  listItemChanges: get(of('/resolver/items/:id/history?limit=100', 'item')),
  getItemScans: get(of(`/resolver/items/:id/scans?${SPAN}`, 'item')),
  importItems: call('POST', '/resolver/items/import', smallTable, { 'content-type': 'text/csv' }),
  exportItems: get('/resolver/items.csv'),
  deleteItem: madeAndDeleted('/resolver/items', newItem),

  listPresets: get('/presets?limit=100'),
  'createPreset deletePreset': madeAndDeleted('/presets', ({ next }) => ({
    name: `${next()}`,
    options: LARGE_GRADIENT,
  })),
  getPreset: get(of('/presets/:id', 'preset')),
  updatePreset: call('PATCH', of('/presets/:id', 'preset'), ({ next }) => ({ name: `logo ${next()}` })),

  listPrintProfiles: get('/print-profiles?limit=100'),
  'createPrintProfile deletePrintProfile': madeAndDeleted('/print-profiles', ({ next }) => ({
    name: `${next()}`,
    options: { format: 'pdf', width_mm: 30 },
  })),
  getPrintProfile: get(of('/print-profiles/:id', 'profile')),
  updatePrintProfile: call('PATCH', of('/print-profiles/:id', 'profile'), ({ next }) => ({
    name: `flyer ${next()}`,
  })),

  listEvents: get('/events?limit=100'),
  listWebhooks: get('/webhooks?limit=100'),
  'createWebhook deleteWebhook': madeAndDeleted('/webhooks', () => HOOK),
  getWebhook: get(of('/webhooks/:id', 'webhook')),
  updateWebhook: call('PATCH', of('/webhooks/:id', 'webhook'), () => ({ events: ['quota.low'] })),
  listWebhookSecrets: get(of('/webhooks/:id/secrets', 'webhook')),
  'createWebhookSecret deleteWebhookSecret': madeAndDeleted(of('/webhooks/:id/secrets', 'webhook')),
  listWebhookDeliveries: get(of('/webhooks/:id/deliveries?limit=100', 'webhook')),
  testWebhook: call('POST', of('/webhooks/:id/test', 'webhook')),
  redeliverEvents: call('POST', of('/webhooks/:id/redeliveries', 'webhook'), () => ({
    since: new Date(Date.now() - 3_600_000).toISOString(),
  })),
  redeliverWebhook: ({ send, tenant: { webhook, delivery } }) =>
    send('POST', `/api/v1/webhooks/${webhook}/deliveries/${delivery}/redeliver`),

  signUrl: call('POST', '/signed-urls', largePicture),
  listSigningSecrets: get('/signing-secrets'),
  'createSigningSecret deleteSigningSecret': madeAndDeleted('/signing-secrets'),

  signIn,
  getSession: fromPage('GET', '/dashboard/session'),
  signOut: async (lane) => {
    const { headers } = (await signIn(lane)) as Awaited<ReturnType<Lane['send']>>;
    const cookie = String(headers['set-cookie']).split(';', 1)[0]!;
    return lane.send('DELETE', '/dashboard/session', { headers: { ...SAME_ORIGIN, cookie } });
  },
  previewCode: fromPage('POST', '/dashboard/preview', largePicture),
  checkDesign: fromPage('POST', '/dashboard/check', largePicture),
  ...LINKS,
  ...PICTURES,
};

/** Only the operator makes these calls, so there is no attack on them. */
export const OPERATORS: readonly string[] = `
  getMetrics signInOperator getOperatorSession signOutOperator createAccount listAccounts getAccount
  updateAccount addCredits createAccountKey listAccountKeys updateAccountKey revokeAccountKey
  getAccountUsageHistory getUsageReport
`
  .trim()
  .split(/\s+/);

/** By the `operationId`. */
export const ATTACKS: Readonly<Record<string, Attack>> = Object.fromEntries(
  Object.entries(LIST).flatMap(([ids, attack]) => ids.split(' ').map((id) => [id, attack])),
);
