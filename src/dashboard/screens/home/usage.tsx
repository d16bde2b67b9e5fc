import type { Usage } from '../../api/shapes.ts';
import { count, formatNumber } from '../../ui/format.ts';
import { FigureList } from '../../ui/page.tsx';

/** Below this share of the month's units the page warns. */
const LOW_SHARE = 0.1;

/** Hundredths of the bar: even a small use is visible. */
const MIN_SHOWN = 1;

/** What an account may use and has used this month, as its own API and the operator's say it. */
export type Month = Pick<Usage, 'monthly_used' | 'monthly_quota' | 'credits' | 'remaining' | 'plan'>;

/** Shows the units of this month, as a bar and in words. */
export const UsagePicture = ({ month }: { readonly month: Month }) => {
  const { monthly_used: used, monthly_quota: quota, credits, remaining, plan } = month;
  const share = quota === 0 ? 1 : Math.min(1, used / quota);
  const isLow = remaining <= quota * LOW_SHARE;
  return (
    <div class="usage">
      <p class="row">
        <strong>
          {formatNumber(used)} of {formatNumber(quota)} units
        </strong>
        <span class="chip">{plan === 'pro' ? 'Pro' : 'Free'}</span>
        {isLow && <span class="chip warn">{count(remaining, 'unit')} left</span>}
      </p>
      <svg
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${Math.round(share * 100)} % of this month's units are used`}
      >
        <rect width="100" height="4" fill="var(--sunken)" />
        <rect
          width={used === 0 ? 0 : Math.max(MIN_SHOWN, share * 100)}
          height="4"
          fill={isLow ? 'var(--warn)' : 'var(--accent)'}
        />
      </svg>
      <FigureList
        figures={[
          ['Left this month', Math.max(0, quota - used)],
          ['Credits', credits],
          ...(credits > 0 ? [['Left in total', remaining] as const] : []),
        ]}
      />
    </div>
  );
};
