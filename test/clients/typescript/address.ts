import type { AddressInfo } from 'node:net';
import type { TestApp } from '../../support/app/app.ts';

/** Returns where an app listens. */
export const addressOf = ({ gateway }: TestApp['app']): string =>
  `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
