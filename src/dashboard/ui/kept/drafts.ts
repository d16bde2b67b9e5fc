/**
 * What people are typing, kept in this tab until it is sent or thrown away. Of each form only what differs from its
 * beginning is kept, so that a change by somebody else of another field is not undone.
 */
import { useRef, useState } from 'preact/hooks';

const KEY = 'tessera.drafts';
/** The ones that changed longest ago are forgotten first. */
const DRAFTS_MAX = 40;
/** A tab has about five million characters. */
const CHARS_MAX = 2_000_000;
const PAUSE_MS = 300;

type Kept = Readonly<Record<string, unknown>>;

/** Whose drafts these are: nobody gets to see what another account has typed. */
let owner = '';
/** By the name of the form, that which changed last at the end. */
let drafts = new Map<string, Kept>();
let timer: ReturnType<typeof setTimeout> | undefined;

const toText = (): string => JSON.stringify({ owner, drafts: [...drafts] });

/** Returns whether the browser has kept the drafts. */
const store = (): boolean => {
  clearTimeout(timer);
  // The page may be left before it knows who is signed in.
  if (owner === '') return true;
  let text = toText();
  while (drafts.size > DRAFTS_MAX || (drafts.size > 1 && text.length > CHARS_MAX)) {
    const [oldest = ''] = drafts.keys();
    drafts.delete(oldest);
    text = toText();
  }
  try {
    if (drafts.size === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, text);
    return true;
  } catch {
    return drafts.size === 0;
  }
};

const write = (name: string, kept: Kept): void => {
  drafts.delete(name);
  if (Object.keys(kept).length > 0) drafts.set(name, kept);
  clearTimeout(timer);
  timer = setTimeout(store, PAUSE_MS);
};

/** Forgets all drafts. */
export const closeDrafts = (): void => {
  drafts = new Map();
  store();
};

/** Takes up the drafts of an account; those of another are forgotten. */
export const openDrafts = (account: string): void => {
  if (account === owner) return;
  owner = account;
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    drafts = new Map(kept.owner === owner ? kept.drafts : []);
  } catch {
    drafts = new Map();
  }
  store();
};

addEventListener('beforeunload', (event) => {
  // The browser asks before it leaves what it could not keep.
  if (!store()) event.preventDefault();
});

export interface Draft {
  /** Whether it was typed before the form was opened. */
  readonly isOlder: boolean;
  /** Throws it away: the form is as it begins. */
  readonly drop: () => void;
  /** Forgets it, because it was sent. The form stays as it is. */
  readonly sent: () => void;
}

const read = (name: string) => ({ name, kept: drafts.get(name) ?? {}, isOlder: drafts.has(name) });

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Changes some of what was entered, also by what it is so far. */
type Change<T> = (changed: Partial<T> | ((entered: T) => Partial<T>)) => void;

/**
 * Returns what a person has entered in a form, a function that changes some of it, and its draft.
 *
 * @param name Tells the form apart, with the thing that it changes.
 * @param beginning What the form begins with. It can be written as JSON.
 * @param withoutSecrets Returns what may be kept of what was entered; by default all of it.
 */
export const useDraft = <T extends object>(
  name: string,
  beginning: T,
  withoutSecrets: (kept: Partial<T>) => Partial<T> = (kept) => kept,
): readonly [entered: T, change: Change<T>, draft: Draft] => {
  const [known, setKnown] = useState(() => read(name));
  // Several changes may come before the next rendering.
  const latest = useRef(known);
  latest.current = known.name === name ? known : read(name);
  const entered = (): T => ({ ...beginning, ...latest.current.kept });
  const hold = (isOlder: boolean, kept: Kept): void => {
    latest.current = { name, kept, isOlder };
    setKnown(latest.current);
  };
  const change: Change<T> = (changed) => {
    const next = typeof changed === 'function' ? changed(entered()) : changed;
    const kept = Object.fromEntries(
      Object.entries({ ...latest.current.kept, ...next }).filter(
        ([field, value]) => !isSame(value, beginning[field as keyof T]),
      ),
    );
    write(name, withoutSecrets(kept as Partial<T>) as Kept);
    hold(latest.current.isOlder, kept);
  };
  const sent = (): void => {
    write(name, {});
    hold(false, latest.current.kept);
  };
  const drop = (): void => {
    write(name, {});
    hold(false, {});
  };
  return [entered(), change, { isOlder: latest.current.isOlder, drop, sent }];
};
