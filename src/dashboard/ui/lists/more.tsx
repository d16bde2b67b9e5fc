import { Failure } from '../states.tsx';
import type { Pages } from './paged.ts';

/** Ends a paged list: with a button for the next page, or with the reason why that page failed. */
export const More = <T,>({ pages }: { readonly pages: Pages<T> }) => {
  if (pages.moreFault !== null) return <Failure fault={pages.moreFault} retry={pages.more} />;
  if (!pages.hasMore) return null;
  return (
    <div class="row">
      <button type="button" onClick={pages.more} disabled={pages.isLoadingMore}>
        {pages.isLoadingMore ? 'Loading …' : 'Show more'}
      </button>
    </div>
  );
};
