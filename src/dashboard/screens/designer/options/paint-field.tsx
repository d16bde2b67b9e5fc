import type { QrRequest } from '../../../api/shapes.ts';
import { Quiet } from '../../../ui/buttons.tsx';
import { Input, SelectInput } from '../../../ui/fields.tsx';
import { say } from '../../../words/say.ts';
import { read } from '../draft.ts';
import { ColorField, NumberField, SHARE, useDesign, useField } from './field.tsx';

type Gradient = NonNullable<NonNullable<QrRequest['dotsOptions']>['gradient']>;

/** What a part is painted with: one colour or a kind of gradient. */
type PaintKind = 'color' | 'linear' | 'radial';

/** Returns the kind of a paint; `undefined` is one colour. A gradient without a type is linear. */
const kindOf = (gradient: Gradient | undefined): PaintKind =>
  gradient === undefined ? 'color' : (gradient.type ?? 'linear');

/** Returns a gradient of the given type. It keeps the stops of `before`, or begins in `color`. */
const gradientFrom = (color: string, type: 'linear' | 'radial', before?: Gradient): Gradient => ({
  ...(before ?? {
    colorStops: [
      { offset: 0, color },
      { offset: 1, color: '#7c3aed' },
    ],
  }),
  type,
});

/** Converts radians to whole degrees, for a slider. */
const toDegrees = (radians = 0): number => Math.round((radians * 180) / Math.PI);
/** Converts degrees to radians with four decimals, for the request. */
const toRadians = (degrees: number): number => Math.round(((degrees * Math.PI) / 180) * 10000) / 10000;

type Stops = Gradient['colorStops'];

const MAX_STOPS = 64;

const GradientStops = ({ path }: { readonly path: string }) => {
  const { value, set } = useField(path);
  const stops = value as Stops;
  return (
    <>
      {stops.map((_, index) => (
        <div class="row stop" key={index}>
          <ColorField
            path={`${path}.${index}.color`}
            label={say('Colour {index}', { index: index + 1 })}
            fallback="#000000"
          />
          <NumberField path={`${path}.${index}.offset`} label={say('Position')} {...SHARE} />
          {stops.length > 1 && (
            <Quiet
              aria-label={say('Remove colour {index}', { index: index + 1 })}
              onClick={() => set(stops.filter((_, other) => other !== index))}
            >
              {say('Remove')}
            </Quiet>
          )}
        </div>
      ))}
      {stops.length < MAX_STOPS && (
        <Quiet onClick={() => set([...stops, { offset: 1, color: stops.at(-1)?.color ?? '#000000' }])}>
          {say('Add a colour')}
        </Quiet>
      )}
    </>
  );
};

const FILLS = [
  ['color', say('Solid')],
  ['linear', say('Linear gradient')],
  ['radial', say('Radial gradient')],
] as const;

interface PaintFieldProps {
  readonly path: string;
  readonly fallback: string;
  readonly placeholder?: string | undefined;
}

/** Takes one colour or a gradient, for the options at `path`. */
export const PaintField = ({ path, fallback, placeholder }: PaintFieldProps) => {
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
      <SelectInput label={say('Fill')} value={kind} options={FILLS} onChoose={choose} />
      {gradient === undefined ? (
        <ColorField
          path={`${path}.color`}
          label={say('Colour')}
          fallback={fallback}
          placeholder={placeholder}
        />
      ) : (
        <div class="wide">
          {kind === 'linear' && (
            <Input
              type="range"
              label={say('Angle, {degrees}°', { degrees: toDegrees(gradient.rotation) })}
              min={0}
              max={360}
              step={5}
              value={toDegrees(gradient.rotation)}
              onText={(degrees) => set({ ...gradient, rotation: toRadians(Number(degrees)) })}
            />
          )}
          <GradientStops path={`${path}.gradient.colorStops`} />
        </div>
      )}
    </>
  );
};
