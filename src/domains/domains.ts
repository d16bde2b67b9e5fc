/** Registering, proving, changing and deleting the domains of accounts, and looking for their proofs again. */
import { randomBytes } from 'node:crypto';
import { lockAccount, type Sql } from '../db/client.ts';
import type { Database } from '../db/database.ts';
import * as table from '../db/tables/domains/domains.ts';
import * as proofs from '../db/tables/domains/proofs.ts';
import { setDefaultDomain } from '../db/tables/domains/served.ts';
import { tellDomain } from '../db/tables/webhooks/events.ts';
import { countLoopFailure } from '../execution/loops.ts';
import type { Log } from '../log.ts';
import { ok, type Result, refused } from '../result.ts';
import type { FindProof } from './proof.ts';

/** A proof is looked for once a day, and each hour while it is missing. */
const CHECK_MS = 86_400_000;
const MISSING_CHECK_MS = 3_600_000;
/** A host whose proof is missing for so long is served no more. */
const GRACE_MS = 7 * 86_400_000;
/** How often a gateway looks for proofs that are due, how many it takes at once, and for how long. */
const ROUND_MS = 60_000;
const TAKEN_MAX = 20;
const LEASE_MS = 120_000;

/** Random, so that no text of the host can be it by chance. */
const createToken = (): string => randomBytes(16).toString('hex');

/** The operations on domains. */
export type Domains = ReturnType<typeof createDomains>;

/** Why a domain was not proved. `held`: another account has proved it, and its proof is still there. */
export type ProofFault =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unproved'; readonly domain: table.Domain }
  | { readonly kind: 'held' };

/** What of a domain changes; what is absent stays. */
interface DomainChange {
  readonly answers: Partial<table.DomainAnswers>;
  readonly forward?: table.Domain['forward'];
  readonly isDefault?: boolean;
}

/** The bounds of domains, and whether this gateway looks for proofs that are due. */
interface DomainOptions {
  readonly perAccountMax: number;
  readonly works: boolean;
}

/** Creates the operations. Every gateway follows a change within a second. */
export const createDomains = (
  { sql, changes }: Pick<Database, 'sql' | 'changes'>,
  find: FindProof,
  { perAccountMax, works }: DomainOptions,
  log: Pick<Log, 'info' | 'error'>,
) => {
  const announce = (tx: Sql, { host }: Pick<table.Domain, 'host'>) =>
    changes.announce(tx, { kind: 'domain', id: host });

  /** Notes a proof that was found or is missing. */
  const note = (domain: table.Domain, fault: string | null): Promise<Result<table.Domain, ProofFault>> =>
    sql.begin(async (tx) => {
      const present = await table.lockDomain(tx, domain.accountId, domain.host);
      if (present === null || present.token !== domain.token) return refused({ kind: 'missing' });
      const wasVerified = present.verifiedAt !== null;
      if (fault === null) {
        // Of accounts that prove one host at once, the last one has it.
        await proofs.lockHost(tx, present.host);
        const holder = await proofs.findHolder(tx, present);
        if (holder !== null) {
          await proofs.lapseDomain(tx, holder.id, 'Another account has proved the host.');
          await tellDomain(tx, 'domain.lapsed', holder);
        }
        const proved = await proofs.noteProof(tx, { id: present.id, fault, nextCheckMs: CHECK_MS });
        await announce(tx, present);
        if (!wasVerified) await tellDomain(tx, 'domain.verified', proved);
        return ok(proved);
      }
      const { failingSince } = present;
      if (wasVerified && failingSince !== null && Date.now() - failingSince.getTime() > GRACE_MS) {
        await proofs.lapseDomain(tx, present.id, fault);
        await announce(tx, present);
        await tellDomain(tx, 'domain.lapsed', present);
        return refused({
          kind: 'unproved',
          domain: (await table.lockDomain(tx, present.accountId, present.host))!,
        });
      }
      const nextCheckMs = wasVerified ? MISSING_CHECK_MS : null;
      return refused({
        kind: 'unproved',
        domain: await proofs.noteProof(tx, { id: present.id, fault, nextCheckMs }),
      });
    });

  /** Looks for the proof of a domain. A host that another account has proved is taken over once its proof is gone. */
  const prove = async (domain: table.Domain): Promise<Result<table.Domain, ProofFault>> => {
    const fault = await find(domain);
    if (fault === null) {
      const holder = await proofs.findHolder(sql, domain);
      if (holder !== null && (await find(holder)) === null) return refused({ kind: 'held' });
    }
    return note(domain, fault);
  };

  const checkDue = async (): Promise<void> => {
    for (const domain of await proofs.takeDueDomains(sql, TAKEN_MAX, LEASE_MS)) {
      const proved = await prove(domain);
      if (!proved.ok) log.info({ host: domain.host, why: proved.fault.kind }, 'proof of a domain is missing');
    }
  };

  const look = (): void =>
    void checkDue().catch((err: unknown) => {
      countLoopFailure('domains');
      log.error({ err }, 'proofs of domains cannot be looked for; will retry');
    });
  const timer = works ? setInterval(look, ROUND_MS).unref() : undefined;

  return {
    /** Registers a host. `taken`: the account has it. `printed`: links are printed with it and another prefix. */
    register: async (
      tx: Sql,
      wanted: Omit<table.NewDomain, 'token'>,
    ): Promise<Result<table.Domain, 'taken' | 'too many' | { readonly printedPrefix: string }>> => {
      const { accountId, host, prefix } = wanted;
      await lockAccount(tx, accountId);
      if ((await table.getDomain(tx, accountId, host)) !== null) return refused('taken');
      if ((await table.countDomains(tx, accountId)) >= perAccountMax) return refused('too many');
      const printed = await table.printedPrefix(tx, accountId, host);
      if (printed !== null && printed !== prefix) return refused({ printedPrefix: printed });
      const made = await table.insertDomain(tx, { ...wanted, token: createToken() });
      return made === null ? refused('taken') : ok(made);
    },
    prove,
    /** Changes a domain. `missing`: the account has none at the host. `unproved`: it cannot be the default one. */
    async change(
      tx: Sql,
      accountId: string,
      host: string,
      { answers, forward, isDefault }: DomainChange,
    ): Promise<Result<null, 'missing' | 'unproved'>> {
      const domain = await table.lockDomain(tx, accountId, host);
      if (domain === null) return refused('missing');
      if (isDefault && domain.verifiedAt === null) return refused('unproved');
      if (isDefault !== undefined && isDefault !== domain.isDefault)
        await setDefaultDomain(tx, accountId, isDefault ? domain.id : null);
      await table.saveSettings(tx, domain.id, {
        answers: { ...domain.answers, ...answers },
        forward: forward === undefined ? domain.forward : forward,
      });
      await announce(tx, domain);
      if (forward !== undefined) await changes.announce(tx, { kind: 'links-of', id: accountId });
      return ok(null);
    },
    /** Deletes a domain. `default`: it is the default one of its account. */
    async remove(tx: Sql, accountId: string, host: string): Promise<Result<null, 'missing' | 'default'>> {
      const domain = await table.lockDomain(tx, accountId, host);
      if (domain === null) return refused('missing');
      if (domain.isDefault) return refused('default');
      await table.removeDomain(tx, domain.id);
      await announce(tx, domain);
      await changes.announce(tx, { kind: 'preset', id: accountId });
      return ok(null);
    },
    checkDue,
    perAccountMax,
    close: () => clearInterval(timer),
  };
};
