import type { Usage } from '../../api/shapes.ts';
import { QuotaHelp } from '../../frame/quota-help.tsx';
import { day } from '../../ui/format.ts';
import { UsagePicture } from './usage.tsx';

/** Shows the units of this month, what costs one, and what to do when none is left. */
export const Month = ({ usage }: { readonly usage: Usage }) => (
  <>
    <UsagePicture month={usage} />
    {usage.remaining === 0 && (
      <div class="notice stack">
        <p>
          <strong>All units of this month and all credits are used.</strong>
        </p>
        <QuotaHelp resetsAt={usage.resets_at} />
      </div>
    )}
    <p class="muted small">
      Each code costs one unit. An embedded picture with a signed address costs one a month; one with a key in
      its address costs one each time it is loaded. Credits are used when the month’s units are gone. New
      units come on {day(usage.resets_at)}.
    </p>
  </>
);
