/** Puts what the gateway says into words of the command line. */

/** What to do about a 401, by the error of the gateway. */
const DENIED: Readonly<Record<string, string>> = {
  'Missing or invalid API key': 'the gateway does not know this key; give --key or TESSERA_KEY',
  'Missing or invalid admin token': 'the admin token is wrong; give --token, ADMIN_TOKEN or ADMIN_TOKEN_FILE',
};

/** Writes the options of the command in place of the request headers that they set. */
export const withOptionNames = (text: string): string =>
  text.replace(/\bTessera-(Min-Grade|Repair|Preset)\b/g, (_, name: string) => `--${name.toLowerCase()}`);

/** Returns an error of the gateway for a person. */
export const worded = ({ error, details }: { readonly error: string; readonly details: string }): string =>
  DENIED[error] ?? withOptionNames(`${error}: ${details}`);
