import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';

const UPLOADS = 460;
const HELD_MS = 5000;
const HEAD =
  'POST /dashboard/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n{"key":"';

export const halfOpenUploads: Attack = {
  name: 'half-open-uploads',
  holds: `customers are served while a stranger keeps ${UPLOADS} uploads open`,
  async run({ hold }) {
    const uploads = Array.from({ length: UPLOADS }, () => hold(HEAD));
    await Promise.all(uploads.map((upload) => upload.sent));
    const endMs = performance.now() + HELD_MS;
    while (performance.now() < endMs) {
      for (const upload of uploads) upload.write('x');
      await sleep(250);
    }
  },
};
