import type { Check, QrRequest } from '../../api/shapes.ts';
import { gradeInWords } from './grade-in-words.ts';
import { type Grade, hintsOf, type Measures, moduleSizeHint, repair } from './hints.ts';

const DEFAULT_WIDTH_PX = 300;

const chip = (grade: Grade): string => `chip ${grade === 4 ? 'good' : grade >= 2 ? 'warn' : 'bad'}`;

const RepairButton = ({
  found: { grade, changes },
  onRepair,
}: {
  readonly found: NonNullable<Check['repair']>;
  readonly onRepair: () => void;
}) => (
  <p>
    <button type="button" onClick={onRepair}>
      Repair to grade {grade}
    </button>{' '}
    <span class="muted">changes {changes.map((each) => each.replace(';v=', ' ')).join(', ')}</span>
  </p>
);

/** Says how well a design can be scanned: its grade, each parameter with its reason, and what would repair it. */
export const HintList = ({
  request,
  measures,
  check,
  printMm,
  onPrintMm,
  onRepair,
}: {
  readonly request: QrRequest;
  readonly measures: Measures;
  readonly check: Check;
  readonly printMm: number;
  readonly onPrintMm: (millimetres: number) => void;
  readonly onRepair: (request: QrRequest) => void;
}) => {
  const { grade, repair: found } = check;
  const hints = [
    moduleSizeHint(measures.modulePx, request.width ?? DEFAULT_WIDTH_PX, printMm),
    ...hintsOf(check),
  ];
  return (
    <section class="card hints" aria-labelledby="hints-title">
      <div class="hints-head">
        <h2 id="hints-title">
          <span class={chip(grade)}>{gradeInWords(grade)}</span>
        </h2>
        <div class="field print-width">
          <label for="print-mm">
            Printed width <span class="muted">mm</span>
          </label>
          <input
            id="print-mm"
            type="number"
            min={5}
            max={5000}
            value={Number.isNaN(printMm) ? '' : printMm}
            onInput={(event) => onPrintMm(event.currentTarget.valueAsNumber)}
          />
        </div>
      </div>
      {found !== undefined && found.changes.length > 0 && (
        <RepairButton found={found} onRepair={() => onRepair(repair(request, found))} />
      )}
      <ul>
        {hints.map(({ about, grade, text }) => (
          <li key={about}>
            <span class={chip(grade)}>{grade} of 4</span>
            <span>
              <strong>{about}</strong> {text}
            </span>
          </li>
        ))}
      </ul>
      <p class="muted">
        {measures.modules} × {measures.modules} modules, level {measures.level}
      </p>
    </section>
  );
};
