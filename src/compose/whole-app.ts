/** Gateways that draw: they serve calls, work in the background, or both. */
import type { FastifyBaseLogger } from 'fastify';
import { makeFirstAccount } from '../accounts/first-start.ts';
import type { Config } from '../config/config.ts';
import { createRateLimit, type RateLimit } from '../http/limits/rate-limit.ts';
import { registerRoutes } from '../http/routes/index.ts';
import { registerOperation } from '../http/routes/tiers.ts';
import type { Exposition, Metrics } from '../metrics/metrics.ts';
import { VERSION } from '../package.ts';
import { openTracer } from '../tracing/open.ts';
import type { Tracer } from '../tracing/trace.ts';
import { createVerifying, type Verifying } from './batches.ts';
import { createDrawing, type Drawing } from './drawing.ts';
import { createEnding, type EndingParts, endGateway } from './ending.ts';
import { closeOnFailure } from './failure.ts';
import { createServices } from './services.ts';
import { type App, createAddress, openServer, routeOptionsOf } from './serving.ts';
import { openStores, type Stores } from './stores.ts';

/** The parts that must be ended. */
interface WholeParts {
  readonly server: ReturnType<typeof openServer>;
  readonly stores: Stores;
  readonly drawing: Drawing;
  readonly verifying: Verifying;
  readonly services: ReturnType<typeof createServices>;
  readonly rateLimit: RateLimit;
  readonly tracer: Tracer | null;
}

const endingOf = (
  { server, stores, drawing, verifying, services, rateLimit, tracer }: WholeParts,
  config: Config,
): EndingParts => ({
  config,
  gateway: server.gateway,
  endWork() {
    const { domains, verifier, batches, linkJobs, webhooks } = services;
    domains.close();
    return Promise.all([verifier, batches.engine, linkJobs, webhooks.sender].map((work) => work.close()));
  },
  giveUp: () => drawing.pool.close({ timeoutMs: 0 }),
  async closeRest(worked) {
    rateLimit.close();
    await verifying.readers.close();
    await worked;
    await drawing.logos.close();
    drawing.webp.close();
    await stores.close();
    await tracer?.close();
    server.accessLog.close();
  },
});

/** Builds a gateway that has every part; its role says what it serves, and whether it works in the background. */
export const createWholeApp = (
  config: Config,
  logger: FastifyBaseLogger,
  onStuck: () => void,
  publish: (own: Metrics) => Exposition,
): Promise<App> =>
  closeOnFailure(logger, async (begun) => {
    const servesCalls = config.duties.serves === 'calls';
    const { publicUrl, listen } = createAddress(config);
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
    const { freeWork, logos } = drawing;
    const isImageSource = (image: string): boolean => logos.checkSyntax(image) === null;
    const server = openServer(config, logger, { ...stores, ending, freeWork, tracer, isImageSource });
    const { gateway, accessLog } = server;
    begun(accessLog.close);
    gateway.decorate('cursorKey', verifying.cursorKey);
    const rateLimit = await createRateLimit(gateway, config, logger);
    begun(rateLimit.close);
    const isDraining = () => ending.isDraining;
    const state = { ...server, tracer, rateLimit, publicUrl, isDraining, publish };
    const services = createServices(config, stores, drawing, verifying, state, logger);
    const { domains, verifier, batches, linkJobs, webhooks } = services;
    for (const work of [domains, verifier, batches.engine, linkJobs, webhooks.sender])
      begun(() => work.close());
    const register = servesCalls ? registerRoutes : registerOperation;
    await register(gateway, services, routeOptionsOf(config));
    await drawing.pool.ready();

    const parts = endingOf({ server, stores, drawing, verifying, services, rateLimit, tracer }, config);
    return {
      gateway,
      publicUrl,
      listen: () => listen(gateway),
      makeFirstAccount: async (tell) =>
        !servesCalls || makeFirstAccount(stores.database, config.demoAccount, tell),
      get stuckThreads() {
        return drawing.pool.stats().stuckThreads;
      },
      close: (options) => endGateway(parts, ending, options?.isReplaced ?? false),
    };
  });
