import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { closeGateway, stopListening } from '../http/closing.ts';
import type { createGateway } from '../http/gateway.ts';
import type { RateLimit } from '../http/limits/rate-limit.ts';
import type { AccessLog } from '../http/log.ts';
import type { Tracer } from '../tracing/trace.ts';
import type { Verifying } from './batches.ts';
import type { Drawing } from './drawing.ts';
import type { createServices } from './services.ts';
import type { Stores } from './stores.ts';

/** How far a gateway is on the way to its end. Its parts look at this while they serve; only `endGateway` writes it. */
export interface Ending {
  hasBegun: boolean;
  /** Balancers are told that no more requests should come. */
  isDraining: boolean;
  /** Each answer is the last of its connection. */
  isLeaving: boolean;
  /** Another process serves on the same port. */
  isReplaced: boolean;
}

/** The state of a gateway whose end has not begun. */
export const createEnding = (): Ending => ({
  hasBegun: false,
  isDraining: false,
  isLeaving: false,
  isReplaced: false,
});

/** The parts of a gateway that must be ended. */
export interface EndingParts {
  readonly config: Config;
  readonly gateway: ReturnType<typeof createGateway>;
  readonly stores: Stores;
  readonly drawing: Drawing;
  readonly verifying: Verifying;
  readonly services: ReturnType<typeof createServices>;
  readonly rateLimit: RateLimit;
  readonly tracer: Tracer | null;
  readonly accessLog: AccessLog;
}

const IN_FLIGHT_TIMEOUT_MS = 20_000;
/** Time for balancers to send a last request over each connection that they keep open. */
const USE_UP_MS = 1000;

const useUpConnections = async ({ config, gateway }: EndingParts, ending: Ending): Promise<void> => {
  await stopListening(gateway);
  ending.isLeaving = true;
  if (ending.isReplaced) await sleep(config.shutdownGraceMs);
  if (ending.isReplaced || config.shutdownGraceMs > 0) await sleep(USE_UP_MS);
};

/** Stops every part, in an order in which nothing is lost, and notes in `ending` how far it is. */
export const endGateway = async (parts: EndingParts, ending: Ending, isReplaced: boolean): Promise<void> => {
  const { config, gateway, stores, drawing, verifying, services, rateLimit, tracer, accessLog } = parts;
  ending.hasBegun = true;
  ending.isReplaced = isReplaced;
  const verified = services.verifier.close();
  const batched = services.batches.engine.close();
  const changed = services.linkJobs.close();
  const told = services.webhooks.sender.close();
  services.domains.close();
  if (!isReplaced) {
    ending.isDraining = true;
    await sleep(config.shutdownGraceMs);
  }
  // Hardly any connection is opened after the grace, so refusing new ones harms nobody. Balancers keep connections
  // open: each can still carry a last request before idle ones are closed.
  await useUpConnections(parts, ending);
  await closeGateway(gateway, IN_FLIGHT_TIMEOUT_MS, () => drawing.pool.close({ timeoutMs: 0 }));
  rateLimit.close();
  await verifying.readers.close();
  await verified;
  await batched;
  await changed;
  await told;
  await drawing.logos.close();
  drawing.webp.close();
  await stores.close();
  await tracer?.close();
  accessLog.close();
};
