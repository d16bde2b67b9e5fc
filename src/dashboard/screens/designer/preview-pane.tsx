import type { QrRequest } from '../../api/shapes.ts';
import { HintList } from './hint-list.tsx';
import type { Preview } from './use-preview.ts';

/** Shows the picture, and how well it can be scanned. */
export const PreviewPane = ({
  request,
  preview: { picture, measures, check, fault, busy },
  printMm,
  onPrintMm,
  onRepair,
}: {
  readonly request: QrRequest;
  readonly preview: Preview;
  readonly printMm: number;
  readonly onPrintMm: (millimetres: number) => void;
  readonly onRepair: (request: QrRequest) => void;
}) => {
  const said =
    fault !== null ? fault.details || fault.message : request.data === '' ? 'Enter the content first.' : '';
  return (
    <>
      <section class="card preview" aria-label="Preview">
        <div class={`stage ${fault !== null || said !== '' ? 'stale' : ''}`} aria-busy={busy}>
          {picture === null ? (
            <p class="muted">{said || 'Drawing …'}</p>
          ) : (
            <img src={picture} alt="Preview of the code" width={240} height={240} />
          )}
        </div>
        <p class="fault" role="status">
          {picture === null && fault === null ? '' : said}
        </p>
      </section>
      {measures !== null && check !== null && (
        <HintList
          request={request}
          measures={measures}
          check={check}
          printMm={printMm}
          onPrintMm={onPrintMm}
          onRepair={onRepair}
        />
      )}
    </>
  );
};
