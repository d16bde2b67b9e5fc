/** The command line of `npm run attack`. */
import { parseArgs } from 'node:util';
import type { Target } from './field.ts';

export interface AttackOptions {
  readonly target: Target;
  /** Names of attacks; empty for all. */
  readonly only: readonly string[];
  /** Whether to print a line of JSON for each attack instead of the table. */
  readonly json: boolean;
}

export const USAGE = `npm run attack -- --url http://127.0.0.1:3000 --key tsr_... [options]

Attacks a gateway on this machine, and says what held. Takes only loopback addresses.

  --url          the gateway
  --key          the key of a customer whose calls must keep working meanwhile; each costs a unit
  --admin-token  or ADMIN_TOKEN: runs also the attacks that create accounts of their own
  --only         runs one attack; may be given several times
  --seed         the seed of the random requests, to send the same again
  --count        how many requests odd-requests sends (2000)
  --json         prints a line of JSON for each attack
  --list         prints the names of the attacks and what each shows
  --help`;

/** Returns the loopback address in a URL, or `null`. Looks up no name; `localhost` is 127.0.0.1. */
const loopbackOf = ({ protocol, hostname }: URL): string | null => {
  if (protocol !== 'http:') return null;
  if (hostname === 'localhost') return '127.0.0.1';
  if (hostname === '[::1]') return '::1';
  return /^127(\.\d+){3}$/.test(hostname) ? hostname : null;
};

const wholeNumber = (text: string | undefined): number | null => {
  const number = Number(text);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
};

/** Parses the arguments. @returns The options, or what is wrong with them, or which text was asked for. */
export const readOptions = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AttackOptions | { readonly fault: string } | 'help' | 'list' => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      'admin-token': { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      count: { type: 'string', default: '2000' },
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
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
  const [seed, count] = [wholeNumber(values.seed), wholeNumber(values.count)];
  if (seed === null || count === null) return { fault: '--seed and --count must be whole numbers' };
  const port = Number(url.port || 80);
  const adminToken = values['admin-token'] ?? env.ADMIN_TOKEN ?? null;
  const written = host.includes(':') ? `[${host}]` : host;
  const target = { url: `http://${written}:${port}`, host, port, key: values.key, adminToken, seed, count };
  return { target, only: values.only, json: values.json };
};
