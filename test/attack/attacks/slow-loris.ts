import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';

const OF_EACH = 100;
const HELD_MS = 6000;

const BEGINNINGS = [
  'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  'POST /dashboard/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n',
  '',
];

export const slowLoris: Attack = {
  name: 'slow-loris',
  holds: `${OF_EACH * BEGINNINGS.length} connections that send a byte now and then delay nobody`,
  async run({ hold }) {
    const slow = BEGINNINGS.flatMap((text) => Array.from({ length: OF_EACH }, () => hold(text)));
    const endMs = performance.now() + HELD_MS;
    while (performance.now() < endMs) {
      await sleep(500);
      for (const one of slow) one.write('1');
    }
  },
};
