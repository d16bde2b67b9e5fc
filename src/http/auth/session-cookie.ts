import type { FastifyRequest } from 'fastify';

/** Whose sessions a cookie carries. One browser may hold both. */
export type SessionOwner = 'account' | 'operator';

const NAMES = {
  account: { plain: 'tessera_session', secure: '__Host-tessera' },
  operator: { plain: 'tessera_operator', secure: '__Host-tessera-operator' },
} as const;

/**
 * Creates the cookie of the dashboard's sessions. With https its name begins with `__Host-`, so a browser accepts it
 * from this host alone (draft-ietf-httpbis-rfc6265bis, section 4.1.3.2).
 */
export const createSessionCookie = (publicUrl: string | null, owner: SessionOwner = 'account') => {
  const secure = publicUrl?.startsWith('https:') ?? false;
  const name = NAMES[owner][secure ? 'secure' : 'plain'];
  // The token has 32 bytes in base64url. The name has no character that is special in a regular expression.
  const token = new RegExp(`(?:^|; ?)${name}=([\\w-]{43})(?:;|$)`);
  return {
    name,
    /** For `reply.setCookie`. */
    options: { httpOnly: true, sameSite: 'strict', path: '/', secure } as const,
    /** Returns the token of a request; `null` when there is none or it is malformed. */
    read: ({ headers }: FastifyRequest): string | null => token.exec(headers.cookie ?? '')?.[1] ?? null,
  };
};
