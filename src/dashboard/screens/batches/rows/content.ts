/** What the data of a batch's rows is made of, as a form has it. */
import { namesOf, parseTemplate } from '../../../../csv/template.ts';
import type { BatchOptions, BatchPreview, QrRequest } from '../../../api/shapes.ts';
import { change } from '../../designer/draft.ts';
import { NOT_FOR_TILLS, type TillChoice, toPrint } from '../../download/till.ts';
import type { Content } from './mapping.ts';

/** What a person chooses. Texts may be empty. */
export interface ContentChoice extends TillChoice, Pick<Content, 'source'> {
  readonly template: string;
  readonly form: 'digital-link' | 'element-string';
  readonly stem: string;
  /** The counter of serial numbers; '': they are in the file, or there are none. */
  readonly serials: string;
}

/** The initial state of a form, except for the source. */
export const NOTHING_CHOSEN: Omit<ContentChoice, 'source'> = {
  template: '',
  form: 'digital-link',
  stem: '',
  serials: '',
  ...NOT_FOR_TILLS,
};

/** Returns the names that a template has; none while it is wrong. */
export const namesIn = ({ source, template }: ContentChoice): readonly string[] => {
  const parsed = source === 'template' ? parseTemplate(template) : null;
  return parsed?.ok ? namesOf(parsed.value) : [];
};

/** Returns why a template cannot be sent; `null`: it can. */
export const templateFault = ({ source, template }: ContentChoice): string | null => {
  if (source !== 'template') return null;
  if (template === '') return 'Write the template.';
  const parsed = parseTemplate(template);
  return parsed.ok ? null : `It ${parsed.fault}.`;
};

/** A preset may ask for GS1 data of rows that have it already. */
const withForm = (request: QrRequest, { source, form }: ContentChoice): QrRequest =>
  source === 'gs1' ? change(request, 'qrOptions.gs1', form) : request;

const SAMPLES = {
  'digital-link': 'https://id.gs1.org/01/09521321000018',
  'element-string': '(01)09521321000018',
};

/** Returns the request for a picture of the first code, or of one like it. @param request Its data is an example. */
export const toPictureRequest = (
  request: QrRequest,
  choice: ContentChoice,
  rows: BatchPreview['composed'],
): QrRequest => {
  const drawn = withForm(request, choice);
  const { gs1 } = drawn.qrOptions ?? {};
  const example = gs1 === undefined ? request.data : SAMPLES[gs1];
  return { ...drawn, data: rows?.find(({ data }) => data !== null)?.data ?? example };
};

/** Returns the options of a batch of such rows in the design of a request. */
export const toOptions = (request: QrRequest, choice: ContentChoice): BatchOptions => {
  const { source, template, form, stem, serials } = choice;
  const { data: _, ...design } = withForm(request, choice);
  if (source === 'template') return { ...design, template };
  if (source === 'data') return design;
  const print = toPrint(choice);
  const gs1 = {
    ...(form === 'digital-link' && stem !== '' && { stem }),
    ...(serials !== '' && { columns: { serial: `{${serials}}` } }),
  };
  return {
    ...design,
    ...(Object.keys(print).length > 0 && { print }),
    ...(Object.keys(gs1).length > 0 && { gs1 }),
  };
};
