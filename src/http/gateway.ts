import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../config.ts';
import type { RequestMeter } from '../metrics/requests.ts';
import { closeConnectionsWhen, refuseWhenClosing } from './closing.ts';
import { answerErrors, answerFrameworkError } from './error-handler.ts';
import { addCommonHeaders, requestIdOf } from './headers.ts';
import { acceptJsonBodies } from './json-body.ts';
import { logAnswers } from './log.ts';
import { measureRequests } from './measure.ts';
import { createValidatorCompiler, toValidationError } from './validation.ts';

/** A body must be there by then; the largest legal one needs 15 Mbit/s for it. */
const REQUEST_TIMEOUT_MS = 120_000;
/** Above the idle timeouts of common load balancers (60 s), so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Slugs and UUIDs are far shorter. */
const MAX_PARAM_LENGTH = 200;

/**
 * Fastify with our validation, errors, headers and log, and no routes.
 *
 * @param isLeaving Whether connections shall end with their next answer.
 */
export const createGateway = (
  config: Pick<Config, 'trustProxy' | 'bodiesInFlightMaxBytes' | 'publicUrl'>,
  logger: FastifyBaseLogger,
  requests: RequestMeter,
  isImageSource: (text: string) => boolean,
  isLeaving: () => boolean,
): FastifyInstance => {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // `refuseWhenClosing` does so in our words.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: answerFrameworkError,
    schemaErrorFormatter: toValidationError,
  });
  app.setValidatorCompiler(createValidatorCompiler(isImageSource));
  app.decorateRequest('caller', null);
  app.decorateRequest('session', null);
  answerErrors(app);
  measureRequests(app, requests);
  addCommonHeaders(app, config.publicUrl?.startsWith('https:') ?? false);
  closeConnectionsWhen(app, isLeaving);
  logAnswers(app);
  refuseWhenClosing(app);
  acceptJsonBodies(app, config.bodiesInFlightMaxBytes);
  return app;
};
