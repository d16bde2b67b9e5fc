/** A gateway in a separate process, with an account and a key, for tests that need no embedded database. */

import { createAccount } from '../../servers/account.ts';
import { type GatewayProcess, type Launch, startGateway } from '../../servers/gateway-process.ts';
import type { TestScope } from '../../servers/server-process.ts';
import { realDatabaseUrl } from '../database/database.ts';
import { ADMIN_TOKEN } from './app.ts';

/**
 * Starts a gateway on a Postgres server, which takes half the processor time of one with an embedded database, and
 * creates a key for an account on the Pro plan.
 */
export const startGatewayWithKey = async (
  scope: TestScope,
  env: Readonly<Record<string, string>> = {},
  options?: Launch,
): Promise<GatewayProcess & { readonly key: string }> => {
  const DATABASE_URL = await realDatabaseUrl();
  const gateway = await startGateway(scope, { DATABASE_URL, ADMIN_TOKEN, ...env }, options);
  const { key } = await createAccount(gateway.url, ADMIN_TOKEN, 'test', {});
  return { ...gateway, key };
};
