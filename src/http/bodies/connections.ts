/** Connections whose clients send bodies: how long these may take, and what happens to those that are refused. */
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route itself bounds the time of its bodies. */
    takesUploads?: boolean;
  }
}

/** A request must be received in this time. The largest valid body needs 15 Mbit/s for that. */
const TIMEOUT_MS = 120_000;

/** Whether a request announces a body. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Closes a connection whose request is not received within two minutes. A route with uploads sets its own bound; its
 * uploads have these two minutes after its answer. Node's `requestTimeout` would be the same for all routes.
 */
export const limitBodyTime = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!hasBody(request)) return done();
    const { raw } = request;
    const begin = (): void => {
      if (raw.complete || raw.readableEnded || raw.destroyed) return;
      const timer = setTimeout(() => {
        if (!raw.complete) raw.destroy();
      }, TIMEOUT_MS).unref();
      raw.once('close', () => clearTimeout(timer));
    };
    if (request.routeOptions.config?.takesUploads) reply.raw.once('finish', begin);
    else begin();
    return done();
  });
};

const waiting = new WeakMap<Socket, Set<() => void>>();

const runsOf = (socket: Socket): Set<() => void> => {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const runs = new Set<() => void>();
  waiting.set(socket, runs);
  socket.once('close', () => {
    for (const run of runs) run();
  });
  return runs;
};

/**
 * Calls `run` when the connection closes for any reason, unless the returned function was called before. The `close`
 * event of a response is not enough: a response that waits behind another on the same connection may never have one.
 * All requests of a connection share one listener.
 */
export const onConnectionEnd = (socket: Socket, run: () => void): (() => void) => {
  const runs = runsOf(socket);
  runs.add(run);
  return () => runs.delete(run);
};

/** Methods whose routes read bodies. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Sends `100 Continue` to a client that asked for it (`Expect: 100-continue`) once the hooks of the route have accepted
 * the request. Node would send it for every request, even one that is refused.
 */
export const continueWhenAccepted = (app: FastifyInstance): void => {
  const waiting = new WeakSet<ServerResponse>();
  app.server.on('checkContinue', (request, response) => {
    waiting.add(response);
    app.server.emit('request', request, response);
  });
  const ask: preParsingHookHandler = (_request, reply, _payload, done) => {
    if (waiting.delete(reply.raw)) reply.raw.writeContinue();
    done();
  };
  app.addHook('onRoute', (route) => {
    if (![route.method].flat().some((method) => WITH_BODY.has(method))) return;
    route.preParsing = [ask, ...[route.preParsing ?? []].flat()];
  });
};

/** Bounds of one connection. */
interface LingeringBounds {
  /** From the answer on. 0: connections are closed with their answers. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Lingering connections. */
export type Lingering = ReturnType<typeof createLingering>;

/** Connections at a time. A further one closes the one that has lingered for longest. */
const MAX = 256;
/** A client that sends nothing for this long has read the answer, or never will. */
const IDLE_MS = 5000;
const CLOSING_MS = 1000;
const LOOK_EVERY_MS = 100;

interface State {
  readonly beganMs: number;
  readonly fromBytes: number;
  bytes: number;
  movedMs: number;
}

/**
 * Creates the set of a gateway's lingering connections. Lingering close of connections on which a client still sends
 * what was refused. Closing a connection with unread bytes resets it, and the client may lose the answer. So, like
 * nginx, the gateway sends the answer, closes its own side, and discards what still arrives for a bounded time.
 */
export const createLingering = (bounds: LingeringBounds) => {
  const open = new Map<Socket, State>();
  let { timeoutMs } = bounds;
  let timer: NodeJS.Timeout | undefined;

  const isOver = (socket: Socket, state: State, nowMs: number): boolean => {
    if (socket.bytesRead !== state.bytes) {
      state.bytes = socket.bytesRead;
      state.movedMs = nowMs;
    }
    return (
      nowMs - state.beganMs > timeoutMs ||
      nowMs - state.movedMs > IDLE_MS ||
      state.bytes - state.fromBytes > bounds.maxBytes
    );
  };

  const look = (): void => {
    const nowMs = performance.now();
    for (const [socket, state] of open) if (isOver(socket, state, nowMs)) socket.destroy();
  };

  const forget = (socket: Socket): void => {
    open.delete(socket);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const end = (socket: Socket): void => {
    if (open.has(socket)) return;
    if (timeoutMs === 0 || socket.destroyed) {
      Socket.prototype.destroySoon.call(socket);
      return;
    }
    for (const oldest of open.keys()) {
      if (open.size < MAX) break;
      forget(oldest);
      oldest.destroy();
    }
    const beganMs = performance.now();
    const bytes = socket.bytesRead;
    open.set(socket, { beganMs, fromBytes: bytes, bytes, movedMs: beganMs });
    socket.once('close', () => forget(socket));
    timer ??= setInterval(look, LOOK_EVERY_MS).unref();
    socket.end();
  };

  return {
    /** Lets a connection linger once its last answer is written, if the body is unread. */
    afterAnswer({ raw: request }: FastifyRequest, reply: FastifyReply): void {
      if (request.complete || reply.getHeader('connection') !== 'close') return;
      const { socket } = request;
      // Node calls this when an answer with `Connection: close` is written.
      socket.destroySoon = () => {
        end(socket);
        // Whoever read the body has stopped.
        request.removeAllListeners('data').removeAllListeners('readable').resume();
        if (request.readableEnded) Socket.prototype.destroySoon.call(socket);
        else request.once('end', () => Socket.prototype.destroySoon.call(socket));
      };
    },
    /** Ends a connection whose answer is written. */
    end,
    /** Whether the connection is lingering. What arrives on it is not a request. */
    has: (socket: Socket): boolean => open.has(socket),
    /** Lets no connection linger for much longer, because the gateway is closing. */
    hurry(): void {
      timeoutMs = Math.min(timeoutMs, CLOSING_MS);
    },
  };
};

/**
 * Lets connections linger after answers, and drops requests that arrive meanwhile. Must be added before all other
 * hooks.
 */
export const lingerAfterAnswers = (app: FastifyInstance, lingering: Lingering): void => {
  app.addHook('preClose', async () => lingering.hurry());
  app.addHook('onRequest', (request, reply, done) => {
    if (!lingering.has(request.raw.socket)) return done();
    reply.hijack();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    lingering.afterAnswer(request, reply);
    done();
  });
};
