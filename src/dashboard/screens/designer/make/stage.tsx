import { BASE } from '../../../base.ts';
import type { Preview } from '../use-preview.ts';
import type { Saved } from './make.ts';

const SAVED_PX = 480;

/** Shows the picture: the preview, or the saved code when it is what is designed. */
export const Stage = ({
  preview: { picture, fault, busy },
  hasContent,
  saved,
}: {
  readonly preview: Preview;
  readonly hasContent: boolean;
  /** The saved code; `null` when it is not what is designed. */
  readonly saved: Saved | null;
}) => {
  const said = fault !== null ? fault.details || fault.message : hasContent ? '' : 'Enter the content first.';
  return (
    <>
      <div class={`stage ${said === '' ? '' : 'stale'}`} aria-busy={busy}>
        {saved !== null && (
          <img src={`${BASE}api/v1/codes/${saved.id}/image?width=${SAVED_PX}`} alt="The saved code" />
        )}
        {saved === null && picture !== null && <img src={picture} alt="Preview of the code" />}
        {saved === null && picture === null && <p class="muted">{said || 'Drawing …'}</p>}
      </div>
      <p class="fault" role="status">
        {picture === null && fault === null ? '' : said}
      </p>
    </>
  );
};
