/** Sends ordinary requests, if possible from an address that only the attackers use. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:net';
import type { AnswerBody } from '../support/app/answer-body.ts';

export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
}

export interface Answer {
  /** `null` when the connection ended without an answer. */
  readonly status: number | null;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** `undefined`, whatever its type says, when the answer is not JSON. */
  readonly json: AnswerBody;
  readonly ms: number;
}

export interface Client {
  ask(request: Ask): Promise<Answer>;
  close(): void;
}

const TIMEOUT_MS = 30_000;

const parse = (text: string): AnswerBody => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined as unknown as AnswerBody;
  }
};

const payloadOf = (body: unknown): string | Buffer | undefined =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

/** Creates a client. @param from An address of this machine; with `undefined` the system chooses one. */
export const createClient = (host: string, port: number, from?: string): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });

  const ask = ({ method = 'GET', path, key, headers = {}, body }: Ask): Promise<Answer> =>
    new Promise((resolve) => {
      const startedMs = performance.now();
      const payload = payloadOf(body);
      const received: Buffer[] = [];
      const end = (status: number | null, headers: IncomingHttpHeaders): void => {
        const bytes = Buffer.concat(received);
        const text = bytes.toString('utf8');
        resolve({ status, headers, bytes, text, json: parse(text), ms: performance.now() - startedMs });
      };
      const sent = request({
        host,
        port,
        agent,
        method,
        path,
        timeout: TIMEOUT_MS,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
          ...headers,
        },
        ...(from === undefined ? {} : { localAddress: from }),
      });
      sent.on('timeout', () => sent.destroy());
      // A gateway that refuses an upload may close the connection during it.
      sent.on('error', () => end(null, {}));
      sent.on('response', (response) => {
        response.on('data', (part: Buffer) => received.push(part));
        response.on('error', () => end(null, {}));
        response.on('end', () => end(response.statusCode ?? null, response.headers));
      });
      sent.end(payload);
    });

  return { ask, close: () => agent.destroy() };
};

/**
 * Returns a loopback address other than the usual one, so that limits by address affect the attackers and not the
 * customers; `undefined` when there is none.
 */
export const attackersAddress = async (host: string): Promise<string | undefined> => {
  if (host !== '127.0.0.1') return undefined;
  const address = '127.0.0.66';
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(undefined))
      .listen(0, address, () => server.close(() => resolve(address)));
  });
};
