import type { PictureOptions } from '../../../generate/request/picture-options.ts';
import { type Api, explain, explainSilence } from '../../api.ts';
import { failed, misused } from '../../fault.ts';
import { printable } from '../../terminal.ts';

interface Preset {
  readonly id: string;
  readonly name: string;
  readonly is_default: boolean;
  readonly options: PictureOptions;
}

interface Page {
  readonly data: readonly Preset[];
  readonly next_cursor: string | null;
}

/** An account has at most two hundred presets. */
const PAGES_MAX = 10;

/** @throws {CliFault} When the key may not read presets. */
const get = async <T>(api: Api, path: string): Promise<T> => {
  const answer = await api.send({ method: 'GET', path }).catch((error: unknown) => {
    throw failed(explainSilence(api.url, error));
  });
  if (answer.status === 403)
    throw misused(
      '--preset: this command draws files itself, so it must read the preset: give a key with the scope manage, or --remote',
    );
  if (answer.status !== 200) throw failed(explain(api.url, answer));
  return answer.body as T;
};

const listAll = async (api: Api): Promise<readonly Preset[]> => {
  const found: Preset[] = [];
  let cursor: string | null = '';
  for (let page = 0; cursor !== null && page < PAGES_MAX; page += 1) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { data, next_cursor }: Page = await get(api, `/api/v1/presets?limit=100${query}`);
    found.push(...data);
    cursor = next_cursor;
  }
  return found;
};

/**
 * Returns the options of a preset of the account, by the rules of the gateway.
 *
 * @param text Its id or name, or `default`.
 * @throws {CliFault} When there is none, or the key may not read it.
 */
export const readPreset = async (api: Api, text: string): Promise<PictureOptions> => {
  const name = text.normalize('NFC').trim();
  const all = await listAll(api);
  const found =
    all.find(({ id }) => id === name.toLowerCase()) ??
    all.find((preset) => preset.name === name) ??
    (name === 'default' ? all.find(({ is_default }) => is_default) : undefined);
  if (found === undefined) throw misused(`--preset: the account has no preset "${printable(text)}"`);
  return (await get<Preset>(api, `/api/v1/presets/${found.id}`)).options;
};
