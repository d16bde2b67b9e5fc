/** Which rows of a list are selected. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { say } from '../../words/say.ts';

export interface Selection<T> {
  /** As they were when they were selected, in the order of that. */
  readonly rows: readonly T[];
  has(row: T): boolean;
  /** @param isRange Whether all between the last row that was touched and this one are meant. */
  choose(row: T, isChosen: boolean, isRange: boolean): void;
  /** Selects all rows that are loaded, or none. */
  chooseAll(isChosen: boolean): void;
}

/**
 * Remembers which rows of a list are selected. What it returns stays the same until others are.
 *
 * @param key Tells apart what is listed: when that changes, nothing is selected any more.
 * @param listed Returns the rows that are loaded, in order.
 */
export const useSelection = <T,>(
  key: string,
  listed: () => readonly T[],
  idOf: (row: T) => string,
): Selection<T> => {
  const [held, hold] = useState<{ key: string; chosen: ReadonlyMap<string, T> }>({ key, chosen: new Map() });
  const touched = useRef<string | null>(null);
  const chosen: ReadonlyMap<string, T> = held.key === key ? held.chosen : new Map();
  if (held.key !== key) hold({ key, chosen });
  const choose = (row: T, isChosen: boolean, isRange: boolean): void => {
    const rows = isRange ? listed() : [row];
    const placeOf = (id: string | null) => rows.findIndex((each) => idOf(each) === id);
    const to = Math.max(0, placeOf(idOf(row)));
    const from = isRange ? placeOf(touched.current) : to;
    const between = rows.slice(Math.min(from === -1 ? to : from, to), Math.max(from, to) + 1);
    touched.current = idOf(row);
    const next = new Map(chosen);
    for (const each of between) isChosen ? next.set(idOf(each), each) : next.delete(idOf(each));
    hold({ key, chosen: next });
  };
  const chooseAll = (isChosen: boolean): void =>
    hold({ key, chosen: new Map(isChosen ? listed().map((row) => [idOf(row), row]) : []) });
  const selected = useMemo(
    () => ({ rows: [...chosen.values()], has: (row: T) => chosen.has(idOf(row)) }),
    [chosen],
  );
  return Object.assign(selected, { choose, chooseAll });
};

export interface SelectAllProps {
  /** How many rows are shown, and selected. */
  readonly shown: number;
  readonly chosen: number;
  /** The rows that are shown, in words. */
  readonly what: string;
  readonly onChoose: (isChosen: boolean) => void;
}

/** A box that selects all rows that are shown. */
export const SelectAll = ({ shown, chosen, what, onChoose }: SelectAllProps) => (
  <label class="check select-all">
    <input
      type="checkbox"
      disabled={shown === 0}
      checked={shown > 0 && chosen === shown}
      ref={(box) => {
        if (box) box.indeterminate = chosen > 0 && chosen < shown;
      }}
      onClick={(event) => onChoose(event.currentTarget.checked)}
    />
    {say('Select all shown')}
    <span class="hidden">: {what}</span>
  </label>
);
