import { useEffect, useState } from 'preact/hooks';
import { screen } from '../../../base.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DownloadForm } from '../../download/download.tsx';
import type { Format } from '../../download/file-choice.ts';

/** A code that was made and paid for. */
export interface MadeCode {
  /** The address of the file: a data URL, or one of this page. */
  readonly data: string;
  readonly format: Format;
  /** In words; '' when it is not known. */
  readonly grade: string;
  readonly content: string;
  /** Units that are left; `null` when that is not known. */
  readonly remaining: number | null;
  /** The folder in which it is saved; `null` when it is not saved. */
  readonly folderId: string | null;
  /** The saved code, which can be downloaded in other formats. */
  readonly saved?: { readonly id: string; readonly widthPx: number };
}

/** Shows the finished code in a dialog, with a download. */
export const Made = ({ made, onClose }: { readonly made: MadeCode; readonly onClose: () => void }) => {
  const { data, format, grade, content, folderId, saved } = made;
  const [isChoosing, setChoosing] = useState(false);
  // An address of this page keeps its file in memory.
  useEffect(() => () => URL.revokeObjectURL(data), [data]);
  return (
    <Dialog title="Your code" onClose={onClose}>
      {isChoosing && saved !== undefined ? (
        <DownloadForm {...saved} onClose={() => setChoosing(false)} />
      ) : (
        <div class="made">
          {format !== 'pdf' && format !== 'eps' && <img src={data} alt={`QR code of ${content}`} />}
          {grade !== '' && <p class="muted">{grade}</p>}
          <div class="row">
            <a class="button primary" href={data} download={`code.${format}`}>
              Download {format === 'webp' ? 'WebP' : format.toUpperCase()}
            </a>
            {saved !== undefined && (
              <button type="button" onClick={() => setChoosing(true)}>
                Other formats …
              </button>
            )}
            {folderId !== null && (
              <a class="button" href={screen(`/folders/${folderId}`)}>
                Open the folder
              </a>
            )}
            <button type="button" class="quiet" onClick={onClose}>
              Close
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
};
