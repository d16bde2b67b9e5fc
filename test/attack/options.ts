/** The command line of `npm run attack`. */
import { flag, text, texts, type Values, whole } from '../../bench/command/main.ts';
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
    'Attacks a gateway on this machine, and says what held. Takes only loopback addresses. Ends with 1 when something did not hold.',
  options: {
    url: text('address', 'the gateway, http://127.0.0.1:3000'),
    key: text('key', 'the key of a customer whose calls must keep working meanwhile; each costs a unit'),
    'admin-token': text('token', 'or ADMIN_TOKEN: runs also the attacks that create accounts of their own'),
    only: texts('name', 'runs one attack'),
    seed: {
      ...text('n', 'the seed of the random requests, to send the same again'),
      ...{ least: 0, isWhole: true },
    },
    count: whole('how many requests odd-requests sends', 2000, 0),
    patience: whole('how many times longer than on an idle machine calls may wait meanwhile', 1, 1),
    json: flag('prints a line of JSON for each attack'),
    list: flag('prints the names of the attacks and what each shows'),
  },
  examples: [
    ['--url http://127.0.0.1:3000 --key "$TESSERA_KEY"', 'all attacks that need no other account'],
    ['--list', 'what there is'],
  ],
} as const;

/** Returns the loopback address in a URL, or `null`. Looks up no name; `localhost` is 127.0.0.1. */
const loopbackOf = ({ protocol, hostname }: URL): string | null => {
  if (protocol !== 'http:') return null;
  if (hostname === 'localhost') return '127.0.0.1';
  if (hostname === '[::1]') return '::1';
  return /^127(\.\d+){3}$/.test(hostname) ? hostname : null;
};

/** Returns the options, or what is wrong with them. */
export const optionsOf = (
  values: Values<typeof ATTACK>,
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
