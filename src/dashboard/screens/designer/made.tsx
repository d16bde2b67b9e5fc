import { screen } from '../../base.ts';
import { Dialog } from '../../ui/dialog.tsx';

export interface MadeCode {
  /** A PNG as a data URL. */
  readonly data: string;
  readonly content: string;
  readonly remaining: number;
  /** Where it is kept, if it is. */
  readonly folderId: string | null;
}

/** The finished code, large. */
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
