/** Tagging codes, and finding them by their tags. */
import t from 'tap';
import { graveFaults, startDashboard } from './support.ts';

t.test('codes get tags and an id of their own on their screen, and are listed by tag', async (t) => {
  const dashboard = await startDashboard(t);
  const key = await dashboard.account();
  const post = (body: object) => dashboard.api(key, 'POST', '/api/v1/codes', body);
  const { id } = await post({ data: 'https://example.com/1', name: 'Poster', dynamic: true });
  await post({ data: 'https://example.com/2', name: 'Flyer', tags: ['winter', 'a, b'] });
  await post({ data: 'https://example.com/3', name: 'Plain' });
  const page = await dashboard.open(t, key);

  await page.goto(`/dashboard/codes/${id}`);
  await page.getByRole('button', { name: 'Change tags and your id' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tags and your id' });
  await dialog.getByLabel('Tags').fill('summer\n\n a, b \n');
  await dialog.getByLabel('Your id').fill('product-17');
  t.strictSame(await graveFaults(page), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your id: product-17').waitFor();
  const saved = await dashboard.api(key, 'GET', `/api/v1/codes/${id}`);
  t.match(saved, { tags: ['summer', 'a, b'], external_id: 'product-17', name: 'Poster' });
  t.strictSame(await graveFaults(page), []);

  await page.getByRole('link', { name: 'a, b' }).click();
  await page.getByRole('link', { name: 'Flyer' }).waitFor();
  t.equal(await page.getByRole('link', { name: 'Poster' }).count(), 1);
  t.equal(await page.getByRole('link', { name: 'Plain' }).count(), 0);
  t.equal(await page.getByLabel('Tag', { exact: true }).inputValue(), 'a, b');
  await page.getByRole('button', { name: 'Only codes with the tag summer' }).click();
  await page.getByRole('link', { name: 'Flyer' }).waitFor({ state: 'detached' });
  t.equal(await page.getByRole('link', { name: 'Poster' }).count(), 1);
  t.strictSame(await graveFaults(page), []);

  await page.getByLabel('Tag', { exact: true }).fill('nothing');
  await page.keyboard.press('Enter');
  await page.getByText('No code has the tag “nothing”.').waitFor();
  await page.getByLabel('Tag', { exact: true }).fill('');
  await page.getByRole('link', { name: 'Plain' }).waitFor();
  await page.getByRole('button', { name: 'List' }).click();
  await page.getByRole('button', { name: 'Only codes with the tag winter' }).click();
  await page.getByRole('link', { name: 'Plain' }).waitFor({ state: 'detached' });
  t.strictSame(await graveFaults(page), []);
});
