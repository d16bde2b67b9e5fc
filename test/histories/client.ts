/** Sends the calls of a history and records them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../servers/until.ts';
import type { Call } from './history.ts';
import { type Operation, type Request, readAnswer, requestOf, STATUSES } from './operations.ts';

/** An account of the run. */
export interface Account {
  readonly id: string;
  /** Each was made by the one before it; the first one by the operator. */
  readonly keys: readonly { readonly id: string; readonly key: string }[];
}

const PATIENCE_MS = 20_000;
/** A user agent whose scans count as people. */
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';

/** Sends a request. @throws When there is no answer. */
export const send = async (url: string, token: string, { method, path, headers, body }: Request) => {
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      'user-agent': BROWSER,
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** Repeats a request until it is acknowledged, which may be necessary on a busy machine. @throws After a minute. */
export const insist = async (url: string, token: string, request: Request): Promise<string> => {
  let last = { status: 0, text: '' };
  await until(
    async () => {
      last = await send(url, token, request);
      return last.status < 400;
    },
    { pauseMs: 500 },
  ).catch(() => {
    throw new Error(`${request.path} answered ${last.status}: ${last.text}`);
  });
  return last.text;
};

/** Whether nothing was sent because the connection was refused. */
const isUnsent = (error: unknown): boolean =>
  error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';

/** Whether the answer to a bulk call says that its outcome is unknown. */
const isUnknown = (text: string): boolean => text.includes('did not say whether the codes were saved');

/** The dependencies of a client. */
export interface ClientParts {
  readonly urls: readonly string[];
  readonly accounts: readonly Account[];
  readonly adminToken: string;
  readonly nowMs: () => number;
  readonly record: (call: Call) => void;
}

/** Makes a function that sends one operation to a gateway and records the call. */
export const createClient =
  ({ urls, accounts, adminToken, nowMs, record }: ClientParts) =>
  async (operation: Operation, gateway: number, attempt = 1): Promise<Call> => {
    const account = accounts[operation.account]!;
    const request = requestOf(operation, account.id);
    const token = { account: account.keys[operation.by]!.key, operator: adminToken, visitor: '' }[request.as];
    const { ok } = STATUSES[operation.kind];
    const beginMs = nowMs();
    const end = (more: Pick<Call, 'outcome' | 'status' | 'answer'>): Call => {
      const call = { operation, gateway, attempt, beginMs, endMs: nowMs(), ...more };
      record(call);
      return call;
    };
    try {
      const { status, headers, text } = await send(urls[gateway]!, token, request);
      if (status !== ok)
        return end({ outcome: isUnknown(text) ? 'indeterminate' : 'refused', status, answer: null });
      return end({ outcome: 'ok', status, answer: readAnswer(operation.kind, headers, text) });
    } catch (error) {
      return end({ outcome: isUnsent(error) ? 'refused' : 'indeterminate', status: null, answer: null });
    }
  };

const ATTEMPTS_MAX = 6;
const REPEATED = 0.35;

const UNDONE = 0.5;

/**
 * Acts like a careful caller: repeats a repeatable call until it is acknowledged, sometimes once more, visits a link
 * after editing it, and sometimes undoes a change of many.
 */
export const carryOut = async (
  call: ReturnType<typeof createClient>,
  operation: Operation,
  random: () => number,
): Promise<Call> => {
  const choose = () => (random() < 0.5 ? 0 : 1);
  let last = await call(operation, choose());
  for (let attempt = 2; operation.isKeyed && attempt <= ATTEMPTS_MAX; attempt += 1) {
    if (last.outcome === 'ok' && random() > REPEATED) break;
    if (last.outcome !== 'ok') await sleep(random() * 600);
    const next = await call(operation, choose(), attempt);
    if (last.outcome !== 'ok' || next.outcome === 'ok') last = next;
  }
  if (operation.kind === 'edit' && last.outcome === 'ok') {
    const { name, account, by, slugs, way, destination } = operation;
    const own = { name, account, by, isKeyed: false, slug: slugs.at(-1)! } as const;
    await call({ ...own, kind: 'visit' }, last.gateway);
    if (way === 'many' && random() < UNDONE) {
      const undo = { kind: 'undo', changeId: last.answer!.names!, undone: destination } as const;
      const { gateway, outcome } = await call({ ...own, ...undo }, choose());
      if (outcome === 'ok') await call({ ...own, kind: 'visit' }, gateway);
    }
  }
  return last;
};
