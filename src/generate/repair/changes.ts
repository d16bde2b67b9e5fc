import type { Change } from '../../../workers/protocol.ts';

/** Writes changes as an RFC 8941 list of tokens, as the header `Tessera-Repaired` has them. '' without changes. */
export const serializeChanges = (changes: readonly Change[]): string =>
  changes.map(({ name, value }) => (value === null ? name : `${name};v=${value}`)).join(', ');

/** The fields of a request that changes set. */
export interface RepairOptions {
  /** `null`: leave it out. */
  readonly margin?: number | null;
  readonly qrOptions?: object;
  readonly imageOptions?: object;
  readonly cornersSquareOptions?: object;
  readonly cornersDotOptions?: object;
}

/** Returns the fields that a caller would set to make the changes; the other fields stay. */
export const toRepairOptions = (changes: readonly Change[]): RepairOptions => {
  const options: { -readonly [Name in keyof RepairOptions]: RepairOptions[Name] } = {};
  for (const { name, value } of changes) {
    if (name === 'finder-centre') options.cornersDotOptions = { type: value };
    else if (name === 'finder-ring') options.cornersSquareOptions = { type: value };
    else if (name === 'quiet-zone') options.margin = value;
    else if (name === 'level') options.qrOptions = { errorCorrectionLevel: value };
    else if (name === 'logo-size') options.imageOptions = { ...options.imageOptions, imageSize: value };
    else options.imageOptions = { ...options.imageOptions, margin: value };
  }
  return options;
};
