/** An HTTP proxy in front of a gateway, which fails as a test says. */
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serve } from '../listen.ts';
import type { TestScope } from '../server-process.ts';

/** An answer of the gateway. */
export interface PassedAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** How a request fails: before it reaches the gateway, or once the gateway has answered. */
export type Failure =
  | { readonly isSent: false; fail(to: ServerResponse): void }
  | { readonly isSent: true; fail(to: ServerResponse, answer: PassedAnswer): void };

/** The gateway answers, and the connection of the client is reset. */
export const LOST: Failure = { isSent: true, fail: (to) => to.socket?.resetAndDestroy() };

/**
 * Starts it. Answers of the gateway are recorded, also those that are lost.
 *
 * @param failureOf How a request fails; `null` if it does not.
 */
export const startFailingProxy = async (
  scope: TestScope,
  gateway: string,
  failureOf: (request: IncomingMessage) => Failure | null,
): Promise<{ readonly url: string; readonly answers: readonly PassedAnswer[] }> => {
  const answers: PassedAnswer[] = [];
  const pass = async ({ method, url, headers }: IncomingMessage, body: Buffer): Promise<PassedAnswer> => {
    const upstream = request(gateway + url, { method, headers, agent: false }).end(body);
    const [response] = (await once(upstream, 'response')) as [IncomingMessage];
    const { 'transfer-encoding': _, ...rest } = response.headers;
    const answer = { status: response.statusCode ?? 0, headers: rest, body: await buffer(response) };
    answers.push(answer);
    return answer;
  };
  const answerTo = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    const failure = failureOf(from);
    const body = await buffer(from);
    if (failure?.isSent === false) return failure.fail(to);
    const answer = await pass(from, body);
    if (failure) failure.fail(to, answer);
    else to.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const url = await serve(scope, (from, to) => {
    answerTo(from, to).catch(() => from.socket.destroy());
  });
  return { url, answers };
};
