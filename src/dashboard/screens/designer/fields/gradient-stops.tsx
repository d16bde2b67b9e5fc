import type { Gradient } from '../colors/gradient.ts';
import { useField } from '../context.ts';
import { ColorField } from './color-field.tsx';
import { NumberField } from './number-field.tsx';

type Stops = Gradient['colorStops'];

const MAX_STOPS = 64;

/** Takes the colours of a gradient and their positions. */
export const GradientStops = ({ path }: { readonly path: string }) => {
  const { value, set } = useField(path);
  const stops = value as Stops;
  return (
    <>
      {stops.map((_, index) => (
        <div class="row stop" key={index}>
          <ColorField path={`${path}.${index}.color`} label={`Colour ${index + 1}`} fallback="#000000" />
          <NumberField
            path={`${path}.${index}.offset`}
            label="Position"
            hint="0 to 1"
            min={0}
            max={1}
            step={0.05}
          />
          {stops.length > 1 && (
            <button
              type="button"
              class="quiet"
              aria-label={`Remove colour ${index + 1}`}
              onClick={() => set(stops.filter((_, other) => other !== index))}
            >
              Remove
            </button>
          )}
        </div>
      ))}
      {stops.length < MAX_STOPS && (
        <button
          type="button"
          class="quiet"
          onClick={() => set([...stops, { offset: 1, color: stops.at(-1)?.color ?? '#000000' }])}
        >
          Add a colour
        </button>
      )}
    </>
  );
};
