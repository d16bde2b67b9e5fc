/** The command line of `npm run attack`. */
import { flag, text, texts, type Values, whole } from '../support/command.ts';
import type { Target } from './field.ts';

export interface AttackOptions {
  readonly target: Target;
  /** Names of attacks; empty for all. */
  readonly only: readonly string[];
  /** Whether to print a line of JSON for each attack instead of the table. */
  readonly json: boolean;
}

/** The command. */
export const ATTACK = {
  name: 'npm run attack',
  about:
    'Attacks a gateway on this machine and reports which checks held. Accepts only loopback addresses. Exits with 1 when a check failed.',
  options: {
    url: text('address', 'the gateway, http://127.0.0.1:3000'),
    key: text('key', 'the key of a customer whose calls must keep working meanwhile; each costs a unit'),
    'admin-token': text('token', 'or ADMIN_TOKEN: also runs the attacks that create accounts'),
    only: texts('name', 'runs one attack'),
    seed: {
      ...text('n', 'the seed of the random requests, to repeat a run'),
      ...{ least: 0, isWhole: true },
    },
    count: whole('how many requests odd-requests sends', 2000, 0),
    patience: whole('how many times longer than on an idle machine calls may take during an attack', 1, 1),
    json: flag('prints a line of JSON for each attack'),
    list: flag('lists the attacks and what each of them checks'),
  },
  examples: [
    ['--url http://127.0.0.1:3000 --key "$TESSERA_KEY"', 'all attacks that need no account of their own'],
    ['--list', 'the list of attacks'],
  ],
} as const;

/** Returns the loopback address in a URL, or `null`. Resolves no host names; `localhost` is 127.0.0.1. */
const loopbackOf = ({ protocol, hostname }: URL): string | null => {
  if (protocol !== 'http:') return null;
  if (hostname === 'localhost') return '127.0.0.1';
  if (hostname === '[::1]') return '::1';
  return /^127(\.\d+){3}$/.test(hostname) ? hostname : null;
};

/** Returns the options, or an error message. */
export const optionsOf = (
  values: Values<(typeof ATTACK)['options']>,
  env: Readonly<Record<string, string | undefined>>,
): AttackOptions | string => {
  if (values.url === undefined || !URL.canParse(values.url)) return '--url must be an address';
  if (values.key === undefined) return '--key must be an API key';
  const url = new URL(values.url);
  const host = loopbackOf(url);
  if (host === null)
    return `--url must be http on a loopback address, not ${url.host}: attack only a gateway of your own`;
  const port = Number(url.port || 80);
  const target = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    host,
    port,
    key: values.key,
    adminToken: values['admin-token'] ?? env.ADMIN_TOKEN ?? null,
    seed: Number(values.seed ?? Date.now() % 2 ** 31),
    count: Number(values.count),
    patience: Number(values.patience),
  };
  return { target, only: values.only, json: values.json };
};
