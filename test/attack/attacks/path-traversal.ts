import type { Attack } from '../attack.ts';

const FOLDERS = [
  '/',
  '/docs/',
  '/docs/static/',
  '/dashboard/',
  '/dashboard/assets/',
  '/l/',
  '/api/v1/codes/',
];
const UPS = [
  '../',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%2f',
  '..%5c',
  '..\\',
  '....//',
  '%252e%252e%252f',
  '..%c0%af',
  '..;/',
  './/../',
];
const FILES = ['etc/passwd', 'package.json', 'admin-token', 'proc/self/environ', 'etc/passwd%00.css'];
const SECRETS = /root:.*:0:0|"dependencies"|ADMIN_TOKEN|DATABASE_URL/;

export const pathTraversal: Attack = {
  name: 'path-traversal',
  holds: 'no path leads to a file that is not meant to be served',
  async run({ bytes, expect }) {
    for (const folder of FOLDERS) {
      for (const up of UPS) {
        for (const file of FILES) {
          const path = folder + up.repeat(6) + file;
          const { text } = await bytes(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
          expect(!SECRETS.test(text), `GET ${path} answers with a secret`);
        }
      }
    }
  },
};
