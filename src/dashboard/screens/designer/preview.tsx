import { useEffect, useId, useState } from 'preact/hooks';
import { asFault, type Fault, postJson } from '../../api/client.ts';
import type { Check, QrRequest } from '../../api/shapes.ts';
import { Button } from '../../ui/buttons.tsx';
import { useObjectUrl } from '../../ui/hooks.ts';
import { say } from '../../words/say.ts';
import { GradeChip, gradeChip } from '../codes/grade.tsx';
import { type Hint, hintsOf, type Measures, repair, toMeasures } from './hints.ts';

const PAUSE_MS = 150;

export interface Preview {
  /** An object URL. It stays while the next picture is drawn, and when that fails. */
  readonly picture: string | null;
  /** What the service measured; `null` without a picture of the current design. */
  readonly measures: Measures | null;
  /** The grade of the design, and what would repair it; `null` like `measures`. */
  readonly check: Check | null;
  readonly fault: Fault | null;
  readonly busy: boolean;
}

/** The same with the picture itself. */
type Drawn = Omit<Preview, 'picture'> & { readonly picture: Blob | null };

const NOTHING: Drawn = { picture: null, measures: null, check: null, fault: null, busy: false };

const draw = async (request: QrRequest, signal: AbortSignal) => {
  const [drawn, checked] = await Promise.all([
    postJson('dashboard/preview', request, { signal }),
    postJson('dashboard/check', request, { signal }),
  ]);
  const check = (await checked.json()) as Check;
  return { picture: await drawn.blob(), measures: toMeasures(drawn.headers), check };
};

/**
 * Draws the design soon after its last change. A newer request aborts an older one. When the service is busy, the
 * request is sent again after the time that it asks for.
 */
export const usePreview = (request: QrRequest): Preview => {
  const [held, hold] = useState<Drawn>(NOTHING);
  const [turn, setTurn] = useState(0);
  const body = JSON.stringify(request);
  useEffect(() => {
    if (request.data === '') return hold((before) => ({ ...NOTHING, picture: before.picture }));
    const abort = new AbortController();
    hold((before) => ({ ...before, busy: true }));
    const start = () =>
      draw(request, abort.signal).then(
        (drawn) => hold({ ...drawn, fault: null, busy: false }),
        (error: unknown) => {
          if (abort.signal.aborted) return;
          const fault = asFault(error);
          hold(({ picture }) => ({ picture, measures: null, check: null, fault, busy: false }));
          if (fault.retryAfterS !== null)
            timers.push(setTimeout(() => setTurn((n) => n + 1), fault.retryAfterS * 1000));
        },
      );
    const timers = [setTimeout(() => void start(), PAUSE_MS)];
    return () => {
      abort.abort();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [body, turn]);
  return { ...held, picture: useObjectUrl(held.picture) };
};

interface HintsProps {
  readonly id?: string;
  readonly hints: readonly Hint[];
  readonly isOpen?: boolean;
}

/** Lists what was measured, and what to do about it. */
export const Hints = ({ id, hints, isOpen = true }: HintsProps) => (
  <ul id={id} class="stack tight hints" hidden={!isOpen}>
    {hints.map(({ about, grade, text }) => (
      <li key={about}>
        <span class={gradeChip(grade)}>{say('{grade} of 4', { grade })}</span>
        <span>
          <strong>{about}</strong> {text}
        </span>
      </li>
    ))}
  </ul>
);

/** Returns what a repair changes, in words. */
export const changesOf = ({ changes }: NonNullable<Check['repair']>): string =>
  changes.map((each) => each.replace(';v=', ' ')).join(', ');

interface GradeLineProps {
  readonly request: QrRequest;
  readonly check: Check;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onRepair: (request: QrRequest) => void;
}

/** Says in one line how well a design can be scanned; opened, each parameter with its reason. */
export const GradeLine = ({ request, check, isOpen, onOpen, onRepair }: GradeLineProps) => {
  const id = useId();
  const { grade, repair: found } = check;
  return (
    <div class="stack tight">
      <button
        type="button"
        class="grade-line"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => onOpen(!isOpen)}
      >
        <GradeChip grade={grade} />
        <span class="muted small">{isOpen ? say('Hide') : say('Why')}</span>
      </button>
      {found !== undefined && found.changes.length > 0 && (
        <p class="row">
          <Button onClick={() => onRepair(repair(request, found))}>
            {say('Repair to grade {grade}', { grade: found.grade })}
          </Button>
          <span class="muted small">{say('changes {changes}', { changes: changesOf(found) })}</span>
        </p>
      )}
      <Hints id={id} hints={hintsOf(check)} isOpen={isOpen} />
    </div>
  );
};
