/** A receiver of webhooks on loopback, which notes what it gets. */
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type Listening, serve } from '../logo/network.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
  readonly body: string;
  readonly json: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Record<string, unknown>;
  };
  readonly path: string;
}

type Answering = (response: ServerResponse, received: Received) => void;

export interface Receiver extends Pick<Listening, 'close' | 'connections'> {
  readonly url: string;
  readonly received: Received[];
  /** Those of a type. */
  of(type: string): readonly Received[];
  answer: Answering;
}

/** @param host Of the loopback network. */
export const startReceiver = async (host = '127.0.0.1'): Promise<Receiver> => {
  const received: Received[] = [];
  const server = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const one = {
      headers: request.headers,
      id: String(request.headers['webhook-id']),
      body,
      json: JSON.parse(body),
      path: request.url ?? '',
    };
    received.push(one);
    receiver.answer(response, one);
  }, host);
  const receiver: Receiver = {
    ...server,
    url: `http://${host}:${server.port}/hook`,
    received,
    of: (type) => received.filter(({ json }) => json.type === type),
    answer: (response) => void response.writeHead(204).end(),
  };
  return receiver;
};

/** The signature by the formula of the standard: HMAC-SHA256 of `id.timestamp.body` under the decoded secret. */
export const signatureOf = ({ headers, id, body }: Received, secret: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
};
