/** The composition root: opens the stores, builds every part from the config, registers the routes. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { makeFirstAccount } from './accounts/first-start.ts';
import { createVerifying } from './compose/batches.ts';
import { createDrawing } from './compose/drawing.ts';
import { createEnding, endGateway } from './compose/ending.ts';
import { createServices } from './compose/services.ts';
import { closeOnFailure, openStores } from './compose/stores.ts';
import type { Config } from './config/config.ts';
import { createBodyBudget } from './http/bodies/body-budget.ts';
import { createGateway } from './http/gateway.ts';
import { createRateLimit } from './http/limits/rate-limit.ts';
import { accessLogMode, createLogger, logAnswers, openAccessLog, openLogOutput } from './http/log.ts';
import { registerRoutes } from './http/routes/index.ts';
import { createMeter } from './limits/meter.ts';
import type { Exposition, Metrics } from './metrics/metrics.ts';
import { createRequestMeter } from './metrics/requests.ts';
import { VERSION } from './package.ts';
import { openTracer } from './tracing/open.ts';

/** A gateway that is built and can serve. */
export interface App {
  readonly gateway: FastifyInstance;
  /** Base of short links, without a trailing slash. Without `PUBLIC_URL` it is '' until the gateway listens. */
  publicUrl(): string;
  /** Resolves when the gateway accepts connections. */
  listen(): Promise<void>;
  /** Does what `makeFirstAccount` of `accounts/first-start.ts` does. Call it when the gateway listens. */
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
 * Builds every part and registers the routes; does not listen yet. When a part fails, those already started are closed.
 *
 * @param onStuck Called when render threads hang and cannot be ended. The process should then drain and exit.
 * @param publish Returns what `/metrics` answers with, given the metrics of this process; by default those metrics.
 */
export const createApp = (
  config: Config,
  onStuck: () => void,
  publish: (own: Metrics) => Exposition = (own) => own,
): Promise<App> => {
  const logger = createLogger(config.logLevel, openLogOutput(config.adminToken));
  return closeOnFailure(logger, async (begun) => {
    // Batches and deliveries go on before the gateway listens, and name short links.
    let publicUrl = config.publicUrl ?? (config.port === 0 ? '' : urlOf(config, config.port));
    const ending = createEnding();

    const tracer = await openTracer(config.tracing, VERSION, logger);
    begun(() => tracer?.close());
    const stores = await openStores(config, logger);
    begun(stores.close);
    // Do not signal a process that is already shutting down: a second signal would cut the shutdown short.
    const drawing = createDrawing(config, stores.quota, logger, () => ending.hasBegun || onStuck());
    begun(() => drawing.logos.close());
    begun(() => drawing.pool.close({ timeoutMs: 0 }));
    const verifying = await createVerifying(config, stores, drawing, logger);
    begun(() => verifying.readers.close());
    const requests = createRequestMeter();
    const bodies = createBodyBudget(config.bodiesInFlightMaxBytes);
    const gateway = createGateway(config, logger, {
      requests,
      bodies,
      meter: createMeter(drawing.freeWork, stores.database.maxConnections, requests.begun),
      tracer,
      isImageSource: (image) => drawing.logos.checkSyntax(image) === null,
      isLeaving: () => ending.isLeaving,
      refusesWhenClosing: () => !ending.isReplaced,
      findDomain: stores.directory.find,
    });
    gateway.decorate('cursorKey', verifying.cursorKey);
    const accessLog = openAccessLog(config.adminToken);
    begun(accessLog.close);
    logAnswers(gateway, accessLogMode(config), accessLog);
    const rateLimit = await createRateLimit(gateway, config, logger);
    begun(rateLimit.close);
    const state = {
      requests,
      bodies,
      openStreams: () => Object.values(gateway.streams).reduce((sum, places) => sum + places.stats().open, 0),
      tracer,
      rateLimit,
      publicUrl: () => publicUrl,
      isDraining: () => ending.isDraining,
      publish,
    };
    const services = createServices(config, stores, drawing, verifying, state, logger);
    const { domains, verifier, batches, webhooks } = services;
    for (const work of [domains, verifier, batches.engine, webhooks.sender]) begun(() => work.close());
    const { pathname: basePath, host } = new URL(config.publicUrl ?? 'http://localhost');
    await registerRoutes(gateway, services, { ...config, basePath, resolverHost: ownHostOf(config, host) });
    await drawing.pool.ready();

    const parts = { config, gateway, stores, drawing, verifying, services, rateLimit, tracer, accessLog };
    return {
      gateway,
      publicUrl: () => publicUrl,
      async listen() {
        const { host, port } = config;
        await gateway.listen({ host, port, backlog: WAITING_CONNECTIONS });
        publicUrl ||= urlOf(config, (gateway.server.address() as AddressInfo).port);
      },
      makeFirstAccount: (tell) => makeFirstAccount(stores.database, config.demoAccount, tell),
      get stuckThreads() {
        return drawing.pool.stats().stuckThreads;
      },
      close: (options) => endGateway(parts, ending, options?.isReplaced ?? false),
    };
  });
};

/**
 * Connections that wait to be accepted; the kernel allows at most net.core.somaxconn, by default 4096. Of one more the
 * kernel ignores the first packet, and the caller sends it again after one second, then after three. Node.js has 511,
 * which a pause of 50 ms exceeds at 10,000 new connections a second.
 */
const WAITING_CONNECTIONS = 65_535;

/** Returns the address of a gateway without `PUBLIC_URL`. */
const urlOf = ({ host }: Pick<Config, 'host'>, port: number): string => `http://${hostInUrl(host)}:${port}`;

/** Returns the resolver's host when it is on and its host differs from the service's; else `null`. */
const ownHostOf = ({ resolver: { isOn, url } }: Config, publicHost: string): string | null => {
  const host = isOn && url !== null ? new URL(url).host : publicHost;
  return host === publicHost ? null : host;
};

/** RFC 3986, 3.2.2: an IPv6 address is enclosed in brackets. */
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);
