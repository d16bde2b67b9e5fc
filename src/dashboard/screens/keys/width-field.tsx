import { useDraft } from '../../ui/forms/use-draft.ts';
import { toWidthPx } from './image-tag.ts';

/** Asks for the width of a picture. What is typed stays while the form is drawn anew, and counts when it is finished. */
export const WidthField = ({
  widthPx,
  onWidth,
}: {
  readonly widthPx: number;
  readonly onWidth: (widthPx: number) => void;
}) => {
  const [text, setText] = useDraft(String(widthPx));
  return (
    <div class="field">
      <label for="embed-width">
        Size <span class="muted">px</span>
      </label>
      <input
        id="embed-width"
        type="number"
        min={50}
        max={2000}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => {
          const wantedPx = toWidthPx(event.currentTarget.valueAsNumber);
          setText(String(wantedPx));
          onWidth(wantedPx);
        }}
      />
    </div>
  );
};
