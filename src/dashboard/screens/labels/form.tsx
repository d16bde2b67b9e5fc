/** The form of a sheet. Each input changes one field of the draft and shows what is wrong with it. */

import { PAGE_NAMES, TEMPLATES } from '../../../sheets/templates.ts';
import { CheckInput, FaultOf, type Options } from '../../ui/fields.tsx';
import { Card } from '../../ui/page.tsx';
import { say } from '../../words/say.ts';
import { CaptionInput, LossInputs } from '../print/caption.tsx';
import { CAPTION_SIDES, OF_GS1 } from '../print/words.ts';
import type { Draft } from './draft.ts';
import { ChoiceInput, type Form, type Measure, NumberInput, NumberInputs } from './inputs.tsx';

const MAKERS: Readonly<Record<string, string>> = {
  avery: 'Avery',
  herma: 'Herma',
  zweckform: 'Avery Zweckform',
};

const OWN_MEASURES = ['', say('Custom size')] as const;
const SHEETS = Object.entries(TEMPLATES).map(([name, grid]) => {
  const [maker, product] = name.split('-') as [string, string];
  const labels = say('{columns} x {rows} of {labelWidthMm} x {labelHeightMm} mm', {
    columns: grid.columns,
    rows: grid.rows,
    labelWidthMm: grid.labelWidthMm,
    labelHeightMm: grid.labelHeightMm,
  });
  return [name, `${MAKERS[maker]} ${product.toUpperCase()}: ${labels}`] as const;
});

const MM = { step: 0.1 } as const;

const SIDES: readonly Measure[] = [
  ['widthMm', 'page.width_mm', say('Width, mm'), { ...MM, min: 5 }],
  ['heightMm', 'page.height_mm', say('Height, mm'), { ...MM, min: 5 }],
];

const GRID: readonly Measure[] = [
  ['columns', 'label.columns', say('Columns'), { min: 1 }],
  ['rows', 'label.rows', say('Rows'), { min: 1 }],
  ['marginTopMm', 'label.margin_mm', say('Margin above and below, mm'), MM],
  ['marginLeftMm', 'marginLeftMm', say('Margin left and right, mm'), MM],
  ['gapRowsMm', 'label.gap_mm', say('Gap between rows, mm'), MM],
  ['gapColumnsMm', 'gapColumnsMm', say('Gap between columns, mm'), MM],
];

const PageInputs = ({ form }: { readonly form: Form }) => (
  <>
    <ChoiceInput
      form={form}
      name="page"
      path="page.size"
      label={say('Page')}
      options={[...PAGE_NAMES.map((name) => [name, name] as const), ['', say('Another size, or a roll')]]}
    />
    {form.draft.page === '' && <NumberInputs form={form} of={SIDES} />}
    <NumberInputs form={form} of={GRID} />
  </>
);

const FillInputs = ({ form }: { readonly form: Form }) => (
  <Card title={say('Pages')}>
    <div class="fields">
      <NumberInput form={form} name="startAt" path="start_at" label={say('Start at label')} min={1} />
      <NumberInput form={form} name="copies" label={say('Copies of each code')} min={1} />
      <ChoiceInput
        form={form}
        name="order"
        label={say('Order')}
        options={[
          ['rows', say('Row by row')],
          ['columns', say('Column by column')],
        ]}
      />
      {form.draft.format === 'pdf' && (
        <NumberInput form={form} name="bleedMm" path="bleed_mm" label={say('Bleed, mm')} step={0.1} />
      )}
    </div>
    {form.draft.format === 'pdf' && (
      <CheckInput
        label={say('Crop marks')}
        isOn={form.draft.cropMarks}
        onToggle={(cropMarks) => form.change({ cropMarks })}
      />
    )}
  </Card>
);

/** What a caption may say of a code. */
const CAPTIONED = ['name', 'content', 'external_id', 'slug', ...OF_GS1, 'index'];

const FILES = [
  ['pdf', 'PDF'],
  ['zpl', say('ZPL II, for label printers')],
  ['epl', say('EPL2, for label printers')],
] as const satisfies Options<Draft['format']>;

/** Modules are whole dots of a label printer. */
const PRINTERS = [
  ['', say('Laser, ink or offset')],
  ['203', say('Label printer, 203 dpi')],
  ['300', say('Label printer, 300 dpi')],
  ['600', say('Label printer, 600 dpi')],
] as const satisfies Options<Draft['dpi']>;

/** Most label printers have so many dots. */
const USUAL_DPI = '203';

/** Asks for the format of the file and the dots of the printer, which every language of label printers needs. */
const FileInputs = ({ form }: { readonly form: Form }) => {
  const { format, dpi } = form.draft;
  return (
    <div class="fields">
      <ChoiceInput
        form={form}
        name="format"
        label={say('Format')}
        options={FILES}
        changeOf={(value) => ({
          format: value as Draft['format'],
          ...(value !== 'pdf' && dpi === '' && { dpi: USUAL_DPI }),
        })}
      />
      <ChoiceInput
        form={form}
        name="dpi"
        label={say('Printer')}
        options={PRINTERS.filter(([value]) => format === 'pdf' || value !== '')}
      />
    </div>
  );
};

/** Asks what labels may lose. */
const LossFields = ({ form }: { readonly form: Form }) => (
  <>
    <LossInputs
      mayCut={form.draft.allowCut}
      mayLackGlyphs={form.draft.allowGlyphs}
      onCut={(allowCut) => form.change({ allowCut })}
      onGlyphs={(allowGlyphs) => form.change({ allowGlyphs })}
    />
    <CheckInput
      label={say('Leave out codes that can no longer be drawn')}
      hint={say('Otherwise they are refused. Their labels say “no code”.')}
      isOn={form.draft.allowCodes}
      onToggle={(allowCodes) => form.change({ allowCodes })}
    />
  </>
);

/** Asks for the sheet, what is on a label, and how the sheets are filled. */
export const SheetForm = ({ form }: { readonly form: Form }) => (
  <div class="labels-form">
    <Card title={say('Sheet')}>
      <FileInputs form={form} />
      <ChoiceInput
        form={form}
        name="template"
        label={say('Label sheet')}
        options={[OWN_MEASURES, ...SHEETS]}
      />
      {form.draft.template === '' && <PageInputs form={form} />}
      {form.fault?.field === 'label' && (
        <FaultOf text={say('A label of {message}.', { message: form.fault.message })} />
      )}
    </Card>
    <Card title={say('Label')}>
      <CaptionInput
        names={CAPTIONED}
        hint={say('what stands in braces differs from code to code; also {id} and {file}')}
        caption={form.draft.caption}
        fault={form.fault?.field === 'label.caption' ? form.fault.message : null}
        onCaption={(caption) => form.change({ caption })}
      />
      <div class="fields">
        <ChoiceInput
          form={form}
          name="captionSide"
          path="label.caption_side"
          label={say('Caption position')}
          options={Object.entries(CAPTION_SIDES)}
        />
        <NumberInput
          form={form}
          name="codeMm"
          path="label.code_mm"
          label={say('Code width, mm')}
          placeholder={say('as large as fits')}
          step={0.1}
          min={4}
        />
      </div>
      <LossFields form={form} />
      <CheckInput
        label={say('For tills')}
        hint={say('Refuses codes that tills might fail to read.')}
        isOn={form.draft.till}
        onToggle={(till) => form.change({ till })}
      />
    </Card>
    <FillInputs form={form} />
  </div>
);
