import type { ServerResponse } from 'node:http';
import type { FastifyInstance, preParsingHookHandler } from 'fastify';

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
