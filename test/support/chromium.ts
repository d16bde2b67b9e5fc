import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Returns the path of Chromium, from CHROMIUM or from where Linux systems have it; `null` when there is none. */
export const findChromium = (): string | null => process.env.CHROMIUM ?? PLACES.find(existsSync) ?? null;
