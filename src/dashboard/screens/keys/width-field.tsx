import { toWidthPx } from './image-tag.ts';

/** Asks for the width of a picture. */
export const WidthField = ({
  widthPx,
  onWidth,
}: {
  readonly widthPx: number;
  readonly onWidth: (widthPx: number) => void;
}) => (
  <div class="field">
    <label for="embed-width">
      Size <span class="muted">px</span>
    </label>
    <input
      id="embed-width"
      type="number"
      min={50}
      max={2000}
      value={widthPx}
      onChange={(event) => onWidth(toWidthPx(event.currentTarget.valueAsNumber))}
    />
  </div>
);
