import type { Command } from 'commander';
import { checkGs1, convertGs1, formOf } from '../../gs1/check.ts';
import { identifierOf } from '../../gs1/dictionary.ts';
import { isStem } from '../../gs1/digital-link.ts';
import { tellFault } from '../../gs1/fault.ts';
import { print } from '../admin.ts';
import { commandError, usageError } from '../fault.ts';
import { formatRows, formatThing } from '../table.ts';
import { type Terminal, toPrintable } from '../terminal.ts';

interface Options {
  readonly stem?: string;
  readonly json?: true;
}

const HELP = `
The value is an element string, as "(01)09521321000018(10)A7" or as scanners send it, or a Digital Link URI. It is
checked on this machine, without a gateway.

Exit codes: 0 it is valid, 1 it is not, 2 usage error.`;

export const addGs1Command = (program: Command, terminal: Terminal): void => {
  program
    .command('gs1 <value>')
    .description('check a GS1 element string or Digital Link URI, and write it in the other forms')
    .option(
      '--stem <uri>',
      'what comes before the path of the URI; default: that of the value, or https://id.gs1.org',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((value: string, options: Options) => {
      const { stem } = options;
      if (stem !== undefined && !isStem(stem)) {
        throw usageError(
          '--stem: must be http or https with a host, and perhaps a path, without "/" at its end',
        );
      }
      const checked = checkGs1(value);
      if (!checked.ok) {
        print(terminal, options, { valid: false, form: formOf(value), faults: checked.fault }, '');
        throw commandError(toPrintable(`not valid: ${checked.fault.map(tellFault).join('; ')}`));
      }
      const { elementString, fnc1, digitalLink, gtin } = convertGs1(checked.value, stem);
      const elements = checked.value.elements.map(({ ai, value: content }) => ({
        ai,
        title: identifierOf(ai)!.title,
        value: content,
      }));
      const forms = { element_string: elementString, fnc1, digital_link: digitalLink, gtin };
      const shown = [
        formatRows(elements, { AI: 'ai', TITLE: 'title', VALUE: 'value' }),
        formatThing(forms, {
          'element string': 'element_string',
          'digital link': 'digital_link',
          gtin: 'gtin',
        }),
      ].join('\n');
      print(terminal, options, { valid: true, form: formOf(value), elements, ...forms, faults: [] }, shown);
    });
};
