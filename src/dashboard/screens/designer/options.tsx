import { useDesign } from './context.ts';
import { CheckField } from './fields/check-field.tsx';
import { ImageField } from './fields/image-field.tsx';
import { NumberField } from './fields/number-field.tsx';
import { PaintField } from './fields/paint-field.tsx';
import { Section } from './fields/section.tsx';
import { SelectField } from './fields/select-field.tsx';
import { SwatchField } from './fields/swatch-field.tsx';

const DOTS = ['dots', 'rounded', 'extra-rounded', 'classy', 'classy-rounded'];
const CORNERS = ['square', 'dot', 'dots', 'rounded', 'extra-rounded', 'classy', 'classy-rounded'];

const StyleOptions = () => {
  const { dotsOptions: { type = 'square' } = {} } = useDesign().request;
  return (
    <>
      <Section title="Dots" about={['dotsOptions']} open>
        <SwatchField
          path="dotsOptions.type"
          label="Style"
          crop="dots"
          none="Square"
          absent="square"
          types={DOTS}
        />
        <PaintField path="dotsOptions" fallback="#000000" />
        <CheckField path="dotsOptions.roundSize" label="Sharp edges" />
      </Section>
      <Section title="Corner squares" about={['cornersSquareOptions']}>
        <SwatchField
          path="cornersSquareOptions.type"
          label="Style"
          crop="ring"
          none="As dots"
          absent={type}
          types={CORNERS}
        />
        <PaintField path="cornersSquareOptions" fallback="#000000" placeholder="like the dots" />
      </Section>
      <Section title="Corner dots" about={['cornersDotOptions']}>
        <SwatchField
          path="cornersDotOptions.type"
          label="Style"
          crop="centre"
          none="As dots"
          // Centres that follow lone discs are rounded, because readers do not find discs.
          absent={type === 'dots' ? 'rounded' : type}
          types={CORNERS}
        />
        <PaintField path="cornersDotOptions" fallback="#000000" placeholder="like the squares" />
      </Section>
    </>
  );
};

const LogoOptions = () => (
  <Section title="Logo" about={['image', 'imageOptions']}>
    <ImageField />
    <NumberField
      path="imageOptions.imageSize"
      label="Size"
      hint="0 to 1"
      min={0}
      max={1}
      step={0.05}
      placeholder="0.4"
    />
    <NumberField path="imageOptions.margin" label="Margin" hint="px" min={0} max={1000} placeholder="0" />
    <CheckField path="imageOptions.hideBackgroundDots" label="Hide the dots behind it" />
  </Section>
);

const SymbolOptions = () => (
  <Section title="Error correction and encoding" about={['qrOptions']}>
    <SelectField
      path="qrOptions.errorCorrectionLevel"
      label="Error correction"
      none="Q, or lower if needed"
      choices={['L', 'M', 'Q', 'H']}
    />
    <NumberField
      path="qrOptions.typeNumber"
      label="Version"
      hint="0: smallest"
      min={0}
      max={40}
      placeholder="0"
    />
    <SelectField
      path="qrOptions.mode"
      label="Mode"
      none="automatic"
      choices={['Numeric', 'Alphanumeric', 'Byte', 'Kanji']}
    />
    <SelectField path="qrOptions.segments" label="Segments" none="one" choices={['optimal']} />
    <CheckField path="qrOptions.boost" label="Raise the error correction where it is free" absent={false} />
    <CheckField path="qrOptions.eci" label="Mark text as UTF-8 (ECI)" absent={false} />
  </Section>
);

/** Shows all options of a picture, grouped by the part that they change. */
export const Options = () => (
  <>
    <StyleOptions />
    <Section title="Background" about={['backgroundOptions']}>
      <PaintField path="backgroundOptions" fallback="#ffffff" />
      <NumberField
        path="backgroundOptions.round"
        label="Rounding"
        hint="0 to 1"
        min={0}
        max={1}
        step={0.05}
        placeholder="0"
      />
    </Section>
    <LogoOptions />
    <Section title="Size and shape" about={['width', 'height', 'margin', 'shape']}>
      <NumberField path="width" label="Width" hint="px" min={50} max={2000} placeholder="300" />
      <NumberField path="height" label="Height" hint="px" min={50} max={2000} placeholder="300" />
      <NumberField path="margin" label="Margin" hint="px" min={0} max={100} placeholder="4 modules" />
      <SelectField path="shape" label="Shape" none="Square" choices={['circle']} />
    </Section>
    <SymbolOptions />
  </>
);
