import { getCode } from '../db/tables/codes/codes.ts';
import type { Redraw } from '../generate/redraw.ts';
import { createCheck } from '../http/schemas/validation.ts';
import type { Log } from '../log.ts';
import type { PresetLookup } from '../presets/lookup.ts';
import { createPaidPictures } from '../signed/paid.ts';
import { SignedParameters } from '../signed/parameters.ts';
import { createSignedPictures } from '../signed/picture.ts';
import { createSigningSecrets } from '../signed/secrets.ts';
import type { Drawing } from './drawing.ts';
import type { Stores } from './stores.ts';

/** Builds what the routes of signed pictures use. */
export const createSigned = (
  { database }: Stores,
  drawing: Drawing,
  redraw: Redraw,
  presets: PresetLookup,
  log: Log,
) => {
  const { sql } = database;
  return {
    secrets: createSigningSecrets(database, log),
    pictures: createSignedPictures({
      ...drawing,
      redraw,
      paid: createPaidPictures(sql),
      findCode: (accountId, id) => getCode(sql, accountId, id),
      findPreset: presets.find,
    }),
    check: createCheck(SignedParameters, (image) => drawing.logos.checkSyntax(image) === null),
  };
};
