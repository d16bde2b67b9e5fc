/** How a text shows a key: in a sentence, and as shell commands write it. */
interface ToldKey {
  readonly sentence: string;
  readonly word: string;
}

/** Shows the key itself, on a terminal. */
export const showKey = (key: string): ToldKey => ({
  sentence: `This is its API key, which is not shown again:\n\n  ${key}`,
  word: key,
});

/** Names the file that has the key. */
export const nameKeyFile = (path: string): ToldKey => ({
  sentence: `Its API key is in a file, which you may delete:\n\n  export TESSERA_KEY=$(cat ${path})`,
  word: '$TESSERA_KEY',
});

/** Returns the text that the first start on the embedded database prints. The key of `demo` is shown nowhere else. */
export const welcome = (url: string, key: ToldKey, adminTokenPath: string | null): string => `
An account "demo" on the Pro plan was made. ${key.sentence}

Try it:

  # one code, as JSON with a PNG data URL
  curl -s ${url}/api/v1/qr \\
    -H "Authorization: Bearer ${key.word}" -H 'Content-Type: application/json' \\
    -d '{"data":"https://example.com/","dotsOptions":{"type":"rounded","color":"#1a4b8c"}}'

  # a bulk call, saved into a folder; the second code is dynamic: its destination can be edited after printing
  curl -s ${url}/api/v1/qr/bulk \\
    -H "Authorization: Bearer ${key.word}" -H 'Content-Type: application/json' \\
    -d '{"folderName":"First codes","items":[{"data":"Hello"},{"data":"https://example.com/","dynamic":true}]}'

  # a picture, for an <img> tag
  curl -s -o code.png "${url}/api/v1/render?key=${key.word}&content=https%3A%2F%2Fexample.com%2F"

Dashboard:     ${url}/dashboard (sign in with the key)
Documentation: ${url}/docs
Command line:  npm run --silent tessera -- --help
${adminTokenPath === null ? '' : `Operator:      ${url}/dashboard/operator, the API ${url}/admin/v1 and metrics at ${url}/metrics; token in ${adminTokenPath}\n`}`;

/** Returns the text that a start prints while there is no account. */
export const howToBegin = (url: string, hasAdminToken: boolean, adminTokenPath: string | null): string =>
  hasAdminToken
    ? `
There is no account yet. Make one and a key for it, with the admin token in ADMIN_TOKEN:

${adminTokenPath === null ? '' : `  export ADMIN_TOKEN=$(cat ${adminTokenPath})\n`}  curl -s ${url}/admin/v1/accounts -H "Authorization: Bearer $ADMIN_TOKEN" \\
    -H 'Content-Type: application/json' -d '{"name":"ACME","plan":"pro"}'
  curl -s ${url}/admin/v1/accounts/<id>/keys -H "Authorization: Bearer $ADMIN_TOKEN" \\
    -H 'Content-Type: application/json' -d '{"name":"first"}'
`
    : `
There is no account yet, and none can be made without ADMIN_TOKEN. Set it, for example with
ADMIN_TOKEN=$(openssl rand -hex 24), and start again.
`;
