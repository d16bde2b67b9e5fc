import { type MutableRef, useEffect, useRef, useState } from 'preact/hooks';
import type { QrRequest } from '../../../api/shapes.ts';
import { Button, Primary, Quiet } from '../../../ui/buttons.tsx';
import { Dialog } from '../../../ui/form.tsx';
import { useMedia } from '../../../ui/hooks.ts';
import { Failure } from '../../../ui/states.tsx';
import { say } from '../../../words/say.ts';
import { PrintDialog } from '../../print/dialog.tsx';
import { OF_CODES } from '../../print/words.ts';
import type { Draft } from '../draft.ts';
import { GradeLine, type Preview } from '../preview.tsx';
import { SaveForm } from './save-form.tsx';
import type { CodeActions, Place } from './use-code.ts';

interface StageProps {
  readonly preview: Preview;
  readonly hasContent: boolean;
}

/** Shows the picture, or what is missing for one. */
const Stage = ({ preview: { picture, fault, busy }, hasContent }: StageProps) => {
  const said =
    fault !== null ? fault.details || fault.message : hasContent ? '' : say('Enter the content first.');
  return (
    <>
      <div class={`stage ${said === '' ? '' : 'stale'}`} aria-busy={busy}>
        {picture === null ? (
          <p class="muted">{said || say('Drawing …')}</p>
        ) : (
          <img src={picture} alt={say('Preview of the code')} />
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
  /** What the preview is drawn from. */
  readonly drawn: QrRequest;
  readonly preview: Preview;
  readonly code: CodeActions;
  readonly place: Place;
  readonly isEdit: boolean;
  readonly onPlace: (place: Place) => void;
  readonly onRequest: (request: Draft['request']) => void;
}

/** Says what stands in the way, or what the next step costs. */
const wordsFor = ({ draft, code, isEdit }: PanelProps): string => {
  const { isSaved, kept, obstacle } = code;
  if (obstacle !== null) return obstacle;
  if (draft.dynamic && kept === null) return say('Saving makes the short link. It costs 1 unit.');
  if (isSaved) return say('Downloads of a saved code are free.');
  if (isEdit) return say('Saving changes is free. The content cannot change.');
  return say('A download or a saved code costs 1 unit.');
};

/** Downloads the design, or the code that was saved of it. */
const Download = ({
  of,
  isDisabled,
  onClose,
}: {
  readonly of: PanelProps;
  readonly isDisabled: boolean;
  readonly onClose: () => void;
}) => {
  const { draft, drawn, preview, code, place } = of;
  const saved = code.isSaved ? code.kept : null;
  const design = drawn.data === '' ? null : ({ kind: 'design', request: drawn } as const);
  return (
    <PrintDialog
      place="design"
      title={say('Download')}
      sample={saved === null ? design : { kind: 'code', id: saved.id }}
      picture={preview.picture}
      names={saved !== null || draft.dynamic ? OF_CODES : ['content']}
      isGs1={draft.request.qrOptions?.gs1 !== undefined}
      isMany={false}
      action={draft.dynamic && !code.isSaved ? say('Save and download') : say('Download')}
      note={wordsFor(of)}
      isDisabled={isDisabled}
      download={async (choice) =>
        say('Downloaded as “{name}”.', { name: await code.download(choice, place) })
      }
      onClose={onClose}
    />
  );
};

/** Returns the parts of the panel, each to be shown in its place. */
const useParts = (props: PanelProps) => {
  const { draft, preview, code, place, isEdit, onPlace, onRequest } = props;
  const { request } = draft;
  const [isOpen, setOpen] = useState(false);
  const [isDownloading, setDownloading] = useState(false);
  const { measures, check, fault } = preview;
  const { obstacle, saving } = code;
  const isWanting = request.data === '' || fault !== null || obstacle !== null;
  // Who edits a saved code wants to save it.
  const [DownloadButton, SaveButton] = isEdit ? [Button, Primary] : [Primary, Button];
  return {
    stage: <Stage preview={preview} hasContent={request.data !== ''} />,
    download: (
      <>
        <DownloadButton disabled={isWanting} onClick={() => setDownloading(true)}>
          {say('Download …')}
        </DownloadButton>
        {isDownloading && (
          <Download of={props} isDisabled={isWanting} onClose={() => setDownloading(false)} />
        )}
      </>
    ),
    save: (
      <SaveForm
        code={code}
        place={place}
        isEdit={isEdit}
        isDisabled={isWanting || saving.busy}
        onPlace={onPlace}
      />
    ),
    said: (
      <>
        <p class="muted small" role="status">
          {code.done ?? wordsFor(props)}
        </p>
        {saving.fault !== null && <Failure fault={saving.fault} />}
      </>
    ),
    SaveButton,
    openGrade: () => setOpen(true),
    grade: check !== null && measures !== null && (
      <GradeLine request={request} check={check} isOpen={isOpen} onOpen={setOpen} onRepair={onRequest} />
    ),
  };
};

const DIALOGS = { save: say('Save'), grade: say('How well it scans') } as const;

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
    <section class="compact" aria-label={say('Preview')}>
      {parts.stage}
      <div class="compact-actions">
        <Quiet
          disabled={grade === ''}
          onClick={() => {
            parts.openGrade();
            setOpen('grade');
          }}
        >
          {grade || say('No grade yet')}
        </Quiet>
        <div class="row">
          {parts.download}
          <parts.SaveButton onClick={() => setOpen('save')}>{say('Save')}</parts.SaveButton>
        </div>
      </div>
      {open !== null && (
        <Dialog title={DIALOGS[open]} onClose={close}>
          {parts[open]}
          {open !== 'grade' && parts.said}
          <div class="row">
            <Quiet onClick={close}>{say('Close')}</Quiet>
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
    <section class="studio-side card" aria-label={say('Preview')} ref={element}>
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
  return <Compact parts={parts} grade={check === null ? '' : say('Grade {grade}', { grade: check.grade })} />;
};
