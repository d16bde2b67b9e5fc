import { createServer, type Server } from 'node:net';
import { writings } from '../../hostile/inside.ts';
import type { Attack } from '../attack.ts';
import { sendLogos } from '../send-logos.ts';

interface Canary {
  readonly port: number;
  readonly hits: () => number;
  close(): void;
}

/** Accepts connections on this machine, and counts them. */
const startCanary = (host: string, port: number): Promise<Canary | null> =>
  new Promise((resolve) => {
    let hits = 0;
    const server: Server = createServer((socket) => {
      hits += 1;
      socket.destroy();
    });
    server.once('error', () => resolve(null));
    server.listen(port, host, () => {
      const { port } = server.address() as { port: number };
      resolve({ port, hits: () => hits, close: () => server.close() });
    });
  });

/** Names are left out: looking them up would send queries to other machines. */
const isNamed = (url: string): boolean => URL.canParse(url) && /\.test\.?$/.test(new URL(url).hostname);

/** Sends logo URLs that lead to this machine: to port 80 if it is free, since other ports are refused anyway. */
export const innerAddresses: Attack = {
  name: 'inner-addresses',
  holds: 'no logo by URL reaches this machine, however the address is written',
  needsAccount: true,
  async run(field) {
    const canary = (await startCanary('127.0.0.1', 80)) ?? (await startCanary('127.0.0.1', 0));
    if (canary === null) throw new Error('nothing can listen on 127.0.0.1');
    const others = await Promise.all(['::1', '127.0.0.2'].map((host) => startCanary(host, canary.port)));
    const canaries = [canary, ...others.filter((one) => one !== null)];
    try {
      const urls = [
        ...writings(canary.port),
        `http://${field.host.replace(/^(.*:.*)$/, '[$1]')}:${field.port}/healthz`,
      ];
      await sendLogos(
        field,
        urls.filter((url) => !isNamed(url)).map((url) => [url, url] as const),
      );
    } finally {
      for (const one of canaries) one.close();
    }
    const hits = canaries.reduce((sum, one) => sum + one.hits(), 0);
    field.expect(hits === 0, `${hits} connections to this machine`);
  },
};
