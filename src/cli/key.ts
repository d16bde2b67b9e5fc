import { misused } from './fault.ts';
import type { Terminal } from './terminal.ts';

/** Returns the API key of `--key` or `TESSERA_KEY`. @throws {CliFault} when there is none. */
export const keyOf = (options: { readonly key?: string }, { env }: Terminal): string => {
  const key = options.key ?? env.TESSERA_KEY;
  if (!key) throw misused('no API key: set TESSERA_KEY or give --key');
  return key;
};
