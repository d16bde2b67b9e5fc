import { useId } from 'preact/hooks';
import type { Check, QrRequest } from '../../../api/shapes.ts';
import { gradeInWords } from '../grade-in-words.ts';
import { type Grade, type Hint, hintsOf, repair } from '../hints.ts';

const chip = (grade: Grade): string => `chip ${grade === 4 ? 'good' : grade >= 2 ? 'warn' : 'bad'}`;

/** What a repair of a design would change, with a button that does it. */
const RepairButton = ({
  found: { grade, changes },
  onRepair,
}: {
  readonly found: NonNullable<Check['repair']>;
  readonly onRepair: () => void;
}) => (
  <p class="row">
    <button type="button" onClick={onRepair}>
      Repair to grade {grade}
    </button>
    <span class="muted small">changes {changes.map((each) => each.replace(';v=', ' ')).join(', ')}</span>
  </p>
);

/** Says in one line how well a design can be scanned; opened, each parameter with its reason. */
export const GradeLine = ({
  request,
  check,
  printed,
  isOpen,
  onOpen,
  onRepair,
}: {
  readonly request: QrRequest;
  readonly check: Check;
  /** About the size on paper; `null` when the file has none. */
  readonly printed: Hint | null;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onRepair: (request: QrRequest) => void;
}) => {
  const id = useId();
  const { grade, repair: found } = check;
  const hints = [...(printed === null ? [] : [printed]), ...hintsOf(check)];
  return (
    <div class="grade">
      <button
        type="button"
        class="grade-line"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => onOpen(!isOpen)}
      >
        <span class={chip(grade)}>{gradeInWords(grade)}</span>
        <span class="muted small">{isOpen ? 'Hide' : 'Why'}</span>
      </button>
      {found !== undefined && found.changes.length > 0 && (
        <RepairButton found={found} onRepair={() => onRepair(repair(request, found))} />
      )}
      <ul id={id} class="hints" hidden={!isOpen}>
        {hints.map(({ about, grade: of, text }) => (
          <li key={about}>
            <span class={chip(of)}>{of} of 4</span>
            <span>
              <strong>{about}</strong> {text}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
};
