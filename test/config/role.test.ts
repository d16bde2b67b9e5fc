/** ROLE, and the variables that go with it. */
import t from 'tap';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { ROLES } from '../../src/config/roles.ts';

const DATABASE_URL = 'postgres://h/d';
const REDIS_URL = 'redis://h';

const faultOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

t.test('without it a gateway serves and works', async (t) => {
  t.strictSame(readConfig({}).duties, ROLES.all);
  t.match(faultOf({ ROLE: 'redirects' }), /^ROLE: must be one of all, redirect, api, worker, for example/);
});

t.test('each role but all needs the stores that it shares', async (t) => {
  const needs = (missing: string) =>
    new RegExp(`^ROLE: .* shares its stores with others: set ${missing} too, or ROLE=all$`);
  t.match(faultOf({ ROLE: 'redirect' }), needs('DATABASE_URL'));
  t.equal(faultOf({ ROLE: 'redirect', DATABASE_URL }), '', 'redirects need no ledger');
  for (const ROLE of ['api', 'worker']) {
    t.match(faultOf({ ROLE }), needs('DATABASE_URL and REDIS_URL'));
    t.match(faultOf({ ROLE, DATABASE_URL }), needs('REDIS_URL'));
    t.equal(faultOf({ ROLE, DATABASE_URL, REDIS_URL }), '');
  }
});

t.test('several processes of redirects share the database alone', async (t) => {
  const redirect = { ROLE: 'redirect', DATABASE_URL };
  t.equal(readConfig({ ...redirect, GATEWAYS: '3' }).gateways, 3);
  t.strictSame(readConfig({ ...redirect, GATEWAYS: 'auto' }).notes, []);
  t.match(faultOf({ DATABASE_URL, GATEWAYS: '3' }), /^GATEWAYS: .* set REDIS_URL too/);
});

t.test('only gateways that work take batches, and those of a role have a balancer', async (t) => {
  const workers = (ROLE: string) => readConfig({ ROLE, DATABASE_URL, REDIS_URL }).batches.workers;
  t.strictSame(['all', 'redirect', 'api', 'worker'].map(workers), [2, 0, 0, 2]);
  t.equal(readConfig({ DATABASE_URL }).shutdownGraceMs, 0);
  t.equal(readConfig({ DATABASE_URL, ROLE: 'redirect' }).shutdownGraceMs, 3000);
});
