/** The composition root: opens the stores, builds every part from the config, registers the routes. */
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { makeFirstAccount } from './accounts/demo.ts';
import { closeOnFailure } from './compose/close-on-failure.ts';
import { createDrawing } from './compose/drawing.ts';
import { createServices } from './compose/services.ts';
import { openStores } from './compose/stores.ts';
import { createVerifying } from './compose/verifying.ts';
import type { Config } from './config/config.ts';
import { accessLogMode, logAnswers, openAccessLog } from './http/access-log.ts';
import { createBodyBudget } from './http/bodies/body-budget.ts';
import { closeGateway, stopListening } from './http/closing.ts';
import { createGateway } from './http/gateway.ts';
import { createRateLimit } from './http/limits/rate-limit.ts';
import { createLogger } from './http/log.ts';
import { registerRoutes } from './http/routes/index.ts';
import type { Exposition, Metrics } from './metrics/metrics.ts';
import { createRequestMeter } from './metrics/requests.ts';
import { openTracer } from './tracing/open.ts';
import { VERSION } from './version.ts';

/** A gateway that is built and can serve. */
export interface App {
  readonly gateway: FastifyInstance;
  /** Base of short links, without a trailing slash. Without `PUBLIC_URL` it is '' until the gateway listens. */
  publicUrl(): string;
  /** Resolves when the gateway accepts connections. */
  listen(): Promise<void>;
  /** Does what `makeFirstAccount` of `accounts/demo.ts` does. Call it when the gateway listens. */
  makeFirstAccount(tell: (key: string) => void): Promise<boolean>;
  /** Render threads that hang in native code and cannot be ended. */
  readonly stuckThreads: number;
  /**
   * Stops every part, in an order in which nothing is lost.
   *
   * @param options.isReplaced Whether another process serves on the same port. No connection is taken then, and none is
   *   refused; the grace is time to use up the open ones.
   */
  close(options?: { readonly isReplaced: boolean }): Promise<void>;
}

const IN_FLIGHT_TIMEOUT_MS = 20_000;
/** Time for balancers to send a last request over each connection that they keep open. */
const USE_UP_MS = 1000;

/**
 * Builds every part and registers the routes. Listens nowhere yet. When a part fails, those begun before are closed.
 *
 * @param onStuck Called when render threads hang and cannot be ended. The process should then drain and exit.
 * @param publish Returns what `/metrics` answers with, given the metrics of this process; these themselves by default.
 */
export const createApp = (
  config: Config,
  onStuck: () => void,
  publish: (own: Metrics) => Exposition = (own) => own,
): Promise<App> => {
  const logger = createLogger(config.logLevel);
  return closeOnFailure(logger, async (begun) => {
    let publicUrl = config.publicUrl ?? '';
    let ending = false;
    let draining = false;
    let leaving = false;
    let isReplaced = false;

    const tracer = await openTracer(config.tracing, VERSION, logger);
    begun(() => tracer?.close());
    const stores = await openStores(config, logger);
    begun(stores.close);
    // A process that is ending must not be told again, because a second signal would cut its ending short.
    const drawing = createDrawing(config, stores.quota, logger, () => ending || onStuck());
    begun(() => drawing.logos.close());
    begun(() => drawing.pool.close({ timeoutMs: 0 }));
    const verifying = await createVerifying(config, stores, drawing, logger);
    begun(() => verifying.readers.close());
    const requests = createRequestMeter();
    const bodies = createBodyBudget(config.bodiesInFlightMaxBytes);
    const gateway = createGateway(config, logger, {
      requests,
      bodies,
      tracer,
      isImageSource: (image) => drawing.logos.checkSyntax(image) === null,
      isLeaving: () => leaving,
      refusesWhenClosing: () => !isReplaced,
    });
    const accessLog = openAccessLog();
    begun(accessLog.close);
    logAnswers(gateway, accessLogMode(config), accessLog);
    const rateLimit = await createRateLimit(gateway, config, logger);
    begun(rateLimit.close);
    const state = {
      requests,
      bodies,
      tracer,
      rateLimit,
      publicUrl: () => publicUrl,
      isDraining: () => draining,
      publish,
    };
    const services = createServices(config, stores, drawing, verifying, state, logger);
    begun(() => services.verifier.close());
    begun(() => services.batches.engine.close());
    begun(() => services.webhooks.sender.close());
    const basePath = new URL(config.publicUrl ?? 'http://localhost').pathname;
    await registerRoutes(gateway, services, { ...config, basePath });
    await drawing.pool.ready();

    const useUpConnections = async (): Promise<void> => {
      stopListening(gateway);
      leaving = true;
      if (isReplaced) await sleep(config.shutdownGraceMs);
      if (isReplaced || config.shutdownGraceMs > 0) await sleep(USE_UP_MS);
    };

    return {
      gateway,
      publicUrl: () => publicUrl,
      async listen() {
        const { host, port } = config;
        await gateway.listen({ host, port });
        publicUrl ||= `http://${hostInUrl(host)}:${(gateway.server.address() as AddressInfo).port}`;
      },
      makeFirstAccount: (tell) => makeFirstAccount(stores.database, config.demoAccount, tell),
      get stuckThreads() {
        return drawing.pool.stats().stuckThreads;
      },
      async close(options) {
        ending = true;
        const verified = services.verifier.close();
        const batched = services.batches.engine.close();
        const told = services.webhooks.sender.close();
        isReplaced = options?.isReplaced ?? false;
        if (!isReplaced) {
          draining = true;
          await sleep(config.shutdownGraceMs);
        }
        // Hardly any connection is opened after the grace, so refusing new ones harms nobody. Balancers keep
        // connections open: each can still carry a last request before idle ones are closed.
        await useUpConnections();
        await closeGateway(gateway, IN_FLIGHT_TIMEOUT_MS, () => drawing.pool.close({ timeoutMs: 0 }));
        rateLimit.close();
        await verifying.readers.close();
        await verified;
        await batched;
        await told;
        await drawing.logos.close();
        drawing.webp.close();
        await stores.close();
        await tracer?.close();
        accessLog.close();
      },
    };
  });
};

/** RFC 3986, 3.2.2: an IPv6 address stands in brackets. */
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);
