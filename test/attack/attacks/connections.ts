/** Connections that are opened but misused. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';

const ABORTED = 600;
const AT_ONCE = 40;
/** Announces the largest body that an unauthenticated call may have, then smaller ones for the remaining room. */
const announcedBytes = (sent: number): number => (sent < 440 ? 1024 * 1024 : sent < 520 ? 10_000 : 100);

const headOf = (bytes: number): string =>
  `POST /dashboard/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

export const abortedUploads: Attack = {
  name: 'aborted-uploads',
  holds: 'customers are served during and after uploads that announce a body but never send it',
  async run({ hold }) {
    for (let sent = 0; sent < ABORTED; sent += AT_ONCE) {
      const uploads = Array.from({ length: AT_ONCE }, () => hold(headOf(announcedBytes(sent))));
      await Promise.all(uploads.map((upload) => upload.sent));
      // The gateway reads the head before the connection ends.
      await sleep(100);
      for (const upload of uploads) upload.drop();
    }
  },
};

const HALF_OPEN = 460;
const UPLOAD_HELD_MS = 5000;
const UPLOAD =
  'POST /dashboard/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n{"key":"';

export const halfOpenUploads: Attack = {
  name: 'half-open-uploads',
  holds: `customers are served while an unauthenticated caller keeps ${HALF_OPEN} uploads open`,
  async run({ hold }) {
    const uploads = Array.from({ length: HALF_OPEN }, () => hold(UPLOAD));
    await Promise.all(uploads.map((upload) => upload.sent));
    const endMs = performance.now() + UPLOAD_HELD_MS;
    while (performance.now() < endMs) {
      for (const upload of uploads) upload.write('x');
      await sleep(250);
    }
  },
};

const OF_EACH = 100;
const SLOW_HELD_MS = 6000;

const BEGINNINGS = [
  'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  'POST /dashboard/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n',
  '',
];

export const slowLoris: Attack = {
  name: 'slow-loris',
  holds: `${OF_EACH * BEGINNINGS.length} connections that send a byte now and then delay no other caller`,
  async run({ hold }) {
    const slow = BEGINNINGS.flatMap((text) => Array.from({ length: OF_EACH }, () => hold(text)));
    const endMs = performance.now() + SLOW_HELD_MS;
    while (performance.now() < endMs) {
      await sleep(500);
      for (const one of slow) one.write('1');
    }
  },
};
