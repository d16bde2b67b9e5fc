/** Names for the parts of the OpenAPI document that screens share. */
import type { components } from './types.ts';

type Schemas = components['schemas'];

export type Usage = Schemas['Usage'];
export type Folder = Schemas['Folder'];
export type Code = Schemas['Code'];
export type CodeWithDesign = Schemas['CodeWithDesign'];
export type Link = Schemas['Link'];
export type LinkChange = Schemas['LinkChange'];
export type LinkScans = Schemas['LinkScans'];
export type AccountScans = Schemas['AccountScans'];
export type BinItem = Schemas['BinItem'];
export type Key = Schemas['Key'];
export type Session = Schemas['Session'];
export type QrRequest = Schemas['QrRequest'];
export type BulkAnswer = Schemas['BulkResponse'];
export type BulkItem = Schemas['BulkItem'];
