/** Which codes of a list are selected. */
import { useRef, useState } from 'preact/hooks';
import type { Code } from '../../../api/shapes.ts';

export interface Selection {
  /** In the order in which they were selected. */
  readonly codes: readonly Code[];
  has(id: string): boolean;
  /** @param isRange Whether all between the last code that was touched and this one are meant. */
  choose(code: Code, isChosen: boolean, isRange: boolean): void;
  /** Selects all codes that are loaded, or none. */
  chooseAll(isChosen: boolean): void;
}

type Chosen = ReadonlyMap<string, Code>;
const NONE: Chosen = new Map();

/**
 * Remembers which codes of a list are selected.
 *
 * @param key Tells apart what is listed: when that changes, nothing is selected any more.
 * @param listed Returns the codes that are loaded, in order.
 */
export const useSelection = (key: string, listed: () => readonly Code[]): Selection => {
  const [held, hold] = useState({ key, chosen: NONE });
  const touched = useRef<string | null>(null);
  const chosen = held.key === key ? held.chosen : NONE;
  if (held.key !== key) hold({ key, chosen });
  const choose = (code: Code, isChosen: boolean, isRange: boolean): void => {
    const codes = isRange ? listed() : [code];
    const placeOf = (id: string | null) => codes.findIndex((each) => each.id === id);
    const to = Math.max(0, placeOf(code.id));
    const from = isRange ? placeOf(touched.current) : to;
    const between = codes.slice(Math.min(from === -1 ? to : from, to), Math.max(from, to) + 1);
    touched.current = code.id;
    const next = new Map(chosen);
    for (const each of between) isChosen ? next.set(each.id, each) : next.delete(each.id);
    hold({ key, chosen: next });
  };
  return {
    codes: [...chosen.values()],
    has: (id) => chosen.has(id),
    choose,
    chooseAll: (isChosen) =>
      hold({ key, chosen: isChosen ? new Map(listed().map((code) => [code.id, code])) : NONE }),
  };
};
