import { type MutableRef, useEffect, useRef, useState } from 'preact/hooks';
import { Button, Primary, Quiet } from '../../../ui/buttons.tsx';
import { Dialog } from '../../../ui/form.tsx';
import { useMedia } from '../../../ui/hooks.ts';
import { Failure } from '../../../ui/states.tsx';
import { NOT_FOR_TILLS } from '../../codes/file-choice.ts';
import { type Draft, resize } from '../draft.ts';
import { moduleSizeHint } from '../hints.ts';
import { GradeLine, type Preview } from '../preview.tsx';
import { type FileChoice, FOR_SCREENS, sideModulesOf, toPrintedSize } from './file.ts';
import { DownloadForm, SaveForm } from './forms.tsx';
import type { CodeActions, Place } from './use-code.ts';

interface StageProps {
  readonly preview: Preview;
  readonly hasContent: boolean;
}

/** Shows the picture, or what is missing for one. */
const Stage = ({ preview: { picture, fault, busy }, hasContent }: StageProps) => {
  const said = fault !== null ? fault.details || fault.message : hasContent ? '' : 'Enter the content first.';
  return (
    <>
      <div class={`stage ${said === '' ? '' : 'stale'}`} aria-busy={busy}>
        {picture === null ? (
          <p class="muted">{said || 'Drawing …'}</p>
        ) : (
          <img src={picture} alt="Preview of the code" />
        )}
      </div>
      <p class="fault" role="status">
        {picture === null && fault === null ? '' : said}
      </p>
    </>
  );
};

const GAP_PX = 16;

/**
 * Keeps an element of `position: sticky` in sight: at the top of the window, or, when it is taller than the window,
 * with its end at the bottom, so that everything in it can be scrolled to.
 */
const useSticky = (element: MutableRef<HTMLElement | null>): void => {
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const place = () => {
      current.style.top = `${Math.min(GAP_PX, innerHeight - current.offsetHeight - GAP_PX)}px`;
    };
    const sizes = new ResizeObserver(place);
    sizes.observe(current);
    addEventListener('resize', place);
    return () => {
      sizes.disconnect();
      removeEventListener('resize', place);
    };
  }, []);
};

interface PanelProps {
  readonly draft: Draft;
  readonly preview: Preview;
  readonly code: CodeActions;
  readonly place: Place;
  readonly isEdit: boolean;
  readonly onPlace: (place: Place) => void;
  readonly onRequest: (request: Draft['request']) => void;
}

const DEFAULT_WIDTH_PX = 300;

/** Says what stands in the way, or what the next step costs. */
const wordsFor = ({ draft, code, isEdit }: PanelProps): string => {
  const { isSaved, kept, obstacle } = code;
  if (obstacle !== null) return obstacle;
  if (draft.dynamic && kept === null) return 'Saving makes the short link. It costs 1 unit.';
  if (isSaved) return 'Downloads of a saved code are free.';
  if (isEdit) return 'Saving changes is free. The content cannot change.';
  return 'A download or a saved code costs 1 unit.';
};

const isGs1 = ({ qrOptions }: Draft['request']): boolean => qrOptions?.gs1 !== undefined;

/** Returns the symbol on paper, and its size there. */
const sizeOn = (choice: FileChoice, request: Draft['request'], modules: number) => {
  const symbol = { modules, isCircle: request.shape === 'circle' };
  const asked = isGs1(request) ? choice : { ...choice, ...NOT_FOR_TILLS };
  return { symbol, size: toPrintedSize(asked, symbol) };
};

/** Returns the parts of the panel, each to be shown in its place. */
const useParts = (props: PanelProps) => {
  const { draft, preview, code, place, isEdit, onPlace, onRequest } = props;
  const { request, dynamic } = draft;
  const [choice, setChoice] = useState(FOR_SCREENS);
  const [isOpen, setOpen] = useState(false);
  const { measures, check, fault } = preview;
  const isMm = choice.unit === 'mm';
  const { symbol, size } = sizeOn(choice, request, measures?.modules ?? 21);
  const isWanting = request.data === '' || fault !== null;
  const { obstacle, downloading, saving, isSaved } = code;
  const savesFirst = dynamic && !isSaved;
  const widthPx = request.width ?? DEFAULT_WIDTH_PX;
  const failure = downloading.fault ?? saving.fault;
  return {
    stage: <Stage preview={preview} hasContent={request.data !== ''} />,
    download: (
      <DownloadForm
        choice={choice}
        isGs1={isGs1(request)}
        fault={isMm && !size.ok ? size.fault : null}
        widthPx={widthPx}
        label={downloading.busy ? 'Drawing …' : savesFirst ? 'Save and download' : 'Download'}
        isDisabled={isWanting || downloading.busy || obstacle !== null}
        onChoice={setChoice}
        onWidth={(width) => onRequest(resize(request, width))}
        onDownload={() => void code.download(choice, isMm && size.ok ? size.value.query : '', place)}
      />
    ),
    save: (
      <SaveForm
        code={code}
        place={place}
        isEdit={isEdit}
        isDisabled={isWanting || saving.busy || obstacle !== null}
        onPlace={onPlace}
      />
    ),
    said: (
      <>
        <p class="muted small" role="status">
          {code.done ?? wordsFor(props)}
        </p>
        {failure !== null && <Failure fault={failure} />}
      </>
    ),
    openGrade: () => setOpen(true),
    grade: check !== null && measures !== null && (
      <GradeLine
        request={request}
        check={check}
        isOpen={isOpen}
        onOpen={setOpen}
        printed={
          isMm ? moduleSizeHint(1, sideModulesOf(symbol), size.ok ? size.value.widthMm : Number.NaN) : null
        }
        onRepair={onRequest}
      />
    ),
  };
};

const DIALOGS = { download: 'Download', save: 'Save', grade: 'How well it scans' } as const;

interface CompactProps {
  readonly parts: ReturnType<typeof useParts>;
  /** '' without one. */
  readonly grade: string;
}

/** The panel of a narrow window: a small picture that stays in sight, and buttons that open the rest. */
const Compact = ({ parts, grade }: CompactProps) => {
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null);
  const close = () => setOpen(null);
  return (
    <section class="compact" aria-label="Preview">
      {parts.stage}
      <div class="compact-actions">
        <Quiet
          disabled={grade === ''}
          onClick={() => {
            parts.openGrade();
            setOpen('grade');
          }}
        >
          {grade || 'No grade yet'}
        </Quiet>
        <div class="row">
          <Primary onClick={() => setOpen('download')}>Download</Primary>
          <Button onClick={() => setOpen('save')}>Save</Button>
        </div>
      </div>
      {open !== null && (
        <Dialog title={DIALOGS[open]} onClose={close}>
          {parts[open]}
          {open !== 'grade' && parts.said}
          <div class="row">
            <Quiet onClick={close}>Close</Quiet>
          </div>
        </Dialog>
      )}
    </section>
  );
};

const Wide = ({ parts }: { readonly parts: ReturnType<typeof useParts> }) => {
  const element = useRef<HTMLElement>(null);
  useSticky(element);
  return (
    <section class="studio-side card" aria-label="Preview" ref={element}>
      {parts.stage}
      {parts.download}
      {parts.save}
      {parts.said}
      {parts.grade}
    </section>
  );
};

/**
 * Shows the picture, always in view, with its grade and everything that can be done with it, such as downloading and
 * saving.
 */
export const Panel = (props: PanelProps) => {
  const parts = useParts(props);
  const isWide = useMedia('(min-width: 60rem)');
  const { check } = props.preview;
  if (isWide) return <Wide parts={parts} />;
  return <Compact parts={parts} grade={check === null ? '' : `Grade ${check.grade}`} />;
};
