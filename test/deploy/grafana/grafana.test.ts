/** The dashboard fits Grafana's model and describes each panel. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from '../dockerfile.ts';
import { type Panel, readDashboard } from './dashboard.ts';

const { panels, templating, ...dashboard } = await readDashboard();
const metrics = await readFile(join(ROOT, 'docs/metrics.md'), 'utf8');
const monitoring = await readFile(join(ROOT, 'docs/operations/monitoring.md'), 'utf8');

t.test('it has the fields and variables of a dashboard, and its panels do not overlap', async (t) => {
  t.match(dashboard, { uid: 'tessera', title: 'Tessera', schemaVersion: 39 });
  t.equal(new Set(panels.map(({ id }) => id)).size, panels.length, 'panel ids are unique');
  const cells = new Set<string>();
  for (const { title, gridPos } of panels) {
    const { x, y, w, h } = gridPos;
    t.ok(x >= 0 && w > 0 && h > 0 && x + w <= 24, title);
    for (let column = x; column < x + w; column += 1) {
      for (let line = y; line < y + h; line += 1) {
        t.notOk(cells.has(`${column} ${line}`), `${title} overlaps at ${column}, ${line}`);
        cells.add(`${column} ${line}`);
      }
    }
  }
  const names = templating.list.map(({ name, type }) => `${name} ${type}`);
  t.strictSame(names, ['datasource datasource', 'job query', 'instance query', 'runbooks textbox']);
});

const isRow = ({ type }: Panel): boolean => type === 'row';

t.test('each panel has a description, a unit, thresholds and queries for chosen instances', async (t) => {
  t.strictSame(
    panels.filter(isRow).map(({ title }) => title),
    ['Overview', 'Traffic', 'Errors', 'Latency', 'Saturation', 'Quota', 'Scans'].concat([
      'Batches, webhooks, verifications',
      'Stores and processes',
    ]),
  );
  for (const panel of panels) {
    if (isRow(panel)) continue;
    const { title, description, fieldConfig, targets = [] } = panel;
    t.ok(description, title);
    const { unit, thresholds } = fieldConfig!.defaults;
    t.ok(unit, title);
    t.equal(thresholds.steps[0]!.value, null, title);
    t.ok(targets.length > 0, title);
    t.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title);
    for (const { expr } of targets) {
      const chosen = [...expr.matchAll(/\b(?:tessera|process|nodejs)_\w+(\{[^}]*)?/g)];
      t.ok(chosen.length > 0, expr);
      for (const [, labels = ''] of chosen) t.match(labels, '{job=~"$job", instance=~"$instance"', expr);
    }
  }
});

t.test('it shows all but two documented metrics and no others, and links to runbooks', async (t) => {
  const text = JSON.stringify(panels);
  const shown = new Set(
    [...text.matchAll(/\btessera_\w+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, '')),
  );
  const documented = [...metrics.matchAll(/^\| `(tessera_\w+)` \|/gm)].map(([, name]) => name!);
  for (const name of shown) t.ok(documented.includes(name), name);
  t.strictSame(
    documented.filter((name) => !shown.has(name)),
    ['tessera_cache_entries', 'tessera_verifications_failed_pages_total'],
  );
  const anchors = [...text.matchAll(/\$\{runbooks\}#([\w-]+)/g)].map(([, anchor]) => anchor!);
  const headings = [...monitoring.matchAll(/^## (.+)$/gm)].map(([, heading]) =>
    heading!.toLowerCase().replaceAll(' ', '-'),
  );
  t.ok(anchors.length > 20);
  for (const anchor of new Set(anchors)) t.ok(headings.includes(anchor), anchor);
});
