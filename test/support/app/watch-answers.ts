/** Checks every answer of an app against the OpenAPI document, however a test requested it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Exchange } from './conformance.ts';

/** Longer bodies are files and are not checked. */
const TEXT_MAX_BYTES = 4 * 1024 * 1024;

/** Parses JSON; returns `undefined` for any other text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type Check = (exchange: Exchange) => void;
type Headers = Record<string, unknown>;

const lowerCased = (headers: object): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** The text of a body, decompressed. */
const textOf = (headers: Headers, bytes: Buffer): string =>
  (DECODERS[String(headers['content-encoding'])]?.(bytes) ?? bytes).toString();

/** Calls `tell` with an answer over a socket once it is completely sent. */
const observe = (request: IncomingMessage, response: ServerResponse, tell: Check): void => {
  let headers: Headers = {};
  const chunks: Buffer[] = [];
  let bytes = 0;
  const keep = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const part = Buffer.from(chunk as string);
    bytes += part.length;
    if (bytes <= TEXT_MAX_BYTES) chunks.push(part);
  };
  const { writeHead, write, end } = response;
  response.writeHead = ((...args: readonly unknown[]) => {
    headers = { ...headers, ...lowerCased(Object(args.at(-1))) };
    return Reflect.apply(writeHead, response, args);
  }) as typeof writeHead;
  response.write = ((...args: readonly unknown[]) => {
    keep(args[0]);
    return Reflect.apply(write, response, args);
  }) as typeof write;
  response.end = ((...args: readonly unknown[]) => {
    keep(args[0]);
    return Reflect.apply(end, response, args);
  }) as typeof end;
  response.on('finish', () => {
    // What own domains answer is their owners' choice, and not in the document.
    if (bytes > TEXT_MAX_BYTES || request.domain !== undefined) return;
    const { method = '', url = '' } = request;
    const all = { ...lowerCased(response.getHeaders()), ...headers };
    const text = textOf(all, Buffer.concat(chunks));
    tell({ method, url, status: response.statusCode, headers: all, text, json: parseJson(text) });
  });
};

/**
 * Checks all answers of an app. A mismatch makes an `inject` call fail; mismatches of other calls are added to the
 * returned list as they occur.
 */
export const watchAnswers = (gateway: FastifyInstance, check: Check): readonly unknown[] => {
  const faults: unknown[] = [];
  const note: Check = (exchange) => {
    try {
      check(exchange);
    } catch (error) {
      faults.push(error);
    }
  };
  gateway.server.prependListener('request', (request, response) => observe(request, response, note));
  const inject = gateway.inject.bind(gateway) as (
    options: InjectOptions,
  ) => ReturnType<typeof gateway.inject>;
  gateway.inject = (async (asked: InjectOptions | string) => {
    const options = typeof asked === 'string' ? { url: asked } : asked;
    const { method = 'GET', url = '' } = options;
    const answer = await inject(options);
    const { statusCode: status, headers } = answer;
    const text = textOf(headers, answer.rawPayload);
    // Without a body, the timer of the answer would keep the process alive.
    clearTimeout((answer.raw.res as { timeoutHandle?: NodeJS.Timeout }).timeoutHandle);
    if (answer.raw.req.domain === undefined)
      check({ method, url: String(url), status, headers, text, json: parseJson(text) });
    return answer;
  }) as typeof gateway.inject;
  return faults;
};
