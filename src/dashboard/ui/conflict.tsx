/** Compares what a person wants to save with what somebody else has saved meanwhile. */
import { useEffect } from 'preact/hooks';
import type { Conflict } from '../api/send.ts';
import { say } from '../words/say.ts';
import { Button, Primary } from './buttons.tsx';
import { Dialog } from './form.tsx';
import { Head } from './lists.tsx';

/** How the dashboard calls the fields of the API. */
const NAMES: Readonly<Record<string, string>> = {
  name: say('Name'),
  tags: say('Tags'),
  external_id: say('Your id'),
  keep: say('Kept for ever'),
  domain: say('Domain'),
  destination: say('Destination'),
  slug: say('Short address'),
  active_from: say('Start'),
  active_until: say('End'),
  before_destination: say('Address before the start'),
  after_destination: say('Address after the end'),
  visit_limit: say('Limit of visits'),
  rule_set_id: say('Rule set'),
  rules: say('Rules'),
  forward: say('Passed on'),
  links: say('Links'),
  is_default: say('Start with it'),
};

/** Is never shown, and nothing tells what the other one is. */
const SECRET = 'password';

type Leaves = ReadonlyMap<string, string>;

const isNode = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !(Array.isArray(value) && value.every((each) => !isNode(each)));

/** Returns the texts of a value by their places in it, as in `Rules · 2 · destination`. */
const leavesOf = (value: unknown, place = ''): readonly (readonly [place: string, text: string])[] => {
  if (isNode(value))
    return Object.entries(value).flatMap(([name, inner]) => {
      const shown = Array.isArray(value)
        ? String(Number(name) + 1)
        : place === ''
          ? (NAMES[name] ?? name)
          : name;
      return leavesOf(inner, place === '' ? shown : `${place} · ${shown}`);
    });
  if (value === null || value === undefined || value === '') return [];
  return [[place, Array.isArray(value) ? value.join(', ') : String(value)]];
};

interface Difference {
  readonly place: string;
  readonly mine: string;
  readonly theirs: string;
}

/** Returns what differs of the fields that are sent. */
const differencesOf = ({ mine, theirs }: Conflict): readonly Difference[] => {
  const names = Object.keys(mine ?? {}).filter((name) => name !== SECRET);
  const of = (version: Conflict['theirs']): Leaves =>
    new Map(leavesOf(Object.fromEntries(names.map((name) => [name, version[name]]))));
  const [ours, others] = [of(mine ?? {}), of(theirs)];
  return [...new Set([...ours.keys(), ...others.keys()])]
    .map((place) => ({ place, mine: ours.get(place) ?? '', theirs: others.get(place) ?? '' }))
    .filter((each) => each.mine !== each.theirs);
};

export interface ConflictDialogProps {
  readonly conflict: Conflict;
  readonly onChoose: (isMine: boolean) => void;
}

/** Asks which version stays, unless both say the same of what is sent. */
export default function ConflictDialog({ conflict, onChoose }: ConflictDialogProps) {
  const isDeletion = conflict.mine === null;
  const differences = differencesOf(conflict);
  const isSame = !isDeletion && differences.length === 0;
  useEffect(() => {
    if (isSame) onChoose(true);
  }, [isSame]);
  if (isSame) return null;
  return (
    <Dialog title={say('It was changed meanwhile')} onClose={() => onChoose(false)}>
      <p>
        {isDeletion
          ? say('Another window, or somebody else, changed this after you read it. Delete it all the same?')
          : say(
              'Another window, or somebody else, saved this after you read it. Nothing of yours is saved yet.',
            )}
      </p>
      {!isDeletion && (
        <table class="table plain">
          <Head columns={['', say('Yours'), say('Theirs')]} />
          <tbody>
            {differences.map(({ place, mine, theirs }) => (
              <tr key={place}>
                <th scope="row">{place}</th>
                <td class="wrap">{mine || <span class="muted">{say('Empty')}</span>}</td>
                <td class="wrap">{theirs || <span class="muted">{say('Empty')}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="row">
        <Primary onClick={() => onChoose(true)}>{isDeletion ? say('Delete it') : say('Keep mine')}</Primary>
        <Button onClick={() => onChoose(false)}>{isDeletion ? say('Leave it') : say('Take theirs')}</Button>
      </div>
    </Dialog>
  );
}
