import { flag, integer } from '../parse.ts';
import { variable } from './variable.ts';

/** Webhooks. */
export const WEBHOOKS = {
  WEBHOOKS_PER_ACCOUNT_MAX: variable('10', integer(1, 1000), '10', 'webhooks that an account may have'),
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: variable(
    'false',
    flag,
    'false',
    'send webhooks to private addresses too, on any port and also without TLS',
  ),
} as const;
