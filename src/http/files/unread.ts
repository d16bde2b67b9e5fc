/**
 * Sends large answers in pieces, and bounds what they take when nobody reads them. Streams have places instead
 * (`streams.ts`).
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { onConnectionEnd } from '../bodies/connections.ts';
import { logoBytesOf, PIECE_CHARACTERS, piecesOf, sendPieces } from './logo-answer.ts';
import { STALL_TIMEOUT_MS } from './streams.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Large answers that are being sent. */
    readonly unread: ReturnType<typeof createUnread>;
    /** Counts the bytes that an answer keeps in memory, until it was sent or its connection ended. */
    keepUnread(reply: FastifyReply, bytes: number): void;
  }
}

/** Smaller answers fit into the buffers of the kernel. */
const LARGE_BYTES = 65_536;
/** Bytes of the answers of all accounts, and of one of them. */
const MAX_BYTES = 256 * 1024 * 1024;
const ACCOUNT_MAX_BYTES = MAX_BYTES / 4;
/** When the answers of all have so many bytes, none has time left. */
const FULL_BYTES = 2 * MAX_BYTES;
/** An answer has this long before it may be cut off. */
const GRACE_MS = 10_000;

interface Unread {
  readonly accountId: string;
  readonly bytes: number;
  readonly sinceMs: number;
  cut(): void;
}

/** Creates the counts of unread answers. @param nowMs The clock. */
export const createUnread = (nowMs: () => number = () => performance.now()) => {
  /** The oldest first. */
  const all = new Set<Unread>();
  const ofAccounts = new Map<string, number>();
  let bytes = 0;

  const count = (accountId: string, more: number): void => {
    bytes += more;
    const own = (ofAccounts.get(accountId) ?? 0) + more;
    if (own === 0) ofAccounts.delete(accountId);
    else ofAccounts.set(accountId, own);
  };

  const isTooMuch = (accountId: string): boolean => {
    const share = bytes > MAX_BYTES ? MAX_BYTES / ofAccounts.size : ACCOUNT_MAX_BYTES;
    return ofAccounts.get(accountId)! > Math.min(share, ACCOUNT_MAX_BYTES);
  };

  /** Ends the oldest answers of accounts that have more than they may, except for young ones unless memory is full. */
  const cutOldest = (): void => {
    const now = nowMs();
    for (const one of all) {
      if (now - one.sinceMs < GRACE_MS && bytes <= FULL_BYTES) return;
      if (isTooMuch(one.accountId)) one.cut();
    }
  };

  return {
    /** Counts an answer. Returns what forgets it; further calls are no-ops. */
    add(accountId: string, size: number, end: () => void): () => void {
      const forget = (): void => {
        if (all.delete(one)) count(accountId, -size);
      };
      const cut = (): void => {
        forget();
        end();
      };
      const one: Unread = { accountId, bytes: size, sinceMs: nowMs(), cut };
      all.add(one);
      count(accountId, size);
      if (bytes > FULL_BYTES) cutOldest();
      return forget;
    },
    cut: cutOldest,
    stats: () => ({ bytes, answers: all.size }),
  };
};

/** Cuts the connections of clients that do not read, and of accounts whose unread answers are too large together. */
export const limitUnread = (app: FastifyInstance): void => {
  const unread = createUnread();
  const looks = setInterval(unread.cut, GRACE_MS / 2).unref();
  app.addHook('onClose', async () => clearInterval(looks));

  const cutWhenStalled = ({ raw }: FastifyReply): void => {
    raw.setTimeout(STALL_TIMEOUT_MS, () => raw.destroy());
  };
  app.decorate('unread', unread);
  app.decorate('keepUnread', (reply: FastifyReply, bytes: number) => {
    if (bytes < LARGE_BYTES) return;
    cutWhenStalled(reply);
    const { principal, ip, raw } = reply.request;
    const { socket } = raw;
    if (socket.destroyed) return;
    // Strangers have a share for each address.
    const forget = unread.add(principal?.accountId ?? ip, bytes, () => socket.destroy());
    const isOver = onConnectionEnd(socket, forget);
    reply.raw.once('close', () => {
      isOver();
      forget();
    });
  });
  app.addHook('onSend', (_, reply, payload, done) => {
    if (typeof payload === 'string') {
      const bytes = Buffer.byteLength(payload);
      app.keepUnread(reply, bytes);
      if (payload.length > PIECE_CHARACTERS) {
        reply.header('content-length', bytes);
        return done(null, sendPieces(piecesOf(payload)));
      }
    } else if (Buffer.isBuffer(payload)) app.keepUnread(reply, payload.length);
    else if (typeof payload === 'object' && payload !== null) app.keepUnread(reply, logoBytesOf(payload));
    done();
  });
};
