/** Raw HTTP: sends bytes that no client library would send, and reads the answer. */
import { connect } from 'node:net';

export interface Address {
  readonly host: string;
  readonly port: number;
  /** The source address of the connection. */
  readonly localAddress?: string;
}

export interface RawAnswer {
  /** `null` when the connection ended without an answer. */
  readonly status: number | null;
  readonly text: string;
  readonly ms: number;
  /** Whether the server neither answered nor closed the connection. */
  readonly hangs: boolean;
}

const FINAL_STATUS = /^HTTP\/1\.1 (?!1\d\d)(\d{3})/m;

/**
 * Sends bytes over a new connection, and resolves with everything received until it ended.
 *
 * @param isWhole When false, our side is closed immediately, so that the server does not wait for more.
 */
export const sendBytes = (
  to: Address,
  bytes: Buffer,
  isWhole: boolean,
  timeoutMs = 10_000,
): Promise<RawAnswer> =>
  new Promise((resolve) => {
    const startedMs = performance.now();
    const received: Buffer[] = [];
    let hangs = false;
    const socket = connect(to);
    socket.setTimeout(timeoutMs, () => {
      hangs = true;
      socket.destroy();
    });
    socket.on('data', (part) => received.push(part));
    // A server may reset the connection; bytes received before still count.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const text = Buffer.concat(received).toString('latin1');
      const status = FINAL_STATUS.exec(text)?.[1];
      resolve({
        status: status === undefined ? null : Number(status),
        text,
        ms: performance.now() - startedMs,
        hangs,
      });
    });
    if (isWhole) socket.write(bytes);
    else socket.end(bytes);
  });

/** Returns the body of an answer with its chunks joined. */
export const bodyOf = ({ text }: RawAnswer): string => {
  const head = text.slice(FINAL_STATUS.exec(text)?.index ?? 0);
  const end = head.indexOf('\r\n\r\n');
  const body = head.slice(end + 4);
  if (!/^transfer-encoding: chunked/im.test(head.slice(0, end))) return body;
  let whole = '';
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.slice(at, line), 16);
    if (line < 0 || !(length > 0)) return whole;
    whole += body.slice(line + 2, line + 2 + length);
    at = line + 2 + length + 2;
  }
};
