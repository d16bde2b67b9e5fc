/** The domains of an account: registering, proving, changing and deleting them. */
import type { Sql } from '../../../db/client.ts';
import { getDomain, listDomains, NO_ANSWERS } from '../../../db/tables/domains/domains.ts';
import { listUnknown, UNKNOWN_SLUGS_MAX } from '../../../db/tables/domains/unknown-slugs.ts';
import { readHost } from '../../../domains/host.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { notFound, requireFound } from '../../auth/require-found.ts';
import {
  DomainBody,
  DomainPatch,
  HostParams,
  NewDomain,
  readAnswers,
  toDomainBody,
} from '../../schemas/domains/domain.ts';
import { toUnknownBody, UnknownQuery, UnknownSlugsBody } from '../../schemas/domains/unknown-slugs.ts';
import { readForward } from '../../schemas/forward.ts';
import { pagesOf } from '../route.ts';
import type { Need } from '../services.ts';

/** A host that is no name is unknown. */
const hostIn = ({ host }: { readonly host: string }): string => {
  const read = readHost(host);
  if (!read.ok) throw notFound('domain');
  return read.value;
};

/** Returns a domain of the account. @throws {AppError} 404 when it has none. */
const find = async (sql: Sql, accountId: string, params: { readonly host: string }) =>
  requireFound('domain', await getDomain(sql, accountId, hostIn(params)));

/** Adds the routes that list and register domains. */
export const domainRoutes = ofAccount(
  { tag: 'Domains', name: 'domains' },
  (
    route,
    {
      database: { sql },
      domains,
      linkRules: { checkPlainUrl },
      isOwnHost,
    }: Need<'database' | 'domains' | 'isOwnHost' | 'linkRules'>,
  ) => {
    route('GET /domains', {
      operationId: 'listDomains',
      summary: 'Your domains, oldest first',
      description: 'With what proves each of them, and its state.',
      ...pagesOf(DomainBody, toDomainBody, ({ accountId }, page) => listDomains(sql, accountId, page)),
    });

    route('POST /domains', {
      operationId: 'createDomain',
      summary: 'Register a host for your short links',
      description:
        'Nothing is served there before it is proved: set the TXT record or the file of `proof`, then call `verifyDomain`.',
      body: NewDomain,
      answer: DomainBody,
      status: 201,
      change: async ({ body }, { accountId }) => {
        const { host: written, prefix = '', forward = null, ...fields } = body;
        const host = readHost(written);
        if (!host.ok) throw fieldError('host', host.fault);
        if (isOwnHost(host.value)) throw fieldError('host', 'is a host of the service itself');
        const answers = { ...NO_ANSWERS, ...readAnswers(fields, checkPlainUrl) };
        const wanted = { accountId, host: host.value, prefix, answers, forward: readForward(forward) };
        return async ({ sql: tx }) => {
          const made = await domains.register(tx, wanted);
          if (made.ok) return toDomainBody(made.value);
          if (made.fault === 'taken')
            throw fieldError('host', 'is one of your domains already', 'name_taken');
          if (made.fault === 'too many')
            throw new AppError(
              'limit_reached',
              `An account may have ${domains.perAccountMax} domains; delete one first.`,
            );
          const { printedPrefix } = made.fault;
          throw fieldError(
            'prefix',
            `must be "${printedPrefix}", with which short links of this host are printed`,
          );
        };
      },
    });

    route('GET /domains/:host', {
      operationId: 'getDomain',
      summary: 'One domain',
      description: 'With what proves it, its state, and what it answers.',
      params: HostParams,
      answer: DomainBody,
      handle: async ({ params }, { accountId }) => toDomainBody(await find(sql, accountId, params)),
    });
  },
);

/** Adds the routes that change, prove and delete them. */
export const domainChangeRoutes = ofAccount(
  { tag: 'Domains', name: 'domains' },
  (
    route,
    {
      database: { sql },
      domains,
      linkRules: { checkPlainUrl },
      freeWork,
    }: Need<'database' | 'domains' | 'freeWork' | 'linkRules'>,
  ) => {
    route('PATCH /domains/:host', {
      operationId: 'updateDomain',
      summary:
        'Change what a domain answers besides short links and what those pass on, or make it the default',
      description: 'Fields that are left out stay as they are; `null` removes one.',
      params: HostParams,
      body: DomainPatch,
      answer: DomainBody,
      change: async ({ body, params }, { accountId }) => {
        const { is_default: isDefault, forward, ...fields } = body;
        const change = {
          answers: readAnswers(fields, checkPlainUrl),
          ...(forward !== undefined && { forward: readForward(forward) }),
          ...(isDefault !== undefined && { isDefault }),
        };
        const host = hostIn(params);
        return async ({ sql: tx }) => {
          const changed = await domains.change(tx, accountId, host, change);
          if (changed.ok) return toDomainBody(requireFound('domain', await getDomain(tx, accountId, host)));
          if (changed.fault === 'missing') throw notFound('domain');
          throw fieldError('is_default', 'needs a domain that is proved; prove it first');
        };
      },
    });

    route('POST /domains/:host/verify', {
      operationId: 'verifyDomain',
      summary: 'Look for the proof of a domain now',
      description:
        'Once proved, it is served within a second. The proof is looked for again each day; a domain without it for 7 days lapses.',
      params: HostParams,
      answer: DomainBody,
      fails: [409],
      handle: async ({ params }, { accountId }) => {
        freeWork.admit(accountId);
        const startMs = performance.now();
        const proved = await domains.prove(await find(sql, accountId, params));
        // Waiting is not work; a call costs as much as some answers.
        freeWork.spend(accountId, Math.min(50, performance.now() - startMs));
        if (proved.ok) return toDomainBody(proved.value);
        if (proved.fault.kind === 'missing') throw notFound('domain');
        if (proved.fault.kind === 'unproved') return toDomainBody(proved.fault.domain);
        throw new AppError(
          'in_use',
          'Another account has proved this host, and its proof is still there: remove its TXT record or file first.',
        );
      },
    });

    route('GET /domains/:host/unknown-slugs', {
      operationId: 'listUnknownSlugs',
      summary: 'The slugs that visitors asked of a domain in vain, the most frequent ones first',
      description: `The ${UNKNOWN_SLUGS_MAX} most frequent ones are kept.`,
      params: HostParams,
      querystring: UnknownQuery,
      answer: UnknownSlugsBody,
      handle: async ({ params, query }, { accountId }) => {
        const { id, unknownRequests } = await find(sql, accountId, params);
        return toUnknownBody(unknownRequests, await listUnknown(sql, id, query.limit ?? 100));
      },
    });

    route('DELETE /domains/:host', {
      operationId: 'deleteDomain',
      summary: 'Delete a domain; nothing is served there any more',
      description: 'Codes that are printed with it lead nowhere until you register and prove the host again.',
      params: HostParams,
      fails: [409],
      change: async ({ params }, { accountId }) => {
        const host = hostIn(params);
        return async ({ sql: tx }) => {
          const removed = await domains.remove(tx, accountId, host);
          if (removed.ok) return;
          if (removed.fault === 'missing') throw notFound('domain');
          throw new AppError('in_use', 'It is the default domain: set is_default to false first.');
        };
      },
    });
  },
);
