/** All attacks in the order in which they run. Those that may have the longest after-effects come first. */
import type { Attack } from './attack.ts';
import { adminGuessing, keyGuessing, otherAccounts, quotaRace, signInGuessing } from './attacks/accounts.ts';
import { cachePoisoning, headerInjection, openRedirect, pathTraversal } from './attacks/answers.ts';
import { abortedUploads, halfOpenUploads, slowLoris } from './attacks/connections.ts';
import { deepNesting, tokenBombs, tokenBombsOfAccount } from './attacks/json.ts';
import { bitmapBombs, hostileSvgs, innerAddresses } from './attacks/logos.ts';
import { oddRequests } from './attacks/odd-requests.ts';

export const ATTACKS: readonly Attack[] = [
  ...[abortedUploads, halfOpenUploads, slowLoris],
  ...[tokenBombs, tokenBombsOfAccount, deepNesting, oddRequests, pathTraversal],
  ...[hostileSvgs, bitmapBombs, innerAddresses],
  ...[quotaRace, otherAccounts, headerInjection, cachePoisoning, openRedirect],
  ...[keyGuessing, signInGuessing, adminGuessing],
];
