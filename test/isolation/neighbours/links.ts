/** The most expensive requests of about a kilobyte for rules, jobs, imports and exports of links. */
import { NDJSON } from '../../servers/caller.ts';
import { type Attack, addressOf, call, get, inTurn, type Lane, madeAndDeleted, of } from './attack.ts';

const rulesOf = (lane: Lane) => [
  { name: 'first', when: { visit: 'first', language: ['de'] }, destination: addressOf(lane) },
];
const row = (lane: Lane) => JSON.stringify({ slug: lane.tenant.slug, destination: addressOf(lane) });
/** Sends a file with a bound of unfinished jobs, of which those beyond are refused. */
const sent = (path: string, bodyOf: (lane: Lane) => string): Attack =>
  call('POST', path, (lane) => `${bodyOf(lane)}\n`, NDJSON);

/** By one or two values of `operationId`. */
export const LINKS: Readonly<Record<string, Attack>> = {
  explainLink: call('POST', of('/links/:id/explain', 'slug'), ({ next }) => ({
    user_agent: `${'Mozilla/5.0 '.repeat(40)}${next()}`,
    accept_language: 'de,en;q=0.5,'.repeat(20).slice(0, -1),
  })),
  drawCode: call('POST', of('/codes/:id/picture', 'plainCode'), () => ({})),
  'putCodeByExternalId getCodeByExternalId': inTurn(
    call('PUT', '/codes/by-external-id/own', (lane) => ({ data: addressOf(lane), dynamic: true })),
    get('/codes/by-external-id/own'),
  ),

  listRuleSets: get('/rule-sets?limit=100'),
  'createRuleSet deleteRuleSet': madeAndDeleted('/rule-sets', (lane) => ({
    name: `set ${lane.next()}`,
    rules: rulesOf(lane),
  })),
  getRuleSet: get(of('/rule-sets/:id', 'ruleSet')),
  updateRuleSet: call('PATCH', of('/rule-sets/:id', 'ruleSet'), (lane) => ({ rules: rulesOf(lane) })),
  listRuleSetChanges: get(of('/rule-sets/:id/history?limit=100', 'ruleSet')),

  listDomains: get('/domains?limit=100'),
  'createDomain deleteDomain': async ({ next, send }: Lane) => {
    const host = `d${next()}.lane.example`;
    await send('POST', '/api/v1/domains', { body: { host } });
    await send('DELETE', `/api/v1/domains/${host}`);
  },
  getDomain: get(of('/domains/:id', 'domain')),
  updateDomain: call('PATCH', of('/domains/:id', 'domain'), (lane) => ({ root_url: addressOf(lane) })),
  listUnknownSlugs: get(of('/domains/:id/unknown-slugs?limit=1000', 'domain')),
  verifyDomain: call('POST', of('/domains/:id/verify', 'domain')),

  exportLinks: get('/links/export?format=csv'),
  createLinkImport: sent('/links/imports?dry_run=true', ({ next }) =>
    JSON.stringify({ slug: `imported${next()}`, destination: 'https://example.com/' }),
  ),
  createLinkJob: sent('/link-jobs?dry_run=true', row),
  listLinkJobs: get('/link-jobs?limit=100'),
  getLinkJob: get(of('/link-jobs/:id', 'linkJob')),
  listLinkJobFaults: get(of('/link-jobs/:id/faults', 'linkJob')),
  cancelLinkJob: call('POST', of('/link-jobs/:id/cancel', 'linkJob')),
  undoLinkJob: call('POST', of('/link-jobs/:id/undo', 'linkJob')),
  deleteLinkJob: inTurn(sent('/link-jobs', row), call('DELETE', of('/link-jobs/:id', 'linkJob'))),
};
