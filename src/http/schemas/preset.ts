/** Schemas, bodies and errors of presets. */
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import Type from 'typebox';
import { toFolderName } from '../../db/tables/names.ts';
import { AppError, fieldError } from '../../errors.ts';
import { PictureOptions } from '../../generate/request/picture-options.ts';
import type { WholePreset } from '../../presets/presets.ts';
import { orNull } from '../../stored-json.ts';
import { DomainField } from '../domain.ts';
import { writeWithLogo } from '../files/logo-answer.ts';
import { Version, versionOf } from '../files/versions.ts';
import { fieldsOf, strict, Timestamp, Uuid } from './atoms.ts';

export const PresetBody = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    is_default: Type.Boolean({ description: 'Whether this is the default preset.' }),
    options: PictureOptions,
    domain: orNull(
      Type.String({ description: 'The domain of short links that are made with it; null: it names none.' }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
    etag: Version,
  },
  { title: 'Preset' },
);

/** The name of a preset or a print profile. */
export const PresetName = Type.String({
  maxLength: 1000,
  description: 'Unique in the account; trimmed, 1 to 200 characters.',
});
const IsDefault = Type.Boolean({
  description: '`true` makes this the default preset, in place of any other.',
});

/** The request for a preset. */
export const NewPreset = Type.Object(
  {
    name: PresetName,
    options: PictureOptions,
    is_default: Type.Optional(IsDefault),
    domain: DomainField,
  },
  {
    ...strict,
    title: 'NewPreset',
    examples: [
      {
        name: 'House style',
        options: { width: 600, height: 600, dotsOptions: { type: 'rounded', color: '#1a4b8c' } },
        is_default: true,
      },
    ],
  },
);

/** The request to change one. */
export const PresetChange = Type.Object(
  {
    name: Type.Optional(PresetName),
    options: Type.Optional(PictureOptions),
    is_default: Type.Optional(IsDefault),
    domain: DomainField,
  },
  { ...strict, title: 'PresetChange', examples: [{ name: 'House style 2027' }] },
);

/** Returns the version of a preset, whether or not its options have the logo. */
export const presetVersion = ({
  name,
  isDefault,
  options,
  imageSha256,
  domain,
  updatedAt,
}: WholePreset): string =>
  versionOf([
    ...[name, isDefault, { ...options, image: imageSha256?.toString('hex') }, updatedAt],
    ...(domain === null ? [] : [domain]),
  ]);

export const toPresetBody = (preset: WholePreset) => ({
  ...fieldsOf(preset, 'id', 'name', 'isDefault', 'options', 'domain', 'createdAt', 'updatedAt'),
  etag: presetVersion(preset),
});

/** Writes answers as they are: a serializer of the schema would add the defaults of options that were not sent. */
export const writeAsIs: FastifySerializerCompiler<unknown> = () => (body) =>
  writeWithLogo(body, JSON.stringify);

/** Returns the name, trimmed. @throws {AppError} 400. */
export const readName = (text: string): string => {
  const checked = toFolderName(text);
  if (!checked.ok) throw fieldError('name', checked.fault);
  return checked.value;
};

/** Returns the 409 for a name that another preset of the account has. */
export const presetNameTaken = () =>
  new AppError('name_taken', 'name: choose another one, or change the preset that has it.');
