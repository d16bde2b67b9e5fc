import type { QrRequest } from '../../api/shapes.ts';
import { applyLook, LOOKS } from './looks.ts';
import { Thumbnail } from './swatches/thumbnail.tsx';

/** What the pictures of looks and presets encode: a symbol of the smallest version, in which dots are large. */
export const SAMPLE = { data: 'TESSERA', width: 200, height: 200 } as const;

interface LookListProps {
  readonly request: QrRequest;
  readonly onChoose: (request: QrRequest) => void;
}

/** Shows the looks as small codes. The button of the current look is pressed. */
export const LookList = ({ request, onChoose }: LookListProps) => (
  <fieldset class="looks">
    <legend>Looks</legend>
    {LOOKS.map((look) => {
      const dressed = applyLook(request, look);
      return (
        <button
          key={look.name}
          type="button"
          class="look"
          aria-pressed={JSON.stringify(dressed) === JSON.stringify(request)}
          onClick={() => onChoose(dressed)}
        >
          <span class="look-picture">
            <Thumbnail request={applyLook(SAMPLE, look)} />
          </span>
          {look.name}
        </button>
      );
    })}
  </fieldset>
);
