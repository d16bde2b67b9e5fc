import { connect, type Socket } from 'node:net';
import type { Address } from '../hostile/wire.ts';

/** A connection that is kept open. */
export interface Held {
  write(text: string): void;
  /** Destroys it at once, without a clean shutdown. */
  drop(): void;
  /** Resolves when all written bytes have left this process, or the connection has ended. */
  readonly sent: Promise<void>;
}

export const holdConnection = (to: Address, text: string | Buffer): Held => {
  const socket: Socket = connect(to);
  // A gateway may refuse by closing the connection; the attack decides whether that is a fault.
  socket.on('error', () => undefined);
  socket.resume();
  const sent = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.write(text, () => resolve());
  });
  return {
    write: (more) => void (socket.writable && socket.write(more)),
    drop: () => void socket.destroy(),
    sent,
  };
};
