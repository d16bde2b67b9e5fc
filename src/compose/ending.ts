import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { closeGateway, stopListening } from '../http/closing.ts';

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

/** A gateway that is to end, and how its parts are ended. */
export interface EndingParts {
  readonly config: Pick<Config, 'shutdownGraceMs'>;
  readonly gateway: FastifyInstance;
  /** Ends the work in the background. It is called first, and waited for when no request is in flight. */
  endWork(): Promise<unknown>;
  /** Ends the work that requests wait for, because they have taken too long. */
  giveUp(): Promise<void>;
  /** Closes all other parts, in an order in which nothing is lost. */
  closeRest(worked: Promise<unknown>): Promise<void>;
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
  const { config, gateway, endWork, giveUp, closeRest } = parts;
  ending.hasBegun = true;
  ending.isReplaced = isReplaced;
  const worked = endWork();
  if (!isReplaced) {
    ending.isDraining = true;
    await sleep(config.shutdownGraceMs);
  }
  // Hardly any connection is opened after the grace, so refusing new ones harms nobody. Balancers keep connections
  // open: each can still carry a last request before idle ones are closed.
  await useUpConnections(parts, ending);
  await closeGateway(gateway, IN_FLIGHT_TIMEOUT_MS, giveUp);
  await closeRest(worked);
};
