import { Button } from '../../../ui/buttons.tsx';
import { formatDuration, formatSize, percent } from '../../../ui/format.ts';
import { Failure } from '../../../ui/states.tsx';
import { GradeChip, type Preview } from '../../designer/preview.tsx';
import { ProgressBar } from '../status.tsx';
import type { Progress, UploadState } from './use-upload.ts';

const Example = ({ preview: { picture, check, fault } }: { readonly preview: Preview }) => (
  <>
    <div class={`stage ${fault === null ? '' : 'stale'}`}>
      {picture === null ? (
        <p class="muted">Drawing …</p>
      ) : (
        <img src={picture} alt="Example of a code" width={240} height={240} />
      )}
    </div>
    {check !== null && (
      <p>
        <GradeChip grade={check.grade} />
      </p>
    )}
  </>
);

interface UploadingProps {
  readonly progress: Progress;
  readonly onStop: () => void;
}

const Uploading = ({ progress: { sentBytes, totalBytes, remainingS }, onStop }: UploadingProps) => {
  const isSent = sentBytes === totalBytes;
  return (
    <>
      <div class="batch-headline">
        <strong>{percent(totalBytes === 0 ? 0 : sentBytes / totalBytes)}</strong>
        <span role="status">{isSent ? 'Storing the last rows …' : 'Uploading. Keep this page open.'}</span>
      </div>
      <ProgressBar share={isSent ? null : sentBytes / totalBytes} label="Upload" />
      <p class="muted small">
        {formatSize(sentBytes)} of {formatSize(totalBytes)}
        {!isSent && remainingS !== null && ` · about ${formatDuration(remainingS)} left`}
      </p>
      <Button onClick={onStop}>Stop</Button>
    </>
  );
};

interface StartPaneProps {
  readonly preview: Preview;
  readonly upload: UploadState;
  /** Why the batch cannot be sent; otherwise `null`. */
  readonly hindered: string | null;
  readonly cost: string;
  readonly onStart: () => void;
  readonly onStop: () => void;
}

/** Shows an example of the codes and what they cost, and sends the file with a button. */
export const StartPane = ({ preview, upload, hindered, cost, onStart, onStop }: StartPaneProps) => (
  <section class="card start" aria-label="Start">
    <Example preview={preview} />
    {upload.kind === 'sending' ? (
      <Uploading progress={upload.progress} onStop={onStop} />
    ) : (
      <>
        {upload.kind === 'failed' && <Failure fault={upload.fault} />}
        <button type="button" class="primary large" disabled={hindered !== null} onClick={onStart}>
          Start the batch
        </button>
        <p class="muted small" role="status">
          {hindered ?? cost}
        </p>
      </>
    )}
  </section>
);
