/** Scripts of other load generators that send a mix. */
import { readFile } from 'node:fs/promises';
import { sourceOf } from '../files.ts';
import type { Aim } from '../load/aim.ts';
import { boundsOf, createRequests, type Mix } from '../load/mix.ts';
import { END_BYTES, type Good, recipeOf } from '../load/recipes.ts';

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

/** Scripts put the time in base 36 for the first, and for the second a number of nine digits that none repeats. */
const [RUN, SERIAL] = ['zrunzrun', 987_654_321];

interface Exported {
  readonly method: string;
  /** Of the request; absent when the script signs it. */
  readonly path?: string;
  /** The parameters of a signed address as JSON. */
  readonly parameters?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A mix without functions. */
export interface ExportedMix {
  readonly url: string;
  readonly run: string;
  readonly serial: string;
  readonly endBytes: number;
  readonly secret: Aim['secret'];
  readonly kinds: readonly {
    readonly name: string;
    /** The kind of request n is the first whose bound is above the fractional part of n times the golden ratio. */
    readonly below: number;
    readonly good: Good;
    /** They take turns. */
    readonly requests: readonly Exported[];
  }[];
}

/** Returns the mix: all requests of kinds that repeat, and of the others one for each account. */
export const exportMix = (url: string, mix: Mix, aim: Aim): ExportedMix => {
  const bounds = boundsOf(mix);
  const kinds = mix.map(([name], i) => {
    const recipe = recipeOf(name);
    const period = recipe.period(aim);
    const keys = recipe.needs.includes('accounts') ? aim.keys : [aim.key];
    const requests = Number.isFinite(period)
      ? Array.from({ length: period }, (_, serial) => recipe.build(aim, serial))
      : keys.map((key) => {
          const marked = { ...aim, key, run: RUN };
          const { path, ...request } = recipe.build(marked, SERIAL);
          if (recipe.parameters === undefined) return { path, ...request };
          return { ...request, parameters: JSON.stringify(recipe.parameters(marked, SERIAL)) };
        });
    return { name, below: bounds[i]!, good: recipe.good, requests };
  });
  return { url, run: RUN, serial: String(SERIAL), endBytes: END_BYTES, secret: aim.secret, kinds };
};
