/** Countries of addresses, from a MaxMind database that the operator replaces from time to time. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openCountries } from '../../src/links/countries.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { countryDatabase, placeDatabase } from '../support/files/mmdb.ts';
import { silent } from '../support/silent-log.ts';

const NETWORKS = { '192.0.2.0/24': 'DE', '2001:db8:7::/48': 'NZ', '0.0.0.0/8': 'xx' };

const open = async (t: Test, bytes: Buffer) => {
  const path = join(await temporaryFolder(t), 'countries.mmdb');
  await writeFile(path, bytes);
  const countries = await openCountries(path, silent);
  t.teardown(countries.close);
  return { path, countries };
};

t.test('an address has the country of its network', async (t) => {
  const { countries } = await open(t, countryDatabase(NETWORKS));
  const known = { '192.0.2.7': 'DE', '::ffff:192.0.2.9': 'DE', '2001:db8:7:1::5': 'NZ' };
  for (const [address, country] of Object.entries(known)) {
    t.equal(countries.countryOf(address), country, address);
  }
  for (const address of [
    '198.51.100.1',
    '2001:db8:8::1',
    '0.0.0.1',
    '',
    'localhost',
    'DE',
    '192.0.2',
    '::',
  ]) {
    t.equal(countries.countryOf(address), '', address);
  }
});

t.test('a file of cities gives region and city too, where a record has them', async (t) => {
  const germany = { iso_code: 'DE' };
  const { countries } = await open(
    t,
    placeDatabase({
      '192.0.2.0/25': {
        country: germany,
        subdivisions: [{ iso_code: 'BY' }, { iso_code: '09' }],
        city: { names: { en: 'Munich', de: 'München' } },
      },
      '192.0.2.128/25': { country: germany, city: { names: { de: 'Ulm' } } },
      '198.51.100.0/25': { registered_country: germany, subdivisions: [{ iso_code: 'BY' }] },
      '198.51.100.128/25': { country: germany, subdivisions: [{ iso_code: 'by\r\n' }] },
    }),
  );
  const nowhere = { region: '', city: '' };
  t.strictSame(countries.placeOf('192.0.2.1'), { country: 'DE', region: 'DE-BY', city: 'Munich' });
  t.strictSame(countries.placeOf('192.0.2.200'), { country: 'DE', ...nowhere }, 'no English name');
  t.strictSame(countries.placeOf('198.51.100.1'), { country: 'DE', ...nowhere }, 'a country of registration');
  t.strictSame(countries.placeOf('198.51.100.200'), { country: 'DE', ...nowhere }, 'no code of a region');
  t.strictSame(countries.placeOf('203.0.113.1'), { country: '', ...nowhere });
});

t.test('a replaced file is read again, unless it is broken', async (t) => {
  const { path, countries } = await open(t, countryDatabase({ '192.0.2.0/24': 'DE' }));
  const replace = async (bytes: Buffer) => {
    await writeFile(`${path}.new`, bytes);
    await rename(`${path}.new`, path);
    await countries.refresh();
  };
  await replace(countryDatabase({ '192.0.2.0/24': 'AT' }));
  t.equal(countries.countryOf('192.0.2.1'), 'AT');
  await t.rejects(replace(Buffer.from('half of a file')));
  t.equal(countries.countryOf('192.0.2.1'), 'AT');
  await replace(countryDatabase({ '192.0.2.0/24': 'CH' }));
  t.equal(countries.countryOf('192.0.2.1'), 'CH');
});

t.test('a wrong file fails the start with a message; without a file every country is unknown', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'text'), 'no database');
  await mkdir(join(folder, 'folder'));
  for (const name of ['none', 'text', 'folder']) {
    const path = join(folder, name);
    await t.rejects(
      openCountries(path, silent),
      { message: new RegExp(`^GEOIP_FILE: .*${name} is not a MaxMind database`) },
      name,
    );
  }
  const none = await openCountries(null, silent);
  await none.refresh();
  t.equal(none.countryOf('192.0.2.1'), '');
  none.close();
});
