import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { fieldError } from '../../../errors.ts';
import { DATA_MAX_CHARACTERS } from '../../../generate/request/picture-options.ts';
import { type Checked, checkGs1, convertGs1, FORMS, formOf } from '../../../gs1/check.ts';
import { identifierOf } from '../../../gs1/dictionary.ts';
import { isStem } from '../../../gs1/digital-link.ts';
import { FAULTS_MAX, type Gs1Fault } from '../../../gs1/fault.ts';
import { orNull } from '../../../stored-json.ts';
import { OF_KEYS } from '../../auth/of-account.ts';
import { strict } from '../../schemas/atoms.ts';
import { describeRoutes } from '../../schemas/openapi/openapi.ts';
import { routesOf } from '../route.ts';
import type { Need } from '../services.ts';

/** Holds the longest value, with every character as `\uXXXX`. */
const BODY_LIMIT_BYTES = 64 * 1024;
const STEM_MAX_CHARACTERS = 500;

const Gs1Request = Type.Object(
  {
    value: Type.String({
      maxLength: DATA_MAX_CHARACTERS,
      description:
        'An element string, with its AIs in brackets or as scanners send it, or a Digital Link URI.',
    }),
    form: Type.Optional(
      Type.Enum(['auto', ...FORMS], { default: 'auto', description: 'The form of `value`.' }),
    ),
    stem: Type.Optional(
      Type.String({
        maxLength: STEM_MAX_CHARACTERS,
        description:
          'The part of `digital_link` before its path. Absent: that of `value`, or https://id.gs1.org.',
      }),
    ),
  },
  { ...strict, title: 'Gs1Request', examples: [{ value: '(01)09521321000018(10)A7' }] },
);

const TextOrNull = orNull(Type.String());

const Gs1Check = Type.Object(
  {
    valid: Type.Boolean(),
    form: Type.Enum([...FORMS], { description: 'What `value` was read as.' }),
    elements: Type.Array(
      Type.Object({ ai: Type.String(), title: Type.String(), value: Type.String() }, { title: 'Gs1Element' }),
      { description: 'Empty when `valid` is false.' },
    ),
    element_string: orNull(Type.String(), { description: 'With its AIs in brackets.' }),
    fnc1: orNull(Type.String(), { description: 'With U+001D for every FNC1.' }),
    digital_link: orNull(Type.String(), {
      description: 'The URI in canonical order; `null` also if no URI can express this.',
    }),
    gtin: orNull(Type.String(), { description: 'The value of AI 01: 14 digits.' }),
    faults: Type.Array(
      Type.Object(
        {
          ai: TextOrNull,
          position: Type.Integer({ description: 'The position of a character in `value`, from 1.' }),
          message: Type.String(),
        },
        { title: 'Gs1Fault' },
      ),
      { maxItems: FAULTS_MAX },
    ),
  },
  { title: 'Gs1Check' },
);

const toValidBody = (checked: Checked, stem: string | undefined) => {
  const { elementString, fnc1, digitalLink, gtin } = convertGs1(checked, stem);
  return {
    valid: true,
    form: checked.form,
    elements: checked.elements.map(({ ai, value }) => ({ ai, title: identifierOf(ai)!.title, value })),
    element_string: elementString,
    fnc1,
    digital_link: digitalLink,
    gtin,
    faults: [],
  };
};

const NOTHING = { element_string: null, fnc1: null, digital_link: null, gtin: null };

/** Adds the route that checks and converts GS1 data. It takes microseconds, so it needs no place among the checks. */
export const gs1Route =
  ({ auth, rateLimit }: Need): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Generate', { apiKey: ['generate'] });

    routesOf(
      app,
      'gs1-check',
      OF_KEYS,
    )('POST /api/v1/gs1/check', {
      operationId: 'checkGsData',
      isSafe: true,
      summary: 'Check GS1 data and convert it; free of charge',
      description:
        'Data with faults is not an error: the call returns `valid` false. See docs/gs1.md for what is checked.',
      body: Gs1Request,
      answer: Gs1Check,
      options: {
        bodyLimit: BODY_LIMIT_BYTES,
        onRequest: [auth.require('generate', 'header', { isForSandbox: true }), rateLimit.hook],
      },
      handle: async ({ body: { value, form = 'auto', stem } }) => {
        if (stem !== undefined && !isStem(stem)) {
          throw fieldError(
            'stem',
            'must be http or https with a host, and perhaps a path, without "/" at its end',
          );
        }
        const taken = form === 'auto' ? formOf(value) : form;
        const checked = checkGs1(value, taken);
        if (checked.ok) return toValidBody(checked.value, stem);
        const faults: Gs1Fault[] = [...checked.fault];
        return { ...NOTHING, valid: false, form: taken, elements: [], faults };
      },
    });
  };
