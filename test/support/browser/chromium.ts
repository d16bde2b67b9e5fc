import { existsSync } from 'node:fs';

/** The headless shell first: it needs a third less processor time than a browser that could open windows. */
const PLACES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Returns the path of Chromium, from CHROMIUM or from where Linux systems have it; `null` when there is none. */
export const findChromium = (): string | null =>
  process.env.CHROMIUM ?? PLACES.map((name) => `/usr/bin/${name}`).find(existsSync) ?? null;
