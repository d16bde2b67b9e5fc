import { useId } from 'preact/hooks';
import type { Check, QrRequest } from '../../../api/shapes.ts';
import { Button } from '../../../ui/buttons.tsx';
import { type Grade, type Hint, hintsOf, repair } from '../hints.ts';

const VERDICTS: Readonly<Record<Grade, string>> = {
  4: 'Scans well',
  3: 'Nearly every reader scans it',
  2: 'May be hard to scan',
  1: 'Hard to scan',
  0: 'Few readers scan it',
};

const chip = (grade: Grade): string => `chip ${grade === 4 ? 'good' : grade >= 2 ? 'warn' : 'bad'}`;

/** Shows a grade and what it means, for example `Grade 4: Scans well`. */
export const GradeChip = ({ grade }: { readonly grade: Grade }) => (
  <span class={chip(grade)}>
    Grade {grade}: {VERDICTS[grade]}
  </span>
);

interface GradeLineProps {
  readonly request: QrRequest;
  readonly check: Check;
  /** About the size on paper; `null` when the file has none. */
  readonly printed: Hint | null;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onRepair: (request: QrRequest) => void;
}

/** Says in one line how well a design can be scanned; opened, each parameter with its reason. */
export const GradeLine = ({ request, check, printed, isOpen, onOpen, onRepair }: GradeLineProps) => {
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
        <GradeChip grade={grade} />
        <span class="muted small">{isOpen ? 'Hide' : 'Why'}</span>
      </button>
      {found !== undefined && found.changes.length > 0 && (
        <p class="row">
          <Button onClick={() => onRepair(repair(request, found))}>Repair to grade {found.grade}</Button>
          <span class="muted small">
            changes {found.changes.map((each) => each.replace(';v=', ' ')).join(', ')}
          </span>
        </p>
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
