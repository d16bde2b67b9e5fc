/** Saves one code, for a script. */
import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { FORMATS, namesOf } from '../../../workers/lists.ts';
import { print } from '../admin.ts';
import type { ApiCall } from '../api.ts';
import { gradeHeaders, readDesignFile } from '../design-options.ts';
import { usageError } from '../fault.ts';
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

const SAVE: ApiCall = 'POST /api/v1/codes';

const mediaTypeOf = (path: string): string => {
  const format = namesOf(FORMATS).find((each) => extname(path).toLowerCase() === `.${each}`);
  if (format !== undefined) return FORMATS[format].mediaType;
  throw usageError(
    `--out must end with one of ${namesOf(FORMATS)
      .map((each) => `.${each}`)
      .join(', ')}`,
  );
};

/** Saves a code and prints it, or saves its picture in a file. */
export const createCode = async (data: string, options: CreateOptions, terminal: Terminal): Promise<void> => {
  const { out, design, dynamic, slug, name, folder, folderId, unique, once } = options;
  const body = {
    ...(design === undefined ? {} : await readDesignFile(resolve(terminal.cwd, design))),
    ...{ data, dynamic, slug, name, folder_name: folder, folder_id: folderId },
    ...{ ...toLabels(options), external_id_unique: unique },
  };
  const headers = { ...gradeHeaders(options), 'idempotency-key': once };
  const api = openApi(options, terminal);
  if (out === undefined) {
    const code = await api.call<Row>(SAVE, { body, headers });
    return print(terminal, options, code, formatThing(code, CODE_FIELDS));
  }
  const file = resolve(terminal.cwd, out);
  const response = await api.open(SAVE, { body, headers: { ...headers, accept: mediaTypeOf(out) } });
  await writeFile(file, new Uint8Array(await response.arrayBuffer()));
  const id = response.headers.get('location')?.split('/').at(-1);
  const saved = { id, file, grade: Number(response.headers.get('tessera-grade')) };
  print(terminal, options, saved, `${toPrintable(String(id))} is saved; ${toPrintable(out)}\n`);
};
