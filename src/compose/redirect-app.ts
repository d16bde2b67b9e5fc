/** Gateways that serve redirects alone: they draw nothing, have no ledger, and need few rights in the database. */
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config/config.ts';
import { createAdminAuth, createAdminTokenCheck } from '../http/auth/operator-auth.ts';
import { registerRedirects } from '../http/routes/tiers.ts';
import { createFreeWork } from '../limits/free-work.ts';
import type { Exposition, Metrics } from '../metrics/metrics.ts';
import { VERSION } from '../package.ts';
import { openTracer } from '../tracing/open.ts';
import { createEnding, endGateway } from './ending.ts';
import { closeOnFailure } from './failure.ts';
import { type LinkStores, openLinkStores } from './link-stores.ts';
import { redirectMetricsOf } from './metrics.ts';
import { type App, createAddress, isOwnHostOf, openServer, routeOptionsOf } from './serving.ts';

const servicesOf = (
  config: Config,
  stores: LinkStores,
  metrics: Exposition,
  state: { publicUrl(): string; isDraining(): boolean },
) => ({
  ...stores,
  resolver: { root: () => config.resolver.url ?? state.publicUrl(), lookup: stores.items },
  metrics,
  requireAdmin: createAdminAuth(createAdminTokenCheck(config.adminToken)),
  isOwnHost: isOwnHostOf(config, state.publicUrl),
  notReady: async () => (state.isDraining() ? 'The gateway is shutting down.' : null),
  note: () => null,
});

/** Builds a gateway that answers visits, records them, and nothing else. */
export const createRedirectApp = (
  config: Config,
  logger: FastifyBaseLogger,
  publish: (own: Metrics) => Exposition,
): Promise<App> =>
  closeOnFailure(logger, async (begun) => {
    const { publicUrl, listen } = createAddress(config);
    const ending = createEnding();
    const tracer = await openTracer(config.tracing, VERSION, logger);
    begun(() => tracer?.close());
    const stores = await openLinkStores(config, logger);
    begun(stores.close);
    const freeWork = createFreeWork(config.freeWorkMsPerSecond);
    const isImageSource = () => false;
    const server = openServer(config, logger, { ...stores, ending, freeWork, tracer, isImageSource });
    const { gateway, accessLog } = server;
    begun(accessLog.close);
    const metrics = publish(redirectMetricsOf(config, stores, { ...server, tracer }));
    const services = servicesOf(config, stores, metrics, {
      publicUrl,
      isDraining: () => ending.isDraining,
    });
    await registerRedirects(gateway, services, routeOptionsOf(config));

    const parts = {
      config,
      gateway,
      endWork: async () => {},
      giveUp: async () => {},
      async closeRest() {
        await stores.close();
        await tracer?.close();
        accessLog.close();
      },
    };
    return {
      gateway,
      publicUrl,
      listen: () => listen(gateway),
      makeFirstAccount: async () => true,
      stuckThreads: 0,
      close: (options) => endGateway(parts, ending, options?.isReplaced ?? false),
    };
  });
