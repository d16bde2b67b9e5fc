import type { FastifyRequest } from 'fastify';

export interface SessionCookie {
  readonly name: string;
  /** For `reply.setCookie`. */
  readonly options: {
    readonly httpOnly: true;
    readonly sameSite: 'strict';
    readonly path: '/';
    readonly secure: boolean;
  };
  /** The token that a request brings; `null` for none, and for what can't be one. */
  read(request: FastifyRequest): string | null;
}

/**
 * The cookie of the dashboard's sessions. Where we are reached by https alone, its name binds it to this host: a
 * browser takes it from nobody else (draft-ietf-httpbis-rfc6265bis, section 4.1.3.2).
 */
export const createSessionCookie = (publicUrl: string | null): SessionCookie => {
  const secure = publicUrl?.startsWith('https:') ?? false;
  const name = secure ? '__Host-tessera' : 'tessera_session';
  // 32 bytes in base64url. The name has nothing in it that means something to an expression.
  const token = new RegExp(`(?:^|; ?)${name}=([\\w-]{43})(?:;|$)`);
  return {
    name,
    options: { httpOnly: true, sameSite: 'strict', path: '/', secure },
    read: ({ headers }) => token.exec(headers.cookie ?? '')?.[1] ?? null,
  };
};
