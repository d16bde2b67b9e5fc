import type { QrRequest } from '../../api/shapes.ts';
import { toRgba } from './colors/css-color.ts';
import { designContrast } from './colors/design-contrast.ts';
import {
  contrastHint,
  cornersHint,
  type Grade,
  logoHint,
  type Measures,
  moduleSizeHint,
  overall,
  quietZoneHint,
} from './hints.ts';

const WORDS: Readonly<Record<Grade, string>> = { good: 'Good', careful: 'Careful', bad: 'Bad' };
const CHIPS: Readonly<Record<Grade, string>> = { good: 'good', careful: 'warn', bad: 'bad' };
const VERDICTS: Readonly<Record<Grade, string>> = {
  good: 'Scans well',
  careful: 'May be hard to scan',
  bad: 'May not scan',
};
const DEFAULT_WIDTH_PX = 300;

/** Says how well a design can be scanned: a verdict, and a hint for each thing that matters. */
export const HintList = ({
  request,
  measures,
  printMm,
  onPrintMm,
}: {
  readonly request: QrRequest;
  readonly measures: Measures;
  readonly printMm: number;
  readonly onPrintMm: (millimetres: number) => void;
}) => {
  const hints = [
    contrastHint(designContrast(request, toRgba)),
    cornersHint(request),
    logoHint(measures),
    quietZoneHint(measures.quietZoneModules),
    moduleSizeHint(measures.modulePx, request.width ?? DEFAULT_WIDTH_PX, printMm),
  ];
  const verdict = overall(hints);
  return (
    <section class="card hints" aria-labelledby="hints-title">
      <div class="hints-head">
        <h2 id="hints-title">
          <span class={`chip ${CHIPS[verdict]}`}>{VERDICTS[verdict]}</span>
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
      <ul>
        {hints.map(({ about, grade, text }) => (
          <li key={about}>
            <span class={`chip ${CHIPS[grade]}`}>{WORDS[grade]}</span>
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
