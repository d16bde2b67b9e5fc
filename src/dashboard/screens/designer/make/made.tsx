import { screen } from '../../../base.ts';
import { Dialog } from '../../../ui/dialog.tsx';

/** A code that was made and paid for. */
export interface MadeCode {
  /** A PNG as a data URL. */
  readonly data: string;
  readonly content: string;
  /** Units that are left. */
  readonly remaining: number;
  /** The folder in which it is saved; `null` when it is not saved. */
  readonly folderId: string | null;
}

/** Shows the finished code in a dialog, with a download. */
export const Made = ({ made, onClose }: { readonly made: MadeCode; readonly onClose: () => void }) => (
  <Dialog title="Your code" onClose={onClose}>
    <div class="made">
      <img src={made.data} alt={`QR code of ${made.content}`} />
      <div class="row">
        <a class="button primary" href={made.data} download="code.png">
          Download PNG
        </a>
        {made.folderId !== null && (
          <a class="button" href={screen(`/folders/${made.folderId}`)}>
            Open the folder
          </a>
        )}
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  </Dialog>
);
