import { createReaders } from '../../../reading/readers.ts';
import type { Api } from '../../api.ts';
import { failed } from '../../fault.ts';
import { askBase } from '../short-urls.ts';

/** Returns what a picture of a dynamic code says before its slug; `null` when it cannot be read. */
const readBase = async (slug: string, png: Uint8Array): Promise<string | null> => {
  const readers = await createReaders({ threads: 1, share: () => 1 }, { error: () => {} });
  try {
    const { sights } = await readers.read(png);
    const text = sights.find((sight) => sight.text?.endsWith(slug))?.text ?? null;
    return text === null ? null : text.slice(0, -slug.length);
  } finally {
    await readers.close();
  }
};

/**
 * Makes a function that returns what the code of a short link says. All short links of a gateway begin alike: with what
 * it says of the first one or, when the key may not ask, with what the picture of one says.
 */
export const createLinkText = (api: Api) => {
  let base: Promise<string | null> | undefined;
  /** @throws {CliFault} when neither is known. */
  return async (slug: string, png: Uint8Array): Promise<string> => {
    base ??= askBase(api, slug).then((told) => told ?? readBase(slug, png));
    const known = await base;
    if (known !== null) return known + slug;
    throw failed(
      'the short links of the gateway are not known: its pictures cannot be read, and the key may not read links. Give a key with the scope manage, and run the same command again',
    );
  };
};
