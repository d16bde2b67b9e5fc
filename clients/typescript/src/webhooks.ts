/** Checks that a delivery of a webhook comes from the service, by the Standard Webhooks rules. */
import type { webhooks } from './document.ts';

type BodyOf<Item> = Item extends { post: { requestBody: { content: { 'application/json': infer Body } } } }
  ? Body
  : never;

/** A delivery: `type` says what its `data` is. */
export type WebhookEvent = { [Name in keyof webhooks]: BodyOf<webhooks[Name]> }[keyof webhooks];

/** A delivery as it came. */
export interface Delivery {
  /** Exactly as it was sent: JSON that was parsed and serialized again may differ. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Its headers, as `Headers` or as Node has them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** How deliveries are checked. */
export interface Verification {
  /** Those of the webhook, `whsec_…`: one, or two during a rotation. */
  readonly secrets: readonly string[];
  /** How old a delivery may be, and how far ahead its clock. Default: 300. */
  readonly toleranceS?: number;
  /** Milliseconds since 1970. */
  readonly nowMs?: number;
}

/** A delivery that is forged, damaged or too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

const headerOf = (headers: Delivery['headers'], name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (value == null || value === '') throw new WebhookError(`the header ${name} is missing`);
  return String(value);
};

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
};

const keyOf = (secret: string) => {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes.length === 0) throw new WebhookError('a secret is not the text that the service showed');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
};

/** Whether one of the secrets made one of the signatures. Each comparison takes constant time. */
const isSigned = async (
  signatures: readonly string[],
  signed: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<boolean> => {
  const keys = await Promise.all(secrets.map(keyOf));
  const checks = keys.flatMap((key) =>
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, bytesOf(signature), signed)),
  );
  return (await Promise.all(checks)).some(Boolean);
};

/**
 * Returns the event of a delivery. Events may arrive twice: deduplicate them by `webhook-id`.
 *
 * @throws {WebhookError} It is forged, damaged or too old: answer with a 400.
 */
export const verifyWebhook = async (
  { body, headers }: Delivery,
  { secrets, toleranceS = 300, nowMs = Date.now() }: Verification,
): Promise<WebhookEvent> => {
  const timestamp = headerOf(headers, 'webhook-timestamp');
  // Not `> toleranceS`, which a timestamp that is not a number would pass.
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceS))
    throw new WebhookError('the delivery is too old, or the clock of one side is wrong');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${headerOf(headers, 'webhook-id')}.${timestamp}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? [each.slice(3)] : []));
  if (!(await isSigned(signatures, signed, secrets)))
    throw new WebhookError('no signature of the delivery is made with these secrets');
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
};
