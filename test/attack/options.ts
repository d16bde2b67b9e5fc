/** The command line of `npm run attack`. */
import { readCommand } from '../../bench/command/command.ts';
import { whole } from '../../bench/command/whole.ts';
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
    url: { type: 'string', value: 'address', text: 'the gateway, http://127.0.0.1:3000' },
    key: {
      type: 'string',
      value: 'key',
      text: 'the key of a customer whose calls must keep working meanwhile; each costs a unit',
    },
    'admin-token': {
      type: 'string',
      value: 'token',
      text: 'or ADMIN_TOKEN: runs also the attacks that create accounts of their own',
    },
    only: { type: 'string', multiple: true, default: [] as string[], value: 'name', text: 'runs one attack' },
    seed: {
      type: 'string',
      value: 'n',
      least: 0,
      isWhole: true,
      text: 'the seed of the random requests, to send the same again',
    },
    count: whole('how many requests odd-requests sends', 2000, 0),
    patience: whole('how many times longer than on an idle machine calls may wait meanwhile', 1, 1),
    json: { type: 'boolean', default: false, text: 'prints a line of JSON for each attack' },
    list: { type: 'boolean', default: false, text: 'prints the names of the attacks and what each shows' },
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

/** Parses the arguments. @returns The options, or what is wrong with them, or which text was asked for. */
export const readOptions = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AttackOptions | { readonly fault: string } | { readonly help: string } | 'list' => {
  const reading = readCommand(ATTACK, args);
  if (reading.kind === 'help') return { help: reading.text };
  if (reading.kind === 'fault') return { fault: reading.text };
  const { values } = reading;
  if (values.list) return 'list';
  if (values.url === undefined || !URL.canParse(values.url)) return { fault: '--url must be an address' };
  if (values.key === undefined) return { fault: '--key must be an API key' };
  const url = new URL(values.url);
  const host = loopbackOf(url);
  if (host === null) {
    return {
      fault: `--url must be http on a loopback address, not ${url.host}: attack only a gateway of your own`,
    };
  }
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  const count = Number(values.count);
  const port = Number(url.port || 80);
  const adminToken = values['admin-token'] ?? env.ADMIN_TOKEN ?? null;
  const written = host.includes(':') ? `[${host}]` : host;
  const bounds = { count, patience: Number(values.patience) };
  const target = {
    url: `http://${written}:${port}`,
    host,
    port,
    key: values.key,
    adminToken,
    seed,
    ...bounds,
  };
  return { target, only: values.only, json: values.json };
};
