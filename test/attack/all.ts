/** All attacks in the order in which they run. Those that could leave most behind come first. */
import type { Attack } from './attack.ts';
import { abortedUploads } from './attacks/aborted-uploads.ts';
import { bitmapBombs } from './attacks/bitmap-bombs.ts';
import { cachePoisoning } from './attacks/cache-poisoning.ts';
import { deepNesting } from './attacks/deep-nesting.ts';
import { adminGuessing, keyGuessing, signInGuessing } from './attacks/guessing.ts';
import { halfOpenUploads } from './attacks/half-open-uploads.ts';
import { headerInjection } from './attacks/header-injection.ts';
import { hostileSvgs } from './attacks/hostile-svgs.ts';
import { innerAddresses } from './attacks/inner-addresses.ts';
import { oddRequests } from './attacks/odd-requests.ts';
import { openRedirect } from './attacks/open-redirect.ts';
import { otherAccounts } from './attacks/other-accounts.ts';
import { pathTraversal } from './attacks/path-traversal.ts';
import { quotaRace } from './attacks/quota-race.ts';
import { slowLoris } from './attacks/slow-loris.ts';
import { tokenBombs, tokenBombsOfAccount } from './attacks/token-bombs.ts';

export const ATTACKS: readonly Attack[] = [
  abortedUploads,
  halfOpenUploads,
  slowLoris,
  tokenBombs,
  tokenBombsOfAccount,
  deepNesting,
  oddRequests,
  pathTraversal,
  hostileSvgs,
  bitmapBombs,
  innerAddresses,
  quotaRace,
  otherAccounts,
  headerInjection,
  cachePoisoning,
  openRedirect,
  keyGuessing,
  signInGuessing,
  adminGuessing,
];
