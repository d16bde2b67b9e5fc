/** One log line for each answered request. Lines are buffered, because writing each by itself costs too much. */
import { hostname } from 'node:os';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { levels } from 'pino';
import type { Config } from '../config/config.ts';
import { loggedPathOf, openLogOutput } from './log.ts';

/** Which answers have a line: all, those with a status of 400 or more, or none. */
export type AccessLogMode = 'all' | 'errors' | 'off';

/** Takes finished lines. */
export type AccessLog = ReturnType<typeof openAccessLog>;

/**
 * The most bytes of one write. A pipe takes this many atomically, so lines of several processes do not interleave
 * (POSIX, `write`). Lines are ASCII: Node's parser refuses other bytes in a path.
 */
const WRITE_MAX_BYTES = 4096;
const PENDING_MS = 200;

/**
 * Opens the access log on a file descriptor, standard output by default. A line is written within 200 ms; a process
 * that ends without closing the app loses those that are pending.
 *
 * @param secret What `openLogOutput` masks.
 */
export const openAccessLog = (secret: string | null, descriptor = 1) => {
  const output = openLogOutput(secret, descriptor);
  let pending = '';
  const flush = (): void => {
    if (pending !== '') output.write(pending);
    pending = '';
  };
  const timer = setInterval(flush, PENDING_MS).unref();
  return {
    write(line: string): void {
      if (pending.length + line.length > WRITE_MAX_BYTES) flush();
      pending += line;
    },
    /** Writes the pending lines, and accepts no more. */
    close(): void {
      clearInterval(timer);
      flush();
    },
  };
};

/** Whether a request is a health check. Load balancers send one every second. */
const isProbe = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config?.name === 'health';

/** The mode that the configuration asks for. Lines have the level `info`, so higher levels have none. */
export const accessLogMode = ({
  accessLog,
  logLevel,
}: Pick<Config, 'accessLog' | 'logLevel'>): AccessLogMode =>
  (levels.values[logLevel] ?? Number.POSITIVE_INFINITY) <= levels.values.info! ? accessLog : 'off';

/** A field of a line and the comma before it; '' without a value. The value must need no escaping. */
const field = (name: string, value: string | null | undefined): string =>
  value === null || value === undefined ? '' : `,"${name}":"${value}"`;

/**
 * The fields of an answer, as JSON without braces. Concatenating them by hand takes a third of the time of
 * `JSON.stringify`.
 */
const fieldsOf = (request: FastifyRequest, reply: FastifyReply): string =>
  `"reqId":"${request.id}"${field('trace_id', request.trace?.context.traceId)},"method":"${request.method}",` +
  `"path":${JSON.stringify(loggedPathOf(request))}${field('route', request.routeOptions.config?.name)},` +
  `"status":${reply.statusCode},"ms":${Math.round(reply.elapsedTime * 10) / 10}${field('failure', request.failure)}` +
  `${field('account', request.principal?.accountId ?? request.signer?.accountId)}` +
  `${field('load_test', request.loadTest)},"msg":"answered"`;

/** Logs each answer that the mode asks for, except successful health checks. */
export const logAnswers = (
  app: FastifyInstance,
  mode: AccessLogMode,
  { write }: Pick<AccessLog, 'write'>,
): void => {
  if (mode === 'off') return;
  const statusMin = mode === 'errors' ? 400 : 0;
  const level = `{"level":${levels.values.info},"time":`;
  const origin = `,"pid":${process.pid},"hostname":${JSON.stringify(hostname())},`;
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const status = reply.statusCode;
    if (status < statusMin || (status < 400 && isProbe(request))) return;
    write(`${level}${Date.now()}${origin}${fieldsOf(request, reply)}}\n`);
  });
};
