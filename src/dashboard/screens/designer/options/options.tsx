import { CORNER_TYPES, CORNERS_LEFT_OUT, DOT_TYPES, namesOf } from '../../../../../workers/lists.ts';
import { say } from '../../../words/say.ts';
import { CheckField, NumberField, Section, SelectField, SHARE, useDesign } from './field.tsx';
import { PaintField } from './paint-field.tsx';
import { ImageField, SwatchField } from './picture-fields.tsx';

const DOTS = namesOf(DOT_TYPES).filter((type) => type !== 'square');

/** The parts that have a style and a fill. Without a style, corners follow the dots of that type. */
const PARTS = [
  {
    path: 'dotsOptions',
    title: say('Dots'),
    crop: 'dots',
    none: say('Square'),
    types: DOTS,
    placeholder: undefined,
  },
  {
    path: 'cornersSquareOptions',
    title: say('Corner squares'),
    crop: 'ring',
    none: say('As dots'),
    types: namesOf(CORNER_TYPES),
    placeholder: say('like the dots'),
  },
  {
    path: 'cornersDotOptions',
    title: say('Corner dots'),
    crop: 'centre',
    none: say('As dots'),
    types: namesOf(CORNER_TYPES),
    placeholder: say('like the squares'),
  },
] as const;

const StyleOptions = () => {
  const { dotsOptions: { type = 'square' } = {} } = useDesign().request;
  const { ring = type, centre = type } = CORNERS_LEFT_OUT[type] ?? {};
  const absent = { dots: 'square', ring, centre };
  return (
    <>
      {PARTS.map(({ path, title, crop, none, types, placeholder }) => (
        <Section key={path} title={title} about={[path]} open={crop === 'dots'}>
          <SwatchField
            path={`${path}.type`}
            label={say('Style')}
            crop={crop}
            none={none}
            types={types}
            absent={absent[crop]}
          />
          <PaintField path={path} fallback="#000000" placeholder={placeholder} />
          {crop === 'dots' && <CheckField path="dotsOptions.roundSize" label={say('Sharp edges')} />}
        </Section>
      ))}
    </>
  );
};

const LogoOptions = () => (
  <Section title={say('Logo')} about={['image', 'imageOptions']}>
    <ImageField />
    <NumberField path="imageOptions.imageSize" label={say('Size')} {...SHARE} placeholder="0.4" />
    <NumberField
      path="imageOptions.margin"
      label={say('Margin')}
      hint="px"
      min={0}
      max={1000}
      placeholder="0"
    />
    <CheckField path="imageOptions.hideBackgroundDots" label={say('Hide the dots behind it')} />
  </Section>
);

const SymbolOptions = () => (
  <Section title={say('Error correction and encoding')} about={['qrOptions']}>
    <SelectField
      path="qrOptions.errorCorrectionLevel"
      label={say('Error correction')}
      none={say('Q, or lower if needed')}
      choices={['L', 'M', 'Q', 'H']}
    />
    <NumberField
      path="qrOptions.typeNumber"
      label={say('Version')}
      hint={say('0: smallest')}
      min={0}
      max={40}
      placeholder="0"
    />
    <SelectField
      path="qrOptions.mode"
      label={say('Mode')}
      none="automatic"
      choices={[say('Numeric'), say('Alphanumeric'), say('Byte'), say('Kanji')]}
    />
    <SelectField path="qrOptions.segments" label={say('Segments')} none="one" choices={['optimal']} />
    <CheckField
      path="qrOptions.boost"
      label={say('Raise the error correction at the same size')}
      absent={false}
    />
    <CheckField path="qrOptions.eci" label={say('Mark text as UTF-8 (ECI)')} absent={false} />
  </Section>
);

/** Shows all options of a picture, grouped by the part that they change. */
export const Options = () => (
  <>
    <StyleOptions />
    <Section title={say('Background')} about={['backgroundOptions']}>
      <PaintField path="backgroundOptions" fallback="#ffffff" />
      <NumberField path="backgroundOptions.round" label={say('Rounding')} {...SHARE} placeholder="0" />
    </Section>
    <LogoOptions />
    <Section title={say('Size and shape')} about={['width', 'height', 'margin', 'shape']}>
      <NumberField path="width" label={say('Width')} hint="px" min={50} max={2000} placeholder="300" />
      <NumberField path="height" label={say('Height')} hint="px" min={50} max={2000} placeholder="300" />
      <NumberField
        path="margin"
        label={say('Margin')}
        hint="px"
        min={0}
        max={100}
        placeholder={say('4 modules')}
      />
      <SelectField path="shape" label={say('Shape')} none={say('Square')} choices={['circle']} />
    </Section>
    <SymbolOptions />
  </>
);
