/** What the keys of the keyboard do, wherever somebody is. */
import { say } from '../words/say.ts';

/** A path goes to a screen; `null`: the key is left to the page. */
export type Act = 'palette' | 'search' | 'help' | 'prefix' | { readonly path: string } | null;

/** A key that was pressed, and where. */
export interface Press {
  readonly key: string;
  readonly isCommand: boolean;
  readonly isAlt: boolean;
  /** Whether the key belongs to a field in which somebody types. */
  readonly isTyping: boolean;
  readonly isInDialog: boolean;
}

/** The letters that go to a screen after `g`. */
export const GO: readonly (readonly [key: string, name: string, path: string])[] = [
  ['h', say('Home'), ''],
  ['c', say('Codes'), '/codes'],
  ['f', say('Folders'), '/folders'],
  ['l', say('Links'), '/links'],
  ['b', say('Batches'), '/batches'],
  ['d', say('Designer'), '/design'],
  ['k', say('Keys'), '/keys'],
];

/**
 * Returns what a key does. In a field only the palette's key does anything, and in a dialog none.
 *
 * @param isAfterPrefix Whether the key before was `g`.
 * @param hasSingleKeys Whether keys without Ctrl or ⌘ do something.
 */
export const actOf = (press: Press, isAfterPrefix: boolean, hasSingleKeys: boolean): Act => {
  const { key, isCommand, isAlt, isTyping, isInDialog } = press;
  if (isInDialog || isAlt) return null;
  if (isCommand) return key.toLowerCase() === 'k' ? 'palette' : null;
  if (isTyping || !hasSingleKeys) return null;
  if (isAfterPrefix) {
    const [, , path] = GO.find(([letter]) => letter === key) ?? [];
    return path === undefined ? null : { path };
  }
  if (key === '/') return 'search';
  if (key === '?') return 'help';
  return key === 'g' ? 'prefix' : null;
};
