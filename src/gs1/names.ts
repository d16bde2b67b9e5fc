/** Names of AIs in templates: their digits, and the words that people know them by. */
import { GS1_COLUMNS } from './columns.ts';
import { identifierOf } from './dictionary.ts';

const AI_OF_WORD: Readonly<Record<string, string>> = {
  ...GS1_COLUMNS,
  batch: '10',
  cpv: '22',
  tpx: '235',
  gln_extension: '254',
  party: '417',
};

/** What people call AIs instead of their digits. */
export const AI_WORDS: readonly string[] = Object.keys(AI_OF_WORD);

/** Returns the AI of a name such as `21` or `serial`; `undefined`: it is of none. */
export const aiOfName = (name: string): string | undefined =>
  Object.hasOwn(AI_OF_WORD, name) ? AI_OF_WORD[name] : identifierOf(name)?.ai;
