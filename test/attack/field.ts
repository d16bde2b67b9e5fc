/** Creates the environment of one attack: counts requests and records faults. */
import { randomUUID } from 'node:crypto';
import { createApiKey } from '../../src/accounts/api-key.ts';
import { sendBytes } from '../hostile/wire.ts';
import type { Attacker, Field } from './attack.ts';
import { type Ask, attackersAddress, createClient } from './client.ts';
import { type Held, holdConnection } from './held.ts';

export interface Target {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Key of the customer whose calls must keep working. */
  readonly key: string;
  /** `null` skips attacks that need an account. */
  readonly adminToken: string | null;
  readonly seed: number;
  readonly count: number;
  /** How many times longer than on an idle machine other calls may take. */
  readonly patience: number;
}

export interface Record {
  readonly requests: number;
  readonly worstStatus: number | null;
  readonly faults: readonly string[];
}

/** Further faults of the same attack are not recorded. */
const MAX_FAULTS = 5;

export const createField = async (target: Target): Promise<Field & { end(): Record }> => {
  const { host, port, adminToken } = target;
  const from = await attackersAddress(host);
  const address = { host, port, ...(from === undefined ? {} : { localAddress: from }) };
  const client = createClient(host, port, from);
  const operator = createClient(host, port);
  const held: Held[] = [];
  const faults: string[] = [];
  let requests = 0;
  let worstStatus: number | null = null;

  const expect = (holds: boolean, what: string): void => {
    if (!holds && faults.length < MAX_FAULTS) faults.push(what);
  };

  const note = (what: string, status: number | null): void => {
    requests += 1;
    if (status === null) return;
    worstStatus = Math.max(worstStatus ?? 0, status);
    expect(status < 500 || status === 503, `${what}: ${status}`);
  };

  const ask = async (request: Ask) => {
    const answer = await client.ask(request);
    note(`${request.method ?? 'GET'} ${request.path.slice(0, 200)}`, answer.status);
    return answer;
  };

  const account = async ({ monthlyQuota }: { readonly monthlyQuota?: number } = {}): Promise<Attacker> => {
    if (adminToken === null) throw new Error('creating an account needs the admin token');
    const make = async (path: string, body: object) => {
      const made = await operator.ask({ method: 'POST', path: `/admin/v1${path}`, key: adminToken, body });
      if (made.status !== 201)
        throw new Error(`POST /admin/v1${path}: ${made.status} ${made.text.slice(0, 200)}`);
      return made.json;
    };
    const { id } = await make('/accounts', { name: 'attack', plan: 'pro', monthly_quota: monthlyQuota });
    const { key } = await make(`/accounts/${id}/keys`, { name: 'attack' });
    return { id, key };
  };

  return {
    host,
    port,
    seed: target.seed,
    count: target.count,
    ask,
    expect,
    account,
    async bytes(text, isWhole = true) {
      const answer = await sendBytes(address, Buffer.from(text as string, 'latin1'), isWhole);
      note(text.toString('latin1').slice(0, 200), answer.status);
      return answer;
    },
    hold(text) {
      requests += 1;
      const one = holdConnection(address, text);
      held.push(one);
      return one;
    },
    async credentials() {
      const nobody = { key: createApiKey(), adminToken: null, cookie: null, ids: [randomUUID()] };
      return adminToken === null
        ? nobody
        : { ...nobody, key: (await account({ monthlyQuota: 1_000_000 })).key };
    },
    end() {
      for (const one of held) one.drop();
      client.close();
      operator.close();
      return { requests, worstStatus, faults };
    },
  };
};
