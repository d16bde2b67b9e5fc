/** A receiver of webhooks on loopback, which records requests. */
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describeWebhooks } from '../../src/http/schemas/openapi/webhooks.ts';
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
  /** Returns the deliveries of a type. */
  of(type: string): readonly Received[];
  answer: Answering;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

/** The deliveries of the OpenAPI document, without additional fields. */
const DOCUMENTED = new Map(
  Object.entries(describeWebhooks()).map(([event, { post }]) => {
    const { properties, ...schema } = post.requestBody.content['application/json'].schema;
    const data = { ...properties.data, additionalProperties: false };
    const whole = { ...schema, properties: { ...properties, data }, additionalProperties: false };
    return [event, ajv.compile(JSON.parse(JSON.stringify(whole)))] as const;
  }),
);

/** Whether a test has made up a delivery, which has only a number or no data. */
const isMadeUp = ({ data = {} }: Received['json']): boolean => 'n' in data || Object.keys(data).length === 0;

/** Returns why the document does not allow a delivery. */
const undocumentedIn = (json: Received['json']): Error[] => {
  const { type } = json;
  const validate = DOCUMENTED.get(type);
  if (validate === undefined || isMadeUp(json) || validate(json)) return [];
  return [new Error(`a delivery of ${type}, against the document: ${ajv.errorsText(validate.errors)}`)];
};

/**
 * Starts one. After its end an uncaught error is thrown if a delivery did not match the OpenAPI document.
 *
 * @param host An address of the loopback network.
 */
export const startReceiver = async (host = '127.0.0.1'): Promise<Receiver> => {
  const received: Received[] = [];
  const faults: Error[] = [];
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
    faults.push(...undocumentedIn(one.json));
    receiver.answer(response, one);
  }, host);
  const receiver: Receiver = {
    ...server,
    close: async () => {
      await server.close();
      // Throwing here would skip the teardowns that follow.
      for (const fault of faults)
        process.nextTick(() => {
          throw fault;
        });
    },
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
