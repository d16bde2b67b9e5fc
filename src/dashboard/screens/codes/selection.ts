import { useRef, useState } from 'preact/hooks';

/** The codes that are chosen in a list. */
export interface Selection {
  /** In the order of the list. */
  readonly ids: readonly string[];
  has(id: string): boolean;
  /** @param isRange Whether all between the last code that was touched and this one are meant. */
  choose(id: string, isChosen: boolean, isRange: boolean): void;
  chooseAll(isChosen: boolean): void;
}

/** Keeps which of the listed codes are chosen. A code that is no longer listed is not chosen either. */
export const useSelection = (listed: readonly string[]): Selection => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const touched = useRef<string | null>(null);
  const choose = (id: string, isChosen: boolean, isRange: boolean): void => {
    const to = listed.indexOf(id);
    const from = isRange && touched.current !== null ? listed.indexOf(touched.current) : to;
    const between = listed.slice(Math.min(from === -1 ? to : from, to), Math.max(from, to) + 1);
    touched.current = id;
    setChosen((before) => {
      const next = new Set(before);
      for (const each of between) isChosen ? next.add(each) : next.delete(each);
      return next;
    });
  };
  const ids = listed.filter((id) => chosen.has(id));
  return {
    ids,
    has: (id) => chosen.has(id),
    choose,
    chooseAll: (isChosen) => setChosen(new Set(isChosen ? listed : [])),
  };
};
