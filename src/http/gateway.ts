import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../config/config.ts';
import { createTimeSlices } from '../execution/time-limits.ts';
import type { Meter } from '../limits/meter.ts';
import type { RequestMeter } from '../metrics/requests.ts';
import { PATH_MAX_CHARACTERS } from '../signed/address.ts';
import type { Tracer } from '../tracing/trace.ts';
import { COLOR_FORMAT, IMAGE_FORMAT } from '../validation/formats.ts';
import type { BodyBudget } from './bodies/body-budget.ts';
import {
  continueWhenAccepted,
  createLingering,
  limitBodyTime,
  lingerAfterAnswers,
} from './bodies/connections.ts';
import { acceptJsonBodies, BODY_LIMIT_BYTES } from './bodies/json-body.ts';
import { closeConnectionsWhen, refuseWhenClosing } from './closing.ts';
import { buildSerializers, compileWhenIdle, createOnce } from './compile.ts';
import { answerErrors, createBrokenRequestHandler, createFrameworkErrorHandler } from './error-handler.ts';
import { limitStreams } from './files/streams.ts';
import { limitUnread } from './files/unread.ts';
import { tagAnswers } from './files/versions.ts';
import { createHostRouter, type FindDomain } from './hosts.ts';
import { meterCalls } from './limits/metered.ts';
import { compressAnswers, refuseEncodedBodies } from './protocol/compression.ts';
import {
  addCommonHeaders,
  allowHeadWithoutBody,
  createCommonHeaders,
  refuseRepeatedHeaders,
  refuseUnreadHeaders,
  requestIdOf,
} from './protocol/headers.ts';
import { answerInTurns, refuseOddQueries, urlOfAnyMethod } from './protocol/requests.ts';
import { createValidatorCompiler, toValidationError } from './schemas/validation.ts';
import { measureRequests, traceRequests } from './tracing.ts';

/** Uploads of batches may take longer than others (`limitBodyTime`), and have bounds of their own. */
const REQUEST_TIMEOUT_MS = 7 * 3_600_000;
/** Longer than the idle time-outs of common load balancers (60 s), so that they close connections first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** What the gateway takes from other parts. */
export interface GatewayParts {
  readonly requests: RequestMeter;
  readonly bodies: BodyBudget;
  readonly meter: Meter;
  /** `null`: traces are passed on and not recorded. */
  readonly tracer: Tracer | null;
  /** Finds the own domain that is served at a host. */
  readonly findDomain: FindDomain;
  /** Whether a text has the form of a logo's URL or data URL. */
  isImageSource(text: string): boolean;
  /** What the answer to a path without a route says; absent: that there is no such path. */
  readonly unknownPath?: string | undefined;
  /** Whether each connection is to end with its next answer. */
  isLeaving(): boolean;
  /** Whether requests are refused once the gateway closes. */
  refusesWhenClosing(): boolean;
}

/** Lets every request begin without a caller. */
const beginAsStrangers = (app: FastifyInstance): void => {
  app.decorateRequest('principal', null);
  app.decorateRequest('preset', null);
  app.decorateRequest('presetDomain', null);
  app.decorateRequest('signer', null);
  app.decorateRequest('loadTest', null);
  app.decorateRequest('isOperator', false);
};

/** Creates a Fastify server with our validation, errors and headers, and without routes. */
export const createGateway = (
  config: Pick<Config, 'trustProxy' | 'publicUrl' | 'lingering'>,
  logger: FastifyBaseLogger,
  parts: GatewayParts,
): FastifyInstance => {
  const { requests, bodies, meter, tracer, isImageSource, isLeaving, refusesWhenClosing, findDomain } = parts;
  const sendCommonHeaders = createCommonHeaders(config.publicUrl?.startsWith('https:') ?? false);
  const lingering = createLingering(config.lingering);
  const schemas = createOnce();
  const routeHost = createHostRouter(config, findDomain);
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // `refuseWhenClosing` answers with our error instead.
    return503OnClosing: false,
    // The parameters of signed pictures are the longest; routes check all others themselves.
    routerOptions: { maxParamLength: PATH_MAX_CHARACTERS },
    rewriteUrl: (raw) => {
      routeHost(raw);
      return urlOfAnyMethod(raw);
    },
    clientErrorHandler: createBrokenRequestHandler(lingering),
    frameworkErrors: createFrameworkErrorHandler(sendCommonHeaders, lingering),
    schemaErrorFormatter: toValidationError,
    schemaController: { compilersFactory: { buildSerializer: buildSerializers(schemas.once) } },
    // Answers are not checked against these formats; saved designs were checked as requests.
    serializerOpts: { ajv: { formats: { [COLOR_FORMAT]: true, [IMAGE_FORMAT]: true } } },
  });
  const slices = createTimeSlices();
  app.setValidatorCompiler(createValidatorCompiler(isImageSource, slices, schemas.once));
  compileWhenIdle(app, schemas.makeAll);
  meterCalls(app, meter);
  limitStreams(app);
  beginAsStrangers(app);
  answerErrors(app, parts.unknownPath);
  lingerAfterAnswers(app, lingering);
  measureRequests(app, requests);
  answerInTurns(app);
  traceRequests(app, tracer);
  addCommonHeaders(app, sendCommonHeaders);
  refuseRepeatedHeaders(app);
  allowHeadWithoutBody(app);
  tagAnswers(app);
  compressAnswers(app);
  // After those that change what is sent.
  limitUnread(app);
  closeConnectionsWhen(app, isLeaving);
  limitBodyTime(app);
  continueWhenAccepted(app);
  refuseUnreadHeaders(app);
  refuseEncodedBodies(app);
  refuseOddQueries(app);
  refuseWhenClosing(app, refusesWhenClosing);
  acceptJsonBodies(app, bodies, slices);
  return app;
};
