/** A connection to an HTTP/1.1 server that carries one request at a time, on a bare socket. */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { HttpRequest } from '../load/aim.ts';

/** A complete answer. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** Why a request has no answer. */
export type Lost = 'timeout' | 'lost';

/** Carries requests one after the other. */
export interface Connection {
  /** Sends a request. Must not be called before the request before it is done. */
  send(request: HttpRequest, done: (answer: Answer | Lost) => void): void;
  /** Gives a request up that has waited since before `sinceMs` (`performance.now`). */
  expire(sinceMs: number): void;
  close(): void;
}

const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';
const HEAD_MAX_BYTES = 65_536;
/** `HTTP/1.1 200` */
const STATUS_AT = 9;

interface Head {
  readonly status: number;
  readonly bytes: number;
  /** Of the body; `null` when it comes in chunks. */
  readonly bodyBytes: number | null;
}

/** Returns the head of an answer; `null` while it is not complete. @throws When it is no answer of HTTP/1.1. */
const readHead = (received: Buffer): Head | null => {
  const end = received.indexOf(HEAD_END);
  if (end < 0) {
    if (received.length > HEAD_MAX_BYTES) throw new Error('the head of an answer has no end');
    return null;
  }
  const head = received.toString('latin1', 0, end);
  const status = Number(head.slice(STATUS_AT, STATUS_AT + 3));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
  const hasNoBody = status === 204 || status === 304;
  if (!head.startsWith('HTTP/1.1 ') || (length === undefined && !isChunked && !hasNoBody))
    throw new Error('the end of an answer is not known');
  const bodyBytes = hasNoBody ? 0 : isChunked ? null : Number(length);
  return { status, bytes: end + HEAD_END.length, bodyBytes };
};

/** Returns a body that comes in chunks; `null` while it is not complete. @throws When it is none. */
const readChunks = (received: Buffer): Buffer | null => {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = received.indexOf(LINE_END, at);
    if (line < 0) return null;
    const length = Number.parseInt(received.toString('latin1', at, line), 16);
    if (Number.isNaN(length)) throw new Error('a chunk has no length');
    const end = line + LINE_END.length + length;
    if (received.length < end + LINE_END.length) return null;
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(received.subarray(line + LINE_END.length, end));
    at = end + LINE_END.length;
  }
};

/** Returns a request as it goes over the wire. */
const written = ({ method, path, headers, body }: HttpRequest, host: string): string => {
  const all = {
    host,
    ...headers,
    ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
};

const open = ({ protocol, hostname, port }: URL): Socket => {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'https:')
    return connectTls({ host, port: Number(port || 443), servername: host, ALPNProtocols: ['http/1.1'] });
  return connectTcp({ host, port: Number(port || 80) });
};

/** Creates a connection to the server at a URL. It connects at its first request, and again after it was lost. */
export const createConnection = (url: URL): Connection => {
  let socket: Socket | null = null;
  let waiting: { readonly done: (answer: Answer | Lost) => void; readonly sinceMs: number } | null = null;
  let received: Buffer[] = [];
  let head: Head | null = null;
  let bytes = 0;

  const finish = (answer: Answer | Lost): void => {
    const { done } = waiting!;
    [waiting, head, bytes, received] = [null, null, 0, []];
    done(answer);
  };
  const drop = (why: Lost): void => {
    socket?.destroy();
    socket = null;
    if (waiting !== null) finish(why);
  };
  /** The answer, once all of it has arrived. */
  const complete = (): Answer | null => {
    head ??= readHead(Buffer.concat(received));
    if (head === null || (head.bodyBytes !== null && bytes < head.bytes + head.bodyBytes)) return null;
    const rest = Buffer.concat(received).subarray(head.bytes);
    const body = head.bodyBytes === null ? readChunks(rest) : rest;
    return body === null ? null : { status: head.status, body };
  };
  const take = (chunk: Buffer): void => {
    if (waiting === null) {
      drop('lost');
      return;
    }
    received.push(chunk);
    bytes += chunk.length;
    try {
      const answer = complete();
      if (answer !== null) finish(answer);
    } catch {
      drop('lost');
    }
  };
  const connect = (): Socket => {
    const opened = open(url);
    const ended = () => {
      if (socket === opened) drop('lost');
    };
    opened.setNoDelay(true).on('data', take).on('error', ended).on('close', ended);
    return opened;
  };

  return {
    send(request, done) {
      waiting = { done, sinceMs: performance.now() };
      socket ??= connect();
      socket.write(written(request, url.host));
    },
    expire(sinceMs) {
      if (waiting !== null && waiting.sinceMs < sinceMs) drop('timeout');
    },
    close() {
      socket?.destroy();
      socket = null;
    },
  };
};
