/** Saves one code, for a script. */
import { readFile, writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { FORMATS, namesOf } from '../../../workers/lists.ts';
import { print } from '../admin.ts';
import { type Api, explain, explainSilence, readAnswer } from '../api.ts';
import { commandError, usageError } from '../fault.ts';
import { type KeyOptions, openApi } from '../key-options.ts';
import { formatThing } from '../table.ts';
import { type Terminal, toPrintable } from '../terminal.ts';
import { type LabelOptions, type Row, toLabels } from './lists.ts';

/** Options of `codes create`. */
export interface CreateOptions extends KeyOptions, LabelOptions {
  readonly dynamic?: true;
  readonly slug?: string;
  readonly name?: string;
  readonly folder?: string;
  readonly folderId?: string;
  readonly unique?: true;
  readonly design?: string;
  readonly preset?: string;
  readonly minGrade?: string;
  readonly repair?: true;
  readonly once?: string;
  readonly out?: string;
}

/** What is shown of a code. */
export const CODE_FIELDS = {
  ...{ id: 'id', name: 'name', content: 'content', slug: 'slug' },
  ...{ 'short link': 'short_url', destination: 'destination' },
  ...{
    folder: 'folder_id',
    tags: 'tags',
    'external id': 'external_id',
    grade: 'grade',
    warnings: 'warnings',
  },
};

const readDesign = async (path: string): Promise<object> => {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw usageError(`${path} cannot be read: ${error.message}`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`${path} is not JSON`);
  }
};

const mediaTypeOf = (path: string): string => {
  const format = namesOf(FORMATS).find((each) => extname(path).toLowerCase() === `.${each}`);
  if (format !== undefined) return FORMATS[format].mediaType;
  throw usageError(
    `--out must end with one of ${namesOf(FORMATS)
      .map((each) => `.${each}`)
      .join(', ')}`,
  );
};

/** An HTTP header holds bytes, and `fetch` sends each character as one. */
const asHeader = (text: string): string => Buffer.from(text).toString('latin1');

const headersOf = ({ preset, minGrade, repair, once }: CreateOptions): Record<string, string> => ({
  ...(preset === undefined ? {} : { 'tessera-preset': asHeader(preset) }),
  ...(minGrade === undefined ? {} : { 'tessera-min-grade': minGrade }),
  ...(repair && { 'tessera-repair': 'true' }),
  ...(once === undefined ? {} : { 'idempotency-key': once }),
});

/** Saves the picture of an answer, and returns what is printed. @throws {CliFault} */
const savePicture = async (api: Api, ask: Parameters<Api['open']>[0], path: string): Promise<Row> => {
  const response = await api.open(ask).catch((error: unknown) => {
    throw commandError(explainSilence(api.url, error));
  });
  if (response.status !== 201) throw commandError(explain(api.url, await readAnswer(response)));
  await writeFile(path, new Uint8Array(await response.arrayBuffer()));
  const id = response.headers.get('location')?.split('/').at(-1);
  return { id, file: path, grade: Number(response.headers.get('tessera-grade')) };
};

/** Saves a code and prints it, or saves its picture in a file. */
export const createCode = async (data: string, options: CreateOptions, terminal: Terminal): Promise<void> => {
  const { out, design, dynamic, slug, name, folder, folderId, unique } = options;
  const body = {
    ...(design === undefined ? {} : await readDesign(resolve(terminal.cwd, design))),
    ...{ data, dynamic, slug, name, folder_name: folder, folder_id: folderId },
    ...{ ...toLabels(options), external_id_unique: unique },
  };
  const headers = headersOf(options);
  const ask = { method: 'POST', path: '/api/v1/codes', body, headers } as const;
  const api = openApi(options, terminal);
  if (out === undefined) {
    const code = await api.call<Row>(ask);
    return print(terminal, options, code, formatThing(code, CODE_FIELDS));
  }
  const accept = mediaTypeOf(out);
  const saved = await savePicture(
    api,
    { ...ask, headers: { ...headers, accept } },
    resolve(terminal.cwd, out),
  );
  print(terminal, options, saved, `${toPrintable(String(saved.id))} is saved; ${toPrintable(out)}\n`);
};
