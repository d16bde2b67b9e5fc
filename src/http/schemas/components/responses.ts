import { STATUS_CODES } from 'node:http';
import { HEADERS, type HeaderName } from '../openapi-headers.ts';
import type { Json, Operation, Response } from './document.ts';
import { hoistSchemas } from './titled.ts';

const headerRef = (name: string): Json => {
  if (!(name in HEADERS)) throw new Error(`the header ${name} is unknown: add it to openapi-headers.ts`);
  return { $ref: `#/components/headers/${name}` };
};

const isCounted = ({ security = [] }: Operation): boolean =>
  security.some((scheme) => 'apiKey' in scheme || 'queryKey' in scheme || 'session' in scheme);

/** Returns the headers that a response has by its operation and status. */
const impliedHeaders = (operation: Operation, status: string): HeaderName[] => {
  const limits: HeaderName[] =
    status === '429' || (isCounted(operation) && /^2/.test(status)) ? ['RateLimit-Policy', 'RateLimit'] : [];
  return ['X-Request-Id', ...limits, ...(/^(429|503)$/.test(status) ? (['Retry-After'] as const) : [])];
};

/**
 * Returns a response with references to its headers, including those that every such response has. Moves its schemas to
 * `schemas`.
 *
 * @throws {Error} A header is unknown.
 */
export const toResponse = (
  operation: Operation,
  response: Response,
  status: string,
  schemas: Json,
): Response => {
  const names = [...impliedHeaders(operation, status), ...Object.keys(response.headers ?? {})];
  return {
    description:
      response.description === 'Default Response' ? `${STATUS_CODES[status]}.` : response.description,
    ...(names.length === 0
      ? {}
      : { headers: Object.fromEntries(names.map((name) => [name, headerRef(name)])) }),
    ...(response.content && { content: hoistSchemas(response.content, schemas) as Record<string, Json> }),
  };
};
