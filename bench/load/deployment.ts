/** A running deployment, as options name it. */
import { flag, Misuse, text, texts, type Values } from '../../test/support/command.ts';

/** Where a load goes. */
export interface Deployment {
  /** Scheme, host and port. */
  readonly url: string;
  /** At least one. The accounts take turns where one may make only a few calls at a time. */
  readonly keys: readonly string[];
  /** The name of the load test that marks the calls; `null`: they are not marked. */
  readonly loadTest: string | null;
}

/** The options. */
export const DEPLOYMENT = {
  url: text('address', 'loads a running deployment instead of starting a gateway'),
  key: texts('key', 'with --url: the key of a Pro account without a low rate limit'),
  'load-test': text(
    'name',
    'with --url: marks the calls by Tessera-Load-Test; the key must have load_tests, and a sandbox key then costs and saves nothing',
  ),
  'allow-remote': flag('allows hosts other than this machine'),
} as const;

const LOAD_TEST = /^[0-9A-Za-z.-]{1,64}$/;

/** Other hosts need a confirmation: a load test of the wrong host is an attack. */
export const isLoopback = (url: string): boolean => {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
};

/** Returns the deployment; `null` when the options name none. @throws {Misuse} */
export const deploymentOf = (values: Values<typeof DEPLOYMENT>): Deployment | null => {
  const { url, key: keys, 'load-test': loadTest = null } = values;
  if ((url === undefined) !== (keys.length === 0)) throw new Misuse('--url and --key must be given together');
  if (url === undefined && loadTest !== null) throw new Misuse('--load-test belongs to --url');
  if (url === undefined) return null;
  if (loadTest !== null && !LOAD_TEST.test(loadTest))
    throw new Misuse('--load-test must be 1 to 64 letters, digits, dots and hyphens');
  if (!URL.canParse(url)) throw new Misuse('--url must be an absolute URL');
  const { origin, hostname } = new URL(url);
  if (!isLoopback(url) && !values['allow-remote'])
    throw new Misuse(`${hostname} is another machine: add --allow-remote if you may load it`);
  return { url: origin, keys, loadTest };
};
