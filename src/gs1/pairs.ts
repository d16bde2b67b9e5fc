/** Checks AIs against each other: GS1 General Specifications, 4.13 (invalid pairs, mandatory associations). */
import { type Identifier, identifierOf } from './dictionary.ts';
import { type Element, placeOf } from './element.ts';
import { type Gs1Fault, shorten } from './fault.ts';

/** How many different AIs there are, by the AI and by its patterns, such as `310n` and `31nn`. */
type Counts = ReadonlyMap<string, number>;

const countOf = (ais: Iterable<string>): Counts => {
  const counts = new Map<string, number>();
  for (const ai of ais) {
    for (const pattern of identifierOf(ai)!.patterns) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  return counts;
};

/** Whether the pattern matches an AI other than this one. */
const hasOther = (counts: Counts, pattern: string, { patterns }: Identifier): boolean => {
  const count = counts.get(pattern);
  return count !== undefined && (count > 1 || !patterns.includes(pattern));
};

const inWords = (groups: readonly (readonly string[])[]): string =>
  groups.map((group) => group.map((ai) => `(${ai})`).join(' with ')).join(', or ');

const findPairFault = (
  element: Element,
  counts: Counts,
  values: ReadonlyMap<string, string>,
): Gs1Fault | null => {
  const { ai } = element;
  const identifier = identifierOf(ai)!;
  const { excludes, requires, serials } = identifier;
  const position = placeOf(element, 0);
  const excluded = excludes.find((pattern) => hasOther(counts, pattern, identifier));
  if (excluded !== undefined) {
    return { ai, position, message: `must not be used together with (${excluded}): leave one of them out` };
  }
  for (const groups of requires) {
    if (groups.some((group) => group.every((pattern) => hasOther(counts, pattern, identifier)))) continue;
    return { ai, position, message: `needs another AI: add ${inWords(groups)}` };
  }
  const bare = serials.find((other) => values.get(other)?.length === identifierOf(other)!.min);
  if (bare !== undefined)
    return {
      ai,
      position,
      message: `needs a key of one unit: add the serial number to the value of (${bare})`,
    };
  return null;
};

/** Returns the faults of AIs that are repeated, exclude each other or lack one that they need. All must be known. */
export const findPairFaults = (elements: readonly Element[]): readonly Gs1Fault[] => {
  const faults: Gs1Fault[] = [];
  const values = new Map<string, string>();
  const first: Element[] = [];
  for (const element of elements) {
    const { ai, value } = element;
    const known = values.get(ai);
    if (known === undefined) {
      values.set(ai, value);
      first.push(element);
    } else if (known !== value) {
      const message = `occurs twice, with "${shorten(known)}" and "${shorten(value)}": keep one`;
      faults.push({ ai, position: placeOf(element, 0), message });
    }
  }
  const counts = countOf(values.keys());
  for (const element of first) {
    const fault = findPairFault(element, counts, values);
    if (fault !== null) faults.push(fault);
  }
  return faults;
};
