/** Three readers that share no code, as they read a sharp picture on white paper. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { readPixels } from './decode.ts';

/** The text that each reader found; `null` when it found none. */
export interface Sight {
  readonly zxing: string | null;
  readonly jsqr: string | null;
  /** `undefined` without the Debian package `zbar-tools`. */
  readonly zbar: string | null | undefined;
}

const onPaper = async (png: Uint8Array) => {
  const page = sharp(png).flatten({ background: '#fff' }).ensureAlpha();
  const { data, info } = await page.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' } as const;
};

const run = (args: readonly string[]): Promise<string | null> =>
  new Promise((resolve, reject) => {
    execFile('zbarimg', args, { maxBuffer: 1 << 26 }, (error, stdout) => {
      const code = (error as NodeJS.ErrnoException | null)?.code;
      if (code === 'ENOENT') resolve(null);
      // 4: some picture has no code.
      else if (error === null || String(code) === '4') resolve(stdout);
      else reject(error);
    });
  });

/** Reads pictures with zbar in one process, the text of each by its place; `null` when zbar is not installed. */
const readWithZbar = async (pngs: readonly Uint8Array[]): Promise<readonly (string | null)[] | null> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-zbar-'));
  try {
    const files = pngs.map((_, i) => join(folder, `${i}.png`));
    await Promise.all(
      pngs.map(async (png, i) => {
        const grey = sharp(png).flatten({ background: '#fff' }).greyscale();
        await writeFile(files[i]!, await grey.png({ compressionLevel: 1 }).toBuffer());
      }),
    );
    const xml = await run(['-q', '--xml', '-Sdisable', '-Sqrcode.enable', ...files]);
    if (xml === null) return null;
    const sources = [...xml.matchAll(/<source href='[^']*?(\d+)\.png'>(.*?)<\/source>/gs)];
    const found = new Map(
      sources.map(([, i, inner]) => [
        Number(i),
        /<data[^>]*><!\[CDATA\[(.*?)\]\]><\/data>/s.exec(inner!)?.[1],
      ]),
    );
    return pngs.map((_, i) => found.get(i) ?? null);
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Reads pictures with all three readers. */
export const readSharp = async (pngs: readonly Uint8Array[]): Promise<readonly Sight[]> => {
  const zbar = await readWithZbar(pngs);
  const sights: Sight[] = [];
  for (const [i, png] of pngs.entries()) {
    const pixels = await onPaper(png);
    sights.push({
      zxing: (await readPixels(pixels)) ?? null,
      jsqr: jsQR.default(pixels.data, pixels.width, pixels.height)?.data ?? null,
      zbar: zbar?.[i],
    });
  }
  return sights;
};
