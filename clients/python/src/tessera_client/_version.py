"""The version of the API, which is that of this package.

Made by `npm run clients:python` from the OpenAPI document; not for editing.
"""

VERSION = "0.1.0"
