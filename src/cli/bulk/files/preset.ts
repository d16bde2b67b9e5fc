import type { PictureOptions } from '../../../generate/request/picture-options.ts';
import { readAllPages } from '../../admin.ts';
import type { Api } from '../../api.ts';
import { usageError } from '../../fault.ts';
import { toPrintable } from '../../terminal.ts';

interface Preset {
  readonly id: string;
  readonly name: string;
  readonly is_default: boolean;
  readonly options: PictureOptions;
}

const FORBIDDEN =
  '--preset: this command draws files itself, so it must read the preset: give a key with the scope manage, or --remote';

/**
 * Returns the options of a preset of the account, by the rules of the gateway.
 *
 * @param text Its id or name, or `default`.
 * @throws {CliFault} When there is none, or the key may not read it.
 */
export const readPreset = async (api: Api, text: string): Promise<PictureOptions> => {
  const faults = { 403: usageError(FORBIDDEN) };
  const name = text.normalize('NFC').trim();
  const all = await readAllPages<Preset>(api, '/api/v1/presets', {}, faults);
  const found =
    all.find(({ id }) => id === name.toLowerCase()) ??
    all.find((preset) => preset.name === name) ??
    (name === 'default' ? all.find(({ is_default }) => is_default) : undefined);
  if (found === undefined) throw usageError(`--preset: the account has no preset "${toPrintable(text)}"`);
  return (await api.call<Preset>({ method: 'GET', path: `/api/v1/presets/${found.id}` }, faults)).options;
};
