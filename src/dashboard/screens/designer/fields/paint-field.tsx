import { useId } from 'preact/hooks';
import {
  type Gradient,
  gradientFrom,
  kindOf,
  type PaintKind,
  toDegrees,
  toRadians,
} from '../colors/gradient.ts';
import { useDesign, useField } from '../context.ts';
import { read } from '../draft.ts';
import { ColorField } from './color-field.tsx';
import { GradientStops } from './gradient-stops.tsx';

/** Takes one colour or a gradient, for the options at `path`. */
export const PaintField = ({
  path,
  fallback,
  placeholder,
}: {
  readonly path: string;
  readonly fallback: string;
  readonly placeholder?: string;
}) => {
  const id = useId();
  const { request } = useDesign();
  const { value, set } = useField(`${path}.gradient`);
  const gradient = value as Gradient | undefined;
  const kind = kindOf(gradient);
  const choose = (chosen: PaintKind) => {
    if (chosen === 'color') return set(undefined);
    const color = (read(request, `${path}.color`) as string | undefined) ?? fallback;
    return set(gradientFrom(color, chosen, gradient));
  };
  return (
    <>
      <div class="field">
        <label for={id}>Fill</label>
        <select id={id} value={kind} onChange={(event) => choose(event.currentTarget.value as PaintKind)}>
          <option value="color">Solid</option>
          <option value="linear">Linear gradient</option>
          <option value="radial">Radial gradient</option>
        </select>
      </div>
      {gradient === undefined ? (
        <ColorField
          path={`${path}.color`}
          label="Colour"
          fallback={fallback}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
      ) : (
        <div class="wide">
          {kind === 'linear' && (
            <div class="field">
              <label for={`${id}-angle`}>Angle, {toDegrees(gradient.rotation)}°</label>
              <input
                id={`${id}-angle`}
                type="range"
                min={0}
                max={360}
                step={5}
                value={toDegrees(gradient.rotation)}
                onInput={(event) =>
                  set({ ...gradient, rotation: toRadians(Number(event.currentTarget.value)) })
                }
              />
            </div>
          )}
          <GradientStops path={`${path}.gradient.colorStops`} />
        </div>
      )}
    </>
  );
};
