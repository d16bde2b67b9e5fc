/** Names for the parts of the OpenAPI document that screens share. */
import type { paths } from './types.ts';

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type Ok<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  responses: { 200: infer Response };
}
  ? Json<Response>
  : never;

export type Usage = Ok<'/api/v1/usage', 'get'>;
export type Folder = Ok<'/api/v1/folders', 'get'>['data'][number];
export type Code = Ok<'/api/v1/folders/{id}/codes', 'get'>['data'][number];
export type CodeWithDesign = Ok<'/api/v1/codes/{id}', 'get'>;
export type Link = Ok<'/api/v1/links/{slug}', 'get'>;
export type LinkChange = Ok<'/api/v1/links/{slug}/history', 'get'>['data'][number];
export type LinkScans = Ok<'/api/v1/links/{slug}/scans', 'get'>;
export type AccountScans = Ok<'/api/v1/scans', 'get'>;
export type BinItem = Ok<'/api/v1/bin', 'get'>['data'][number];
export type Key = Ok<'/api/v1/keys', 'get'>['data'][number];
export type Session = Ok<'/dashboard/session', 'get'>;
export type QrRequest = NonNullable<
  paths['/api/v1/qr']['post']['requestBody']
>['content']['application/json'];
export type BulkAnswer = Ok<'/api/v1/qr/bulk', 'post'>;
export type BulkItem = NonNullable<
  paths['/api/v1/qr/bulk']['post']['requestBody']
>['content']['application/json']['items'][number];
