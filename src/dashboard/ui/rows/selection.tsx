/** Which rows of a list are selected. */
import { useRef, useState } from 'preact/hooks';

export interface Selection<T> {
  /** In the order of the list. */
  readonly rows: readonly T[];
  has(row: T): boolean;
  /** @param isRange Whether all between the last row that was touched and this one are meant. */
  choose(row: T, isChosen: boolean, isRange: boolean): void;
  chooseAll(isChosen: boolean): void;
}

/** Remembers which of the listed rows are selected. A row that is no longer listed is no longer selected. */
export const useSelection = <T,>(listed: readonly T[], idOf: (row: T) => string): Selection<T> => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const touched = useRef<string | null>(null);
  const placeOf = (id: string): number => listed.findIndex((row) => idOf(row) === id);
  return {
    rows: listed.filter((row) => chosen.has(idOf(row))),
    has: (row) => chosen.has(idOf(row)),
    choose: (row, isChosen, isRange) => {
      const to = placeOf(idOf(row));
      const before = isRange && touched.current !== null ? placeOf(touched.current) : -1;
      const from = before === -1 ? to : before;
      touched.current = idOf(row);
      const next = new Set(chosen);
      for (const each of listed.slice(Math.min(from, to), Math.max(from, to) + 1))
        isChosen ? next.add(idOf(each)) : next.delete(idOf(each));
      setChosen(next);
    },
    chooseAll: (isChosen) => setChosen(new Set(isChosen ? listed.map(idOf) : [])),
  };
};

interface SelectAllProps {
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
    Select all<span class="hidden"> {what} shown</span>
  </label>
);
