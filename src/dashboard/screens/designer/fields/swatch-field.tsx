import { CORNER_TYPES, type CornerType } from '../../../../../workers/lists.ts';
import type { QrRequest } from '../../../api/shapes.ts';
import { FaultOf } from '../../../ui/forms/field.tsx';
import { useField } from '../context.ts';
import { Thumbnail } from '../swatches/thumbnail.tsx';

/** The part of a code that a swatch shows. */
export type Crop = 'dots' | 'ring' | 'centre';

/** A version 1 symbol without margin, whose modules are 11 pixels: the stylesheet crops the swatches out of it. */
const CANVAS = {
  data: 'TESSERA',
  width: 231,
  height: 231,
  margin: 0,
  qrOptions: { errorCorrectionLevel: 'L', typeNumber: 1 },
} as const;

const drawnIn = (type: string): QrRequest => {
  const corner = { type } as NonNullable<QrRequest['cornersDotOptions']>;
  const dots = { type: type === 'dot' ? 'square' : type } as NonNullable<QrRequest['dotsOptions']>;
  return { ...CANVAS, dotsOptions: dots, cornersSquareOptions: corner, cornersDotOptions: corner };
};

interface SwatchFieldProps {
  readonly path: string;
  readonly label: string;
  readonly crop: Crop;
  readonly none: string;
  readonly absent: string;
  readonly types: readonly CornerType[];
}

/** Takes a style by its picture. The first choice, called `none`, removes the field and is drawn as `absent`. */
export const SwatchField = ({ path, label, crop, none, absent, types }: SwatchFieldProps) => {
  const { id, value, fault, set } = useField(path);
  const choices = [
    { type: undefined, name: none },
    ...types.map((type) => ({ type, name: CORNER_TYPES[type] })),
  ];
  // A default that is written out is the first choice too.
  const chosen = types.find((type) => type === value);
  return (
    <fieldset class="swatches wide" aria-describedby={`${id}-fault`}>
      <legend>{label}</legend>
      {choices.map(({ type, name }) => (
        <label key={name}>
          <input class="hidden" type="radio" name={id} checked={chosen === type} onChange={() => set(type)} />
          <span class={`swatch ${crop}`}>
            <Thumbnail request={drawnIn(type ?? absent)} />
          </span>
          {name}
        </label>
      ))}
      <FaultOf id={`${id}-fault`} text={fault} />
    </fieldset>
  );
};
