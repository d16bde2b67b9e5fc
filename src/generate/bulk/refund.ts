/** Which failed items of bulk calls and rows of batches give their unit back: `QUOTA_REFUND`. */
export type RefundPolicy = 'failed' | 'server' | 'none';

/**
 * Whether an item or a row that failed for `cause` gives its unit back. One below the wanted grade always does, whatever
 * the policy is.
 */
export const isRefunded = (policy: RefundPolicy, cause: 'item' | 'row' | 'service' | 'grade'): boolean =>
  cause === 'grade' || policy === 'failed' || (policy === 'server' && cause === 'service');
