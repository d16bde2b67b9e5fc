/** What the palette offers, and what of it fits what is typed. */

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

const make = to('Do');
const open = to('Go to');

/** What can be begun from everywhere. */
export const ACTIONS: readonly Command[] = [
  make('New code', '/design', 'create make design qr'),
  make('Send a table', '/table', 'import batch csv excel xlsx upload many bulk'),
  make('New folder', '/folders?new', 'create campaign'),
  make('Create a key', '/keys?new', 'new api token'),
  make('Add a webhook', '/keys/webhooks?new', 'new create event notify'),
  make('Send a file of links', '/links/jobs/new', 'import move bitly change many'),
  make('Add an item of the resolver', '/links/resolver?new', 'new create gs1 gtin digital link'),
];

/** All screens that have an address of their own. */
export const SCREENS: readonly Command[] = [
  open('Home', '', 'start usage units quota'),
  open('Codes', '/codes', 'list tiles qr'),
  open('Folders', '/folders', 'campaigns'),
  open('Bin', '/bin', 'trash deleted restore'),
  open('Short links', '/links', 'urls destinations redirects'),
  open('Domains', '/links/domains', 'host dns'),
  open('Rule sets', '/links/rule-sets', 'country language device time'),
  open('Files of links', '/links/jobs', 'import export move undo'),
  open('Resolver', '/links/resolver', 'gs1 gtin digital link items'),
  open('Tables', '/batches', 'batches csv excel jobs'),
  open('Counters', '/batches/counters', 'serial numbers'),
  open('Designer', '/design', 'look preset colour logo'),
  open('Keys', '/keys', 'api developers tokens'),
  open('Embedding', '/keys/embedding', 'html markup img signed pictures developers'),
  open('Webhooks', '/keys/webhooks', 'events deliveries developers'),
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
