import type { Picture } from './image-tag.ts';
import { WidthField } from './width-field.tsx';

const ColorInput = ({
  id,
  label,
  color,
  onColor,
}: {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly onColor: (color: string) => void;
}) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input id={id} type="color" value={color} onInput={(event) => onColor(event.currentTarget.value)} />
  </div>
);

/** The inputs of content, size and colours. */
export const EmbedFields = ({
  picture,
  onPicture,
}: {
  readonly picture: Picture;
  readonly onPicture: (picture: Picture) => void;
}) => {
  const change = (part: Partial<Picture>) => onPicture({ ...picture, ...part });
  return (
    <div class="embed-fields">
      <div class="field wide">
        <label for="embed-content">Content</label>
        <input
          id="embed-content"
          type="text"
          maxLength={4296}
          value={picture.content}
          onInput={(event) => change({ content: event.currentTarget.value })}
        />
      </div>
      <WidthField widthPx={picture.widthPx} onWidth={(widthPx) => change({ widthPx })} />
      <ColorInput id="embed-dark" label="Code" color={picture.dark} onColor={(dark) => change({ dark })} />
      <ColorInput
        id="embed-light"
        label="Background"
        color={picture.light}
        onColor={(light) => change({ light })}
      />
    </div>
  );
};
