import type { QrRequest } from '../../api/shapes.ts';
import { dress, PRESETS } from './presets.ts';

/** Shows the presets as buttons. */
export const PresetList = ({
  request,
  onChoose,
}: {
  readonly request: QrRequest;
  readonly onChoose: (request: QrRequest) => void;
}) => (
  <fieldset class="presets">
    <legend>Start with a style</legend>
    {PRESETS.map((preset) => (
      <button
        key={preset.name}
        type="button"
        class={`preset ${preset.name.toLowerCase()}`}
        onClick={() => onChoose(dress(request, preset))}
      >
        <span class="swatch" aria-hidden="true" />
        {preset.name}
      </button>
    ))}
  </fieldset>
);
