import type { LinksSummary } from '../../api/shapes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { count } from '../../ui/format.ts';

/** Says in words what a deletion stops. */
const scansOf = ({ links, people, bots, previews }: LinksSummary): string => {
  const them = links === 1 ? 'It' : 'They';
  const others = bots + previews === 0 ? '' : `, and bots and previews ${count(bots + previews, 'time')}`;
  return people === 0
    ? `In the last 30 days nobody scanned ${links === 1 ? 'it' : 'them'}.`
    : `${them} had ${count(people, 'scan')} by people in the last 30 days${others}.`;
};

/** Asks before short links that work are stopped. */
export const LinksQuestion = ({
  what,
  summary,
  onDelete,
  onClose,
}: {
  /** What would be deleted, as a sentence begins with it. */
  readonly what: string;
  readonly summary: LinksSummary;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}) => (
  <Dialog title={`Delete ${what}?`} onClose={onClose}>
    <p>
      <strong>{count(summary.links, 'short link')}</strong> {summary.links === 1 ? 'works' : 'work'} now and
      will stop at once, also on what is already printed. {scansOf(summary)}
    </p>
    <p class="muted">You can restore everything from the bin for 30 days.</p>
    <div class="row">
      <button type="button" class="danger" onClick={onDelete}>
        Delete
      </button>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
    </div>
  </Dialog>
);
