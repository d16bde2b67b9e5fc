/**
 * The log of the gateway, the access log, which has one line for each answered request, and where their lines go. Lines
 * of the access log are buffered, because writing each by itself costs too much.
 */

import { hostname } from 'node:os';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DestinationStream, destination, type Logger, levels, pino } from 'pino';
import { withoutKeys } from '../accounts/api-key.ts';
import type { Config } from '../config/config.ts';
import { currentTrace } from '../tracing/trace.ts';

/** What waits while a log cannot be written. Further lines are dropped. */
const WAITING_MAX_BYTES = 1024 * 1024;
/** A shorter secret may be a part of other words. */
const SECRET_MIN_LENGTH = 8;

/** Returns a function that masks a secret in lines of JSON, also as a part of an address. */
const maskingOf = (secret: string | null): ((lines: string) => string) => {
  if (secret === null || secret.length < SECRET_MIN_LENGTH) return (lines) => lines;
  const forms = [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])];
  return (lines) => forms.reduce((text, form) => text.replaceAll(form, '***'), lines);
};

/**
 * Opens a log on a file descriptor, standard output by default. `write` never throws: a full disk or a closed terminal
 * must not stop the service. Lines wait until one can be written again; then a line says how many were dropped.
 *
 * @param secret The operator's token, which may be sent in the wrong place. It is masked wherever a line has it.
 */
export const openLogOutput = (secret: string | null, descriptor = 1): DestinationStream => {
  const mask = maskingOf(secret);
  const output = destination({ dest: descriptor, sync: true, maxLength: WAITING_MAX_BYTES });
  let dropped = 0;
  output.on('drop', (lines: string) => {
    dropped += lines.split('\n').length - 1;
  });
  output.on('write', () => {
    if (dropped === 0) return;
    const line = { level: 50, time: Date.now(), pid: process.pid, dropped, msg: 'log lines dropped' };
    dropped = 0;
    output.write(`${JSON.stringify(line)}\n`);
  });
  output.on('error', () => {});
  // Not `flushSync`, which tries again for ever: nothing waits for it but lines that could not be written.
  return { write: (lines) => void output.write(mask(lines)) };
};

/**
 * The path without the query, which may hold a key and private content, and without the part of a signed picture's path
 * that replaces a query.
 */
export const toLoggedPath = (url: string): string =>
  withoutKeys(url.split('?', 1)[0] ?? '')
    .replace(/^\/i\/.*/s, '/i/***')
    .slice(0, 500);

/** Errors of requests whose path was not looked up. */
const NOT_LOOKED_UP: ReadonlySet<string | null> = new Set([
  'invalid_params',
  'method_not_allowed',
  'unauthorized',
  'admin_unauthorized',
]);

/** Whether the answer does not say that the path names anything: then it may be anything, such as a token in the wrong place. */
const namesNothing = ({ method, routeOptions, failure, principal }: FastifyRequest): boolean =>
  routeOptions?.url === undefined ||
  method === 'OPTIONS' ||
  NOT_LOOKED_UP.has(failure) ||
  (failure === 'not_found' && (principal ?? null) === null);

/** What is logged of the path of a request: its route alone when the path names nothing. */
export const loggedPathOf = (request: FastifyRequest): string =>
  namesNothing(request) ? (request.routeOptions?.url ?? '***') : toLoggedPath(request.url);

/** The logged fields of an error. Others may hold secrets: a Redis command with its password, a Postgres row. */
const ERROR_FIELDS = ['type', 'code', 'syscall', 'address', 'port', 'table_name', 'constraint_name'] as const;

const tellError = (error: Error): object => {
  const told: Record<string, unknown> = { ...pino.stdSerializers.err(error) };
  const fields = Object.fromEntries(
    ERROR_FIELDS.flatMap((name) => (name in told ? [[name, told[name]]] : [])),
  );
  return { ...fields, message: withoutKeys(String(told.message)), stack: withoutKeys(String(told.stack)) };
};

/** The fields by which tools join log lines with spans. */
const traceFields = (): object => {
  const context = currentTrace()?.context;
  return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
};

/**
 * Creates the log: JSON lines. Lines written within a trace have its ids.
 *
 * @param level A level of pino.
 * @param output Standard output, if none is given.
 */
export const createLogger = (level: string, output: DestinationStream = openLogOutput(null)): Logger =>
  pino(
    {
      level,
      mixin: traceFields,
      serializers: {
        ...pino.stdSerializers,
        err: (error: unknown) => (error instanceof Error ? tellError(error) : error),
        req: (request: FastifyRequest) => ({ method: request.method, path: loggedPathOf(request) }),
      },
    },
    output,
  );

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
