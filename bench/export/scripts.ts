/** Scripts of other load generators that send a mix. */
import { readFile } from 'node:fs/promises';
import type { Aim } from '../load/aim.ts';
import { createRequests, type Mix } from '../load/mix.ts';
import { sourceOf } from '../reports/files.ts';
import { exportMix } from './requests.ts';

const template = (name: string): Promise<string> => readFile(sourceOf(`export/${name}`), 'utf8');

const toLua = (value: unknown): string => {
  if (Array.isArray(value)) return `{${value.map(toLua).join(', ')}}`;
  if (typeof value === 'string')
    return `"${value.replace(/[^ !#-[\]-~]/g, (character) =>
      [...Buffer.from(character)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join(''),
    )}"`;
  if (value === null || typeof value !== 'object') return String(value ?? 'nil');
  return `{${Object.entries(value)
    .map(([name, one]) => `[${toLua(name)}] = ${toLua(one)}`)
    .join(', ')}}`;
};

/** What a script is made of. `url` has no path. */
export interface Exports {
  readonly url: string;
  readonly mix: Mix;
  readonly aim: Aim;
  /** Of formats that list requests. */
  readonly requests: number;
}

const vegeta = ({ url, mix, aim, requests }: Exports): string => {
  const next = createRequests(mix, aim);
  const lines = Array.from({ length: requests }, () => {
    const { method, path, headers, body } = next().request;
    const header = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    const encoded = body === undefined ? {} : { body: Buffer.from(body).toString('base64') };
    return JSON.stringify({ method, url: url + path, header, ...encoded });
  });
  return `${lines.join('\n')}\n`;
};

/** By the ending of the file: the tool, how it is run, and its script. */
export const FORMATS = {
  '.js': {
    run: (file: string) => `k6 run -e RATE=100 -e DURATION=60s ${file}`,
    script: async ({ url, mix, aim }: Exports) =>
      (await template('k6.js')).replace(
        'MIX = null',
        () => `MIX = ${JSON.stringify(exportMix(url, mix, aim))}`,
      ),
  },
  '.lua': {
    run: (file: string, url: string) => `wrk2 -t2 -c64 -d60s -R100 -s ${file} ${url}`,
    script: async ({ url, mix, aim }: Exports) =>
      (await template('wrk.lua')).replace('MIX = nil', () => `MIX = ${toLua(exportMix(url, mix, aim))}`),
  },
  '.jsonl': {
    run: (file: string) =>
      `vegeta attack -format=json -targets=${file} -redirects=-1 -rate=100 -duration=60s | vegeta report`,
    script: async (exports: Exports) => vegeta(exports),
  },
} as const;
