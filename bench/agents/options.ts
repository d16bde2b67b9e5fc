/** The command line of `npm run load:agent`, and the options of a coordinator. */
import { flag, Misuse, text, textOr, type Values } from '../../test/support/command.ts';
import { isLoopback } from '../load/deployment.ts';

/** @throws {Misuse} When it is no host and port, or another machine without leave. */
const checkAddress = (address: string, allowRemote: boolean, name: string): URL => {
  const url = URL.canParse(`http://${address}`) ? new URL(`http://${address}`) : null;
  // A URL leaves out the port 80.
  if (url === null || (url.port === '' && !address.endsWith(':80')))
    throw new Misuse(`${name} needs a host and a port, as in 127.0.0.1:7400, not "${address}"`);
  if (allowRemote || isLoopback(url.href)) return url;
  throw new Misuse(`${url.hostname} is not only this machine: add --allow-remote if you may load from there`);
};

const OPTIONS = {
  listen: textOr('address', '127.0.0.1:7400', 'host and port'),
  'allow-remote': flag('allows to listen beyond this machine, and to load other machines'),
} as const;

/** The command. */
export const AGENT = {
  name: 'npm run load:agent',
  about:
    'Makes loads for npm run capacity -- --agents on another machine, until it is stopped. Both need TESSERA_AGENT_SECRET, the same random text. It crosses the network unencrypted, as do the keys of the load: use a network that you trust, or a tunnel.',
  options: OPTIONS,
  examples: [
    ['', 'for a coordinator on this machine'],
    ['--listen 10.0.0.7:7400 --allow-remote', 'for one on another machine'],
  ],
  read: ({ listen, 'allow-remote': allowRemote }: Values<typeof OPTIONS>) => {
    const { hostname, port } = checkAddress(listen, allowRemote, '--listen');
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80), allowRemote };
  },
} as const;

/** The option of a coordinator. */
export const AGENTS = text(
  'addresses',
  'generates the load on agents (npm run load:agent): host:port,host:port. They need the same TESSERA_AGENT_SECRET',
);

/** Returns the addresses of the agents, none without the option. @throws {Misuse} */
export const agentsOf = (agents: string | undefined, allowRemote: boolean): readonly string[] => {
  const addresses = agents?.split(',').map((address) => address.trim()) ?? [];
  if (new Set(addresses).size < addresses.length) throw new Misuse('--agents names an agent twice');
  for (const address of addresses) checkAddress(address, allowRemote, '--agents');
  return addresses;
};
