/** What the palette offers, and what of it fits what is typed. */
import { say } from '../words/say.ts';

/** One line of the palette, which goes to an address or does something. */
export interface Command {
  readonly group: string;
  readonly title: string;
  /** Shown beside the title. */
  readonly detail?: string;
  /** Further words that find it. */
  readonly words?: string;
  /** The path of a screen. */
  readonly path?: string;
  readonly run?: () => void;
}

const to = (group: string) => (title: string, path: string, words: string) => ({
  group,
  title,
  path,
  words,
});

const make = to(say('Do'));
const open = to(say('Go to'));

/** What can be begun from everywhere. */
export const ACTIONS: readonly Command[] = [
  make(say('New code'), '/design', say('create make design qr')),
  make(say('New link'), '/links?new', say('create make short url dynamic code')),
  make(say('New batch'), '/table', say('import table csv excel xlsx upload many bulk')),
  make(say('New folder'), '/folders?new', say('create campaign')),
  make(say('Create a key'), '/keys?new', say('new api token')),
  make(say('Add a webhook'), '/keys/webhooks?new', say('new create event notify')),
  make(say('Send a file of links'), '/links/jobs/new', say('import move bitly change many')),
  make(say('Add an item of the resolver'), '/links/resolver?new', say('new create gs1 gtin digital link')),
];

/** All screens that have an address of their own. */
export const SCREENS: readonly Command[] = [
  open(say('Home'), '', say('start usage units quota')),
  open(say('Codes'), '/codes', say('list tiles qr')),
  open(say('Folders'), '/folders', say('campaigns')),
  open(say('Bin'), '/bin', say('trash deleted restore')),
  open(say('Links'), '/links', say('short urls destinations redirects')),
  open(say('Settings of links'), '/links/settings', say('forward query utm dead')),
  open(say('Domains'), '/links/domains', say('host dns')),
  open(say('Rule sets'), '/links/rule-sets', say('country language device time')),
  open(say('Files of links'), '/links/jobs', say('import export move undo')),
  open(say('Resolver'), '/links/resolver', say('gs1 gtin digital link items')),
  open(say('Scans'), '/scans', say('statistics analytics visitors countries campaign csv')),
  open(say('Batches'), '/batches', say('tables csv excel jobs')),
  open(say('Counters'), '/batches/counters', say('serial numbers')),
  open(say('Designer'), '/design', say('look preset colour logo')),
  open(say('Keys'), '/keys', say('api developers tokens')),
  open(say('Embedding'), '/keys/embedding', say('html markup img signed pictures developers')),
  open(say('Webhooks'), '/keys/webhooks', say('events deliveries developers')),
];

/** Words begin after anything that is no letter and no digit. */
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns how badly a command fits, fewer words being better, and those of its title best; `null`: not at all. */
const misfit = (command: Command, typed: readonly string[]): number | null => {
  const title = wordsOf(command.title);
  const further = wordsOf(command.words ?? '');
  const begins = (words: readonly string[], start: string) => words.some((word) => word.startsWith(start));
  if (!typed.every((start) => begins(title, start) || begins(further, start))) return null;
  return title.length + 10 * typed.filter((start) => !begins(title, start)).length;
};

/** Returns the commands that fit a text, the best first; all of them when it has no word. */
export const fitting = (commands: readonly Command[], text: string): readonly Command[] => {
  const typed = wordsOf(text);
  if (typed.length === 0) return commands;
  return commands
    .map((command) => ({ command, by: misfit(command, typed) }))
    .filter((each): each is { command: Command; by: number } => each.by !== null)
    .toSorted((one, other) => one.by - other.by)
    .map(({ command }) => command);
};

/** Returns the commands by their groups, in the order of the first of each. */
export const grouped = (commands: readonly Command[]): readonly (readonly [string, readonly Command[]])[] =>
  [...new Set(commands.map(({ group }) => group))].map((group) => [
    group,
    commands.filter((each) => each.group === group),
  ]);

/** Returns the index of the line that gets chosen after a key; `null`: the key means nothing here. */
export const afterKey = (key: string, at: number, count: number): number | null => {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'PageDown') return Math.min(at + 8, count - 1);
  return key === 'PageUp' ? Math.max(at - 8, 0) : null;
};
