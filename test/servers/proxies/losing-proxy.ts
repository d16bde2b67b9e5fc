/** An HTTP proxy that loses answers: the gateway has sent them, but the connection of the client is cut. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestScope } from '../server-process.ts';

/** An answer of the gateway. */
export interface PassedAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Headers of the request and of the answer. */
  readonly asked: IncomingMessage['headers'];
  readonly headers: IncomingMessage['headers'];
}

/** Starts it in front of a gateway. @param isLost Decides whether to lose an answer. */
export const startLosingProxy = async (
  scope: TestScope,
  gateway: string,
  isLost: (answer: PassedAnswer) => boolean,
): Promise<{ readonly url: string; readonly answers: readonly PassedAnswer[] }> => {
  const answers: PassedAnswer[] = [];
  const pass = async (from: IncomingMessage): Promise<{ answer: PassedAnswer; body: Buffer }> => {
    const { method = 'GET', url = '/', headers: asked } = from;
    const upstream = request(gateway + url, { method, headers: asked, agent: false });
    from.pipe(upstream);
    const [response] = (await once(upstream, 'response')) as [IncomingMessage];
    const body = await buffer(response);
    const answer = { method, url, asked, status: response.statusCode ?? 0, headers: response.headers };
    answers.push(answer);
    return { answer, body };
  };
  const server = createServer((from, to) => {
    pass(from).then(
      ({ answer, body }) => {
        if (isLost(answer)) return void from.socket.resetAndDestroy();
        const { 'transfer-encoding': _, ...headers } = answer.headers;
        to.writeHead(answer.status, headers).end(body);
      },
      () => from.socket.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers };
};
