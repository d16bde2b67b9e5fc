/** The pages for people whose short link or Digital Link URI is unknown or cannot be looked up. Programs get JSON. */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { AppError } from '../errors.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2733; --quiet: #536273; --page: #f4f6f8; --card: #fff; --line: #d9e0e7 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8edf2; --quiet: #a5b2c0; --page: #12171d; --card: #1b222b; --line: #313c49 }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100svh; display: grid; place-items: center; padding: 1.25rem;
  background: var(--page); color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif }
main { width: 100%; max-width: 30rem; padding: 2.25rem 1.75rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 1rem; text-align: center }
svg { width: 3.5rem; height: 3.5rem; color: var(--quiet) }
h1 { margin: 1rem 0 .5rem; font-size: 1.375rem; line-height: 1.3 }
p { margin: .5rem 0 0; color: var(--quiet) }
a { display: inline-block; margin-top: 1.25rem; padding: .6rem 1.25rem; border: 1px solid currentColor;
  border-radius: .6rem; color: var(--ink); text-decoration: none; font-weight: 600 }
form { display: grid; gap: .5rem; margin-top: 1.25rem; text-align: start }
input, button { padding: .6rem .75rem; border: 1px solid var(--quiet); border-radius: .6rem; background: var(--card);
  color: var(--ink); font: inherit }
button { font-weight: 600 }
a:focus-visible, input:focus-visible, button:focus-visible { outline: 3px solid; outline-offset: 2px }
`;

/** The three finders of a symbol without its data. */
const PICTURE = `<svg viewBox="0 0 21 21" fill="none" stroke="currentColor" aria-hidden="true">
<path d="M.5.5h6v6h-6zM14.5.5h6v6h-6zM.5 14.5h6v6h-6z"/>
<path fill="currentColor" stroke="none" d="M2 2h3v3H2zM16 2h3v3h-3zM2 16h3v3H2z"/></svg>`;

/** Returns a page. @param title Both parts are HTML. */
export const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${PICTURE}
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;

const GONE = pageOf(
  'This code leads nowhere',
  `<p>Its destination was removed, or the code was not read correctly.</p>
<p>Scan the code once more. If you typed its address, check capital and small letters: they differ. If you see this page
again, ask the person who gave you the code.</p>`,
);
const formOf = (title: string, hint: string): string =>
  pageOf(
    title,
    `<p>${hint}</p>
<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" required autofocus maxlength="200">
<button>Continue</button>
</form>`,
  );
const LOCKED = formOf(
  'This code needs a password',
  'The person who gave you the code can tell you the password.',
);
const WRONG = formOf('This is not the password', 'Check capital and small letters, and try again.');
const SLOWER = pageOf(
  'Too many tries',
  `<p>Too many wrong passwords were sent. Wait a minute, and try again.</p>
<a href="">Try again</a>`,
);
const BUSY = pageOf(
  'One moment, please',
  `<p>We cannot look up this code right now. The code itself is fine.</p>
<p>Please try again in a few seconds.</p>
<a href="">Try again</a>`,
);

/** @param forms Where forms may be sent and lead. */
const policyWith = (forms: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ].join('; ');

/** The policy of these pages. */
export const PAGE_POLICY = policyWith("'none'");
/** Browsers apply the policy to the redirect after the form too, which may lead to any address. */
const FORM_POLICY = policyWith("'self' http: https:");

/** Browsers send some 150 characters. A much longer header is not read. */
const ACCEPT_MAX_CHARACTERS = 1000;

/** Whether the caller prefers HTML to JSON (RFC 9110, 12.5.1). A caller that accepts anything gets JSON. */
export const prefersPage = (accept: string | undefined): boolean =>
  accept !== undefined &&
  accept.length <= ACCEPT_MAX_CHARACTERS &&
  new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html';

/** The name of the routes of the resolver. */
export const RESOLVE = 'resolve';

/** Whether the request is for a short link or a Digital Link URI. */
export const isOfVisitor = ({ url, routeOptions }: FastifyRequest): boolean =>
  url.startsWith('/l/') || routeOptions.config?.name === RESOLVE;

/**
 * Returns the page for the error of a visitor and sets its headers; `null`: the caller prefers JSON. In both cases
 * sets `Vary`, and `X-Robots-Tag` to keep the answer out of search engines.
 */
export const pageOfVisitor = (
  { status, code }: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): string | null => {
  reply.header('vary', 'Accept').header('x-robots-tag', 'noindex');
  if (!prefersPage(request.headers.accept)) return null;
  const isLocked = code === 'password_required';
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', isLocked ? FORM_POLICY : PAGE_POLICY);
  if (isLocked) return request.method === 'POST' ? WRONG : LOCKED;
  if (code === 'rate_limited') return SLOWER;
  return status < 500 ? GONE : BUSY;
};
