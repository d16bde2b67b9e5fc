import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Accounts } from '../../../accounts/accounts.ts';
import type { Account } from '../../../db/tables/accounts.ts';
import { principalOf } from '../../auth/auth.ts';
import { type AccountParts, ofAccount } from '../../auth/of-account.ts';
import { BODY_ERRORS, errors, KEY_ERRORS, orNull, strict, Timestamp } from '../../schemas/atoms.ts';
import { type CheckDestination, DeadLinkUrl, readDeadLinkUrl } from '../../schemas/dead-link-url.ts';

/** What the routes of the caller's own account need. */
export interface AccountRouteParts extends AccountParts {
  readonly accounts: Accounts;
  readonly checkDestination: CheckDestination;
}

const AccountBody = Type.Object(
  {
    name: Type.String(),
    plan: Type.Enum(['free', 'pro']),
    dead_link_url: orNull(
      Type.String({ description: 'The address to which dead short links redirect; null: none.' }),
    ),
    created_at: Timestamp,
  },
  { title: 'OwnAccount' },
);

const Settings = Type.Object(
  { deadLinkUrl: DeadLinkUrl },
  {
    ...strict,
    title: 'OwnAccountPatch',
    examples: [{ deadLinkUrl: 'https://example.com/this-code-has-expired' }],
  },
);

const toBody = (account: Account | null) => {
  // Accounts are never deleted.
  if (account === null) throw new Error('the account of a key is gone');
  const { name, plan, deadLinkUrl, createdAt } = account;
  return { name, plan, dead_link_url: deadLinkUrl, created_at: createdAt.toISOString() };
};

/** Adds the routes that read the caller's own account and change its settings. */
export const accountRoutes =
  ({ accounts, checkDestination, ...parts }: AccountRouteParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ofAccount(app, 'Account', parts);
    const config = { name: 'account' };

    app.get(
      '/account',
      {
        config,
        schema: {
          operationId: 'getOwnAccount',
          summary: 'Your account and its settings',
          response: { 200: AccountBody, ...errors(...KEY_ERRORS) },
        },
      },
      async (request) => toBody(await accounts.find(principalOf(request).accountId)),
    );

    app.patch(
      '/account',
      {
        config,
        schema: {
          operationId: 'updateOwnAccount',
          summary: 'Set the address to which dead short links redirect',
          description:
            'A link is dead when it is deleted, or has not begun or has ended and has no address of its own for that. Every gateway applies it within a second. A visit of a dead link redirects there and is not counted, also after the link was purged from the bin. Without an address people see a page that says that the code leads nowhere. The history keeps every address.',
          body: Settings,
          response: { 200: AccountBody, ...errors(...BODY_ERRORS, ...KEY_ERRORS) },
        },
      },
      async (request) => {
        const url = readDeadLinkUrl(request.body.deadLinkUrl, checkDestination);
        const { accountId, keyId } = principalOf(request);
        return toBody(await accounts.leadDeadLinks(accountId, url, keyId));
      },
    );
  };
