/** The dashboard of deploy/grafana/, with the fields of Grafana's model that tests check. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../dockerfile.ts';

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly links?: readonly { readonly title: string; readonly url: string }[];
  readonly fieldConfig?: {
    readonly defaults: {
      readonly unit: string;
      readonly thresholds: {
        readonly mode: string;
        readonly steps: readonly { readonly color: string; readonly value: number | null }[];
      };
    };
  };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly definition?: string }[];
  };
}

export const readDashboard = async (): Promise<Dashboard> =>
  JSON.parse(await readFile(join(ROOT, 'deploy/grafana/tessera.json'), 'utf8'));

/** A query as Grafana sends it: for all jobs and instances, with a range of some scrapes. */
export const asked = (expr: string): string =>
  expr
    .replaceAll(/\$(job|instance)\b/g, '.+')
    .replaceAll('$__rate_interval', '10s')
    .replaceAll(/\[\d+[mh]\]/g, '[10s]');
