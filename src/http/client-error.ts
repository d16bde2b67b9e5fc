import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { AppError } from '../errors.ts';
import type { Lingering } from './bodies/lingering.ts';

const failureOf = (code: string | undefined): AppError => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('headers_too_large', 'Send at most 16 KiB of header fields, including the path.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout', 'Send the whole request in less time.');
    default:
      return new AppError(
        'malformed_request',
        'Send HTTP/1.1: percent-encode the path, end header fields with CRLF, and give the body one length.',
      );
  }
};

/**
 * Creates the handler that answers requests which Node's parser refuses, in the form of all errors, and ends the
 * connection. No route or hook sees such a request. The parser refuses all further input, so nothing else has to.
 */
export const createBrokenRequestHandler =
  (lingering: Lingering) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || lingering.has(socket)) return;
    const failure = failureOf(error.code);
    const body = JSON.stringify({ error: failure.error, details: failure.details });
    const lines = [
      `HTTP/1.1 ${failure.status} ${failure.error}`,
      'Connection: close',
      'Cache-Control: no-store',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${randomUUID()}`,
    ];
    if (socket.writable) socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    lingering.end(socket);
  };
