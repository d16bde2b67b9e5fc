import type { Preview } from '../use-preview.ts';

interface StageProps {
  readonly preview: Preview;
  readonly hasContent: boolean;
}

/** Shows the picture, or what is missing for one. */
export const Stage = ({ preview: { picture, fault, busy }, hasContent }: StageProps) => {
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
