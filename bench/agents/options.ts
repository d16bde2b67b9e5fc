/** The command line of `npm run load:agent`, and the options of a coordinator. */
import { flag, text, textOr } from '../../test/support/command.ts';
import { isLoopback } from '../load/deployment.ts';

/** The command. */
export const AGENT = {
  name: 'npm run load:agent',
  about:
    'Makes loads for npm run capacity -- --agents on another machine, until it is stopped. Both need TESSERA_AGENT_SECRET, the same random text. It crosses the network unencrypted, as do the keys of the load: use a network that you trust, or a tunnel.',
  options: {
    listen: textOr('address', '127.0.0.1:7400', 'host and port'),
    'allow-remote': flag('allows to listen beyond this machine, and to load other machines'),
  },
  examples: [
    ['', 'for a coordinator on this machine'],
    ['--listen 10.0.0.7:7400 --allow-remote', 'for one on another machine'],
  ],
  faultOf: ({
    listen,
    'allow-remote': allowRemote,
  }: {
    readonly listen: string;
    readonly 'allow-remote': boolean;
  }): string | null => faultOfAddress(listen, allowRemote, '--listen'),
} as const;

/** The option of a coordinator. */
export const AGENTS = text(
  'addresses',
  'generates the load on agents (npm run load:agent): host:port,host:port. They need the same TESSERA_AGENT_SECRET',
);

const faultOfAddress = (address: string, allowRemote: boolean, name: string): string | null => {
  const { host, hostname, port } = URL.canParse(`http://${address}`)
    ? new URL(`http://${address}`)
    : { host: '', hostname: '', port: '' };
  // A URL leaves out the port 80.
  if (host === '' || (port === '' && !address.endsWith(':80')))
    return `${name} needs a host and a port, as in 127.0.0.1:7400, not "${address}"`;
  return allowRemote || isLoopback(`http://${address}`)
    ? null
    : `${hostname} is not only this machine: add --allow-remote if you may load from there`;
};

/** Returns the addresses of the agents, none without the option, or an error message. */
export const agentsOf = (agents: string | undefined, allowRemote: boolean): readonly string[] | string => {
  const addresses = agents?.split(',').map((address) => address.trim()) ?? [];
  if (new Set(addresses).size < addresses.length) return '--agents names an agent twice';
  return addresses.map((one) => faultOfAddress(one, allowRemote, '--agents')).find(Boolean) ?? addresses;
};
