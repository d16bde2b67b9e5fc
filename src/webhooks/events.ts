/** How a delivery of a webhook is written and signed by the Standard Webhooks rules, and the constants of webhooks. */

import { Webhook as Signer } from 'standardwebhooks';
import { hostAt, type ShortUrl } from '../domains/place.ts';

/** The event of a test call. Nobody subscribes to it. */
export const TEST_EVENT = 'webhook.test';

/** Days for which a delivery is tried. */
export const PENDING_DAYS = 7;

/** Secrets of a webhook: the one in use, and its successor while the receiver changes over. */
export const SECRETS_MAX = 2;

/** Bytes of a secret. The standard asks for 24 to 64. */
export const SECRET_BYTES = 32;

/** Returns the secret as it is shown. */
export const writeSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

/** What is sent. Every try of a delivery has the same id, and the same body as long as `PUBLIC_URL` stays. */
export interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
  readonly createdAt: Date;
}

/**
 * Returns the data of an event in which each `slug` is followed by the `short_url` of its link. The database, which
 * writes events, does not know it.
 */
export const withShortUrls = (data: unknown, shortUrl: ShortUrl): unknown => {
  if (Array.isArray(data)) return data.map((each) => withShortUrls(each, shortUrl));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      // The database writes the place; the host of it is shown.
      const shown = name === 'domain' && typeof value === 'string' ? hostAt(value) : value;
      const entry = [name, withShortUrls(shown, shortUrl)] as const;
      if (name !== 'slug' || typeof value !== 'string') return [entry];
      const place = (data as { readonly domain?: unknown }).domain;
      return [entry, ['short_url', shortUrl(value, typeof place === 'string' ? place : null)]];
    }),
  );
};

/** Returns the body of a message and its headers, signed for this moment by each of the secrets. */
export const signMessage = (
  { id, event, data, createdAt }: Message,
  secrets: readonly Buffer[],
  now: Date,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } => {
  const body = JSON.stringify({ type: event, timestamp: createdAt.toISOString(), data });
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tessera',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': secrets
        .map((secret) => new Signer(writeSecret(secret)).sign(id, now, body))
        .join(' '),
    },
  };
};
