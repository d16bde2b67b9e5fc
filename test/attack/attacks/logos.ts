/** Logos that could cost seconds or gigabytes, or reach internal addresses. */
import { createServer, type Server } from 'node:net';
import { writings } from '../../hostile/inside.ts';
import { blackPng, dataUri, pngChunk, svgUri } from '../../hostile/pictures.ts';
import { BOX, forbiddenContents, oddFiles, svgBombs } from '../../hostile/svgs.ts';
import type { Attack, Field } from '../attack.ts';

/** Logos sent by each account, because the service limits how often one account may fail. */
const PER_ACCOUNT = 8;
const PARALLEL = 3;
const LOGO_MAX_MS = 20_000;
/** The statuses that a request may get, whatever its logo. */
const FINE = [200, 400, 413, 429, 503];

/** Requests a small picture with each logo, from accounts that the attack creates. */
const sendLogos = async (
  { ask, expect, account }: Field,
  logos: readonly (readonly [name: string, image: string])[],
): Promise<void> => {
  const queue = [...logos];
  const send = async (): Promise<void> => {
    while (queue.length > 0) {
      const { key } = await account();
      for (const [name, image] of queue.splice(0, PER_ACCOUNT)) {
        const body = { data: 'x', width: 64, height: 64, image };
        const { status, ms } = await ask({ method: 'POST', path: '/api/v1/qr', key, body });
        expect(status !== null && FINE.includes(status), `${name}: ${status}`);
        expect(ms < LOGO_MAX_MS, `${name}: ${Math.round(ms)} ms`);
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, send));
};

export const hostileSvgs: Attack = {
  name: 'hostile-svgs',
  holds: 'SVG logos that could cost seconds or gigabytes are drawn or refused while customers are served',
  needsAccount: true,
  async run(field) {
    const drawings = [...svgBombs(), ...forbiddenContents()];
    const files = oddFiles().map(([name, file]) => [name, dataUri('svg+xml', file)] as const);
    await sendLogos(field, [...drawings.map(([name, text]) => [name, svgUri(BOX, text)] as const), ...files]);
  },
};

/** Returns a PNG that ends after its header. */
const headerOf = (widthPx: number, heightPx: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([16, 6, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), pngChunk('IHDR', header)]);
};

export const bitmapBombs: Attack = {
  name: 'bitmap-bombs',
  holds: 'bitmaps of a few kilobytes that decompress to gigabytes are refused by their header',
  needsAccount: true,
  async run(field) {
    const bombs: readonly (readonly [string, Buffer])[] = [
      ['20,000 squared', blackPng(20_000, 20_000, { bitDepth: 1, colorType: 0 })],
      ['30,000 squared', blackPng(30_000, 30_000, { bitDepth: 1, colorType: 0 })],
      ['4,096 squared of 16 bits', blackPng(4096, 4096, { bitDepth: 16, colorType: 6 })],
      ['4,096 squared, interlaced', blackPng(4096, 4096, { bitDepth: 16, colorType: 6, interlaced: true })],
      ['1 x 100,000', blackPng(1, 100_000, { bitDepth: 1, colorType: 0 })],
      ['a header of 2^31 squared', headerOf(0x7fff_ffff, 0x7fff_ffff)],
      ['a header of size 0', headerOf(0, 0)],
      ['a text of a megabyte', blackPng(9, 9, { extra: pngChunk('tEXt', Buffer.alloc(1_000_000, 'x')) })],
    ];
    const repeated = Array.from({ length: 4 }, () => bombs).flat();
    await sendLogos(
      field,
      repeated.map(([name, file]) => [name, dataUri('png', file)] as const),
    );
  },
};

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

/** Host names are left out, because resolving them would send queries to other machines. */
const isNamed = (url: string): boolean => URL.canParse(url) && /\.test\.?$/.test(new URL(url).hostname);

/** Sends logo URLs that point to this machine, on port 80 if it is free, since other ports are refused anyway. */
export const innerAddresses: Attack = {
  name: 'inner-addresses',
  holds: 'no logo URL makes the gateway connect to this machine, however the address is written',
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
