import type { FastifyRequest } from 'fastify';

/** The cookie that carries the token of a session. */
export interface SessionCookie {
  readonly name: string;
  /** For `reply.setCookie`. */
  readonly options: {
    readonly httpOnly: true;
    readonly sameSite: 'strict';
    readonly path: '/';
    readonly secure: boolean;
  };
  /** Returns the token of a request; `null` when there is none or it is malformed. */
  read(request: FastifyRequest): string | null;
}

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
export const createSessionCookie = (
  publicUrl: string | null,
  owner: SessionOwner = 'account',
): SessionCookie => {
  const secure = publicUrl?.startsWith('https:') ?? false;
  const name = NAMES[owner][secure ? 'secure' : 'plain'];
  // The token has 32 bytes in base64url. The name has no character that is special in an expression.
  const token = new RegExp(`(?:^|; ?)${name}=([\\w-]{43})(?:;|$)`);
  return {
    name,
    options: { httpOnly: true, sameSite: 'strict', path: '/', secure },
    read: ({ headers }) => token.exec(headers.cookie ?? '')?.[1] ?? null,
  };
};
