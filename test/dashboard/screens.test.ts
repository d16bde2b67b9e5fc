/** Every screen, on a phone and on a desktop, light and dark: usable by everybody, kept as a picture. */
import t from 'tap';
import { until } from '../servers/until.ts';
import { graveFaults, isTooWide, shoot, startDashboard } from './support.ts';

const CODES = 8;
const LOOKS = ['#1a5fb4', '#8c1d40', '#14532d', '#3d2a5c'];
const VISITORS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
];

t.test('every screen', async (t) => {
  const dashboard = await startDashboard(t);
  const { url, api } = dashboard;
  const key = await dashboard.account();

  const items = Array.from({ length: CODES }, (_, index) => ({
    data: `https://example.com/menu/table-${index}`,
    dynamic: index % 2 === 0,
    dotsOptions: { type: index % 3 ? 'rounded' : 'square', color: LOOKS[index % LOOKS.length] },
  }));
  const made = await api(key, 'POST', '/api/v1/qr/bulk', { folderName: 'Spring menu', items });
  await api(key, 'POST', '/api/v1/qr/bulk', {
    folderName: 'Posters for the summer festival at the harbour',
    items: items.slice(0, 3),
  });
  const slug: string = made.results[0]!.slug;
  for (const agent of VISITORS) {
    await fetch(`${url}/l/${slug}`, { redirect: 'manual', headers: { 'user-agent': agent } });
  }
  await api(key, 'PATCH', `/api/v1/links/${slug}`, { destination: 'https://example.com/autumn-menu' });
  const folderId: string = made.meta.folder_id;
  const codes = await api(key, 'GET', `/api/v1/folders/${folderId}/codes`);
  const binned = await api(key, 'POST', '/api/v1/folders', { name: 'Last winter' });
  await api(key, 'DELETE', `/api/v1/folders/${binned.id}`);

  const sent = await fetch(`${url}/api/v1/batches?folder=Cup%20sleeves`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: `data,id\n${Array.from({ length: 60 }, (_, i) => `Cup ${i},A-${i}\n`).join('')}`,
  });
  const batch = (await sent.json()) as { id: string };
  await until(async () => (await api(key, 'GET', `/api/v1/batches/${batch.id}`)).state === 'done');

  const screens = [
    ['home', '/dashboard', 'Home'],
    ['codes', '/dashboard/codes', 'Codes'],
    ['folders', '/dashboard/folders', 'Folders'],
    ['folder', `/dashboard/folders/${folderId}`, 'Spring menu'],
    ['labels', `/dashboard/folders/${folderId}/labels`, 'Labels'],
    ['code', `/dashboard/codes/${codes.data[0]!.id}`, 'Dynamic code'],
    ['designer', '/dashboard/design', 'Designer'],
    ['import', '/dashboard/import', 'Import'],
    ['batches', '/dashboard/batches', 'Batches'],
    ['batch', `/dashboard/batches/${batch.id}`, 'Cup sleeves'],
    ['new-batch', '/dashboard/batches/new', 'New batch'],
    ['keys', '/dashboard/keys', 'Keys'],
    ['links', '/dashboard/links', 'Short links'],
    ['bin', '/dashboard/bin', 'Bin'],
    ['nowhere', '/dashboard/no/such/screen', 'Page not found'],
  ] as const;

  for (const width of ['phone', 'desktop'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      t.test(`on a ${width}, ${colorScheme}`, async (t) => {
        const out = await dashboard.visitor({ width, colorScheme });
        await out.page.goto('/dashboard');
        await out.page.getByRole('heading', { name: 'Tessera' }).waitFor();
        await shoot(out.page, `sign-in-${width}-${colorScheme}`);
        t.strictSame(await graveFaults(out.page), [], 'sign-in');
        await out.leave();

        const visitor = await dashboard.signedIn(key, { width, colorScheme });
        const { page } = visitor;
        for (const [name, path, heading] of screens) {
          await page.goto(path);
          await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
          await shoot(page, `${name}-${width}-${colorScheme}`);
          t.strictSame(await graveFaults(page), [], name);
          t.notOk(await isTooWide(page), `${name} fits into the window`);
          t.match(await page.title(), /Tessera/);
        }
        t.strictSame([...out.faults(), ...visitor.faults()], [], 'no error on the console');
        await visitor.leave();
      });
    }
  }
});
