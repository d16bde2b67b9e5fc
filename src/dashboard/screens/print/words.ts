/** What captions may say, and what the service says about them. */
import { count } from '../../ui/format.ts';
import { say } from '../../words/say.ts';

/** What a caption may say of a code. */
export const NAMES: Readonly<Record<string, string>> = {
  name: say('Name'),
  content: say('Content'),
  external_id: say('Your id'),
  slug: say('Short link'),
  short_url: say('Address of the short link'),
  gtin: 'GTIN',
  gs1: say('Numbers of GS1'),
  index: say('Number of the label'),
};

/** Of every saved code. */
export const OF_CODES = ['name', 'content', 'external_id', 'short_url'] as const;
/** Of one with GS1 data. */
export const OF_GS1 = ['gtin', 'gs1'] as const;

export const CAPTION_SIDES = {
  above: say('Above the code'),
  below: say('Below the code'),
  beside: say('Beside the code'),
} as const;

/** Puts the headers about captions and codes in words: what is cut, missing, or drawn otherwise by now. */
export const lostInWords = (headers: Headers): readonly string[] => {
  const read = (name: string, pattern: RegExp) => pattern.exec(headers.get(name) ?? '') ?? [];
  const [, cut = '0', glyphs = '0'] = read('tessera-captions', /cut=(\d+), glyphs=(\d+)/);
  const [, missing = '0', which = ''] = read('tessera-missing-codes', /^(\d+);indexes="(.*)"/);
  const [, edited = '0', those = ''] = read('tessera-edited-codes', /^(\d+);indexes="(.*)"/);
  const captions = (n: string) => ({ captions: count(Number(n), 'caption', 'captions') });
  const codes = (n: string, indexes: string) => ({
    codes: count(Number(n), 'code', 'codes'),
    which: indexes,
  });
  return [
    cut !== '0' && say('{captions} cut.', captions(cut)),
    glyphs !== '0' && say('{captions} with □.', captions(glyphs)),
    missing !== '0' && say('{codes} missing: {which}.', codes(missing, which)),
    edited !== '0' && say('{codes} with another design by now: {which}.', codes(edited, those)),
  ].filter((text) => text !== false);
};
