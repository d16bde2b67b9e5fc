/** What gateways of every role have: a server without routes, its address, its logs, and how it is handed on. */
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { ownHosts } from '../domains/host.ts';
import { createBodyBudget } from '../http/bodies/body-budget.ts';
import { createGateway } from '../http/gateway.ts';
import { accessLogMode, logAnswers, openAccessLog } from '../http/log.ts';
import type { FreeWork } from '../limits/free-work.ts';
import { createMeter } from '../limits/meter.ts';
import { createRequestMeter } from '../metrics/requests.ts';
import type { Tracer } from '../tracing/trace.ts';
import type { Ending } from './ending.ts';
import type { LinkStores } from './link-stores.ts';

/** A gateway that is built and can serve. */
export interface App {
  readonly gateway: FastifyInstance;
  /** Base of short links, without a trailing slash. Without `PUBLIC_URL` it is '' until the gateway listens. */
  publicUrl(): string;
  /** Resolves when the gateway accepts connections. */
  listen(): Promise<void>;
  /**
   * Does what `makeFirstAccount` of `accounts/first-start.ts` does, where calls are served. Call it when the gateway
   * listens. @returns `false` when somebody should be told how to make the first account.
   */
  makeFirstAccount(tell: (key: string) => void | Promise<void>): Promise<boolean>;
  /** Render threads that hang in native code and cannot be ended. */
  readonly stuckThreads: number;
  /**
   * Stops every part, in an order that loses nothing.
   *
   * @param options.isReplaced Whether another process serves on the same port. This one then neither accepts nor
   *   refuses connections, and the grace period lets the open ones finish.
   */
  close(options?: { readonly isReplaced: boolean }): Promise<void>;
}

/**
 * Connections that wait to be accepted; the kernel allows at most net.core.somaxconn, by default 4096. Of one more the
 * kernel ignores the first packet, and the caller sends it again after one second, then after three. Node.js has 511,
 * which a pause of 50 ms exceeds at 10,000 new connections a second.
 */
const WAITING_CONNECTIONS = 65_535;

/** RFC 3986, 3.2.2: an IPv6 address is enclosed in brackets. */
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Returns the address of a gateway without `PUBLIC_URL`. */
const urlOf = ({ host }: Pick<Config, 'host'>, port: number): string => `http://${hostInUrl(host)}:${port}`;

/** Creates the address at which a gateway is reached; it listens there when it is told to. */
export const createAddress = (config: Config) => {
  // Work in the background goes on before the gateway listens, and names short links.
  let publicUrl = config.publicUrl ?? (config.port === 0 ? '' : urlOf(config, config.port));
  return {
    publicUrl: () => publicUrl,
    async listen(gateway: FastifyInstance): Promise<void> {
      const { host, port } = config;
      await gateway.listen({ host, port, backlog: WAITING_CONNECTIONS });
      publicUrl ||= urlOf(config, (gateway.server.address() as AddressInfo).port);
    },
  };
};

/** Returns whether a host is one of the service itself. */
export const isOwnHostOf =
  ({ resolver }: Pick<Config, 'resolver'>, publicUrl: () => string) =>
  (host: string): boolean =>
    ownHosts([publicUrl(), resolver.url]).includes(host);

/** Returns what routes are registered with: the path of `PUBLIC_URL`, and the resolver's host if it differs. */
export const routeOptionsOf = (config: Config) => {
  const { pathname: basePath, host: publicHost } = new URL(config.publicUrl ?? 'http://localhost');
  const { isOn, url } = config.resolver;
  const host = isOn && url !== null ? new URL(url).host : publicHost;
  return { ...config, basePath, resolverHost: host === publicHost ? null : host };
};

/** What the server takes from other parts. */
interface ServerParts extends Pick<LinkStores, 'database' | 'directory'> {
  readonly ending: Ending;
  readonly freeWork: FreeWork;
  readonly tracer: Tracer | null;
  /** Whether a text has the form of a logo's URL or data URL. */
  isImageSource(text: string): boolean;
}

/** Creates the server, without routes, and what is counted and logged of its requests. */
export const openServer = (
  config: Config,
  logger: FastifyBaseLogger,
  { ending, freeWork, tracer, isImageSource, database, directory }: ServerParts,
) => {
  const requests = createRequestMeter();
  const bodies = createBodyBudget(config.bodiesInFlightMaxBytes);
  const gateway = createGateway(config, logger, {
    requests,
    bodies,
    meter: createMeter(freeWork, database.maxConnections, requests.begun),
    tracer,
    isImageSource,
    isLeaving: () => ending.isLeaving,
    refusesWhenClosing: () => !ending.isReplaced,
    findDomain: directory.find,
    unknownPath: config.duties.unknownPath,
  });
  const accessLog = openAccessLog(config.adminToken);
  logAnswers(gateway, accessLogMode(config), accessLog);
  return {
    gateway,
    accessLog,
    requests,
    bodies,
    openStreams: () => Object.values(gateway.streams).reduce((sum, places) => sum + places.stats().open, 0),
  };
};
