/** What the first start prints, once: the only place where the demo account's key is ever shown. */
export const welcome = (url: string, key: string, adminTokenPath: string | null): string => `
Tessera is ready at ${url}

An account "demo" on the Pro plan was made. Its API key, shown this once:

  ${key}

Try it:

  # one code, as JSON with a PNG data URL
  curl -s ${url}/api/v1/qr \\
    -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
    -d '{"data":"https://example.com/","dotsOptions":{"type":"rounded","color":"#1a5fb4"}}'

  # a batch, saved into a folder; the second code is dynamic: its destination can be edited after printing
  curl -s ${url}/api/v1/qr/bulk \\
    -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
    -d '{"folderName":"First batch","items":[{"data":"Hello"},{"data":"https://example.com/","dynamic":true}]}'

  # a picture, for an <img> tag
  curl -s -o code.png '${url}/api/v1/render?key=${key}&content=https%3A%2F%2Fexample.com%2F'

Dashboard:     ${url}/dashboard (sign in with the key)
Documentation: ${url}/docs
Command line:  npm run --silent tessera -- --help
${adminTokenPath === null ? '' : `Admin API:     ${url}/admin/v1, and metrics at ${url}/metrics; token in ${adminTokenPath}\n`}`;
