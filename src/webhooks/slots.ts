/** How a gateway divides its requests between accounts, so that slow receivers of one do not delay those of others. */
import { CONCURRENT } from './post.ts';

/** Deliveries of a webhook under way at once, of all gateways. */
export const AT_ONCE = 10;

/** For accounts that have no request under way. */
const RESERVED = CONCURRENT / 2;

/** The requests under way. */
export const createSlots = () => {
  const byAccount = new Map<string, number>();
  let taken = 0;
  /** Slots of which an account may have more than one. */
  const shared = (): number => CONCURRENT - RESERVED - taken;
  return {
    isFull: (): boolean => taken >= CONCURRENT,
    /** How many may be taken at once for one webhook. */
    room: (): number => Math.min(AT_ONCE, Math.max(1, shared())),
    /** The accounts that have all that they may have while others ask. */
    busy: (): string[] =>
      [...byAccount].flatMap(([account, count]) => (count >= Math.max(1, shared()) ? [account] : [])),
    take(account: string): void {
      taken += 1;
      byAccount.set(account, (byAccount.get(account) ?? 0) + 1);
    },
    free(account: string): void {
      taken -= 1;
      const left = (byAccount.get(account) ?? 0) - 1;
      if (left > 0) byAccount.set(account, left);
      else byAccount.delete(account);
    },
  };
};
