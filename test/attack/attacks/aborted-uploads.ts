import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';

const UPLOADS = 600;
const AT_ONCE = 40;
/** Announces the largest body that a call without a key may have, then smaller ones for the room that is left. */
const announcedBytes = (sent: number): number => (sent < 440 ? 1024 * 1024 : sent < 520 ? 10_000 : 100);

const headOf = (bytes: number): string =>
  `POST /dashboard/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

export const abortedUploads: Attack = {
  name: 'aborted-uploads',
  holds: 'customers are served during and after uploads that announce a body and never send it',
  async run({ hold }) {
    for (let sent = 0; sent < UPLOADS; sent += AT_ONCE) {
      const uploads = Array.from({ length: AT_ONCE }, () => hold(headOf(announcedBytes(sent))));
      await Promise.all(uploads.map((upload) => upload.sent));
      // The gateway reads the head before the connection ends.
      await sleep(100);
      for (const upload of uploads) upload.drop();
    }
  },
};
