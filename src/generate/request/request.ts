/** The requests for pictures. Each is one TypeBox value that validates, documents and types it. */
import Type, { type Static } from 'typebox';
import { Color, Data, PictureOptions, SizePx, strict } from './picture-options.ts';

/** Body of `POST /api/v1/qr`. */
export const SingleRequest = Type.Object(
  { data: Data, ...PictureOptions.properties },
  {
    ...strict,
    title: 'QrRequest',
    examples: [
      {
        data: 'https://example.com/',
        width: 600,
        height: 600,
        dotsOptions: { type: 'rounded', color: '#1a4b8c' },
        cornersSquareOptions: { type: 'rounded' },
        backgroundOptions: { color: 'white' },
      },
    ],
  },
);
/** A validated body of `POST /api/v1/qr`. */
export type SingleRequest = Static<typeof SingleRequest>;

/** One item of a bulk call. `data` may be any JSON, so that an item without usable content fails alone. */
export const BulkItem = Type.Object(
  {
    data: Type.Optional(
      Type.Unknown({ description: 'As in the single call; must be a URL for dynamic items.' }),
    ),
    ...PictureOptions.properties,
    dynamic: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Encode a short link whose destination can be changed later.',
      }),
    ),
  },
  { ...strict, title: 'BulkItem' },
);
/** A validated item of a bulk call, except for its `data`. */
export type BulkItem = Static<typeof BulkItem>;

/** Greatest number of items of a bulk call (specification 2.3). */
export const BULK_MAX_ITEMS = 100;

/** Body of `POST /api/v1/qr/bulk`. */
export const BulkRequest = Type.Object(
  {
    items: Type.Array(BulkItem, { minItems: 1, maxItems: BULK_MAX_ITEMS }),
    folderId: Type.Optional(Type.String({ format: 'uuid' })),
    folderName: Type.Optional(
      Type.String({ maxLength: 1000, description: 'A folder of this name is made, or reused.' }),
    ),
  },
  {
    ...strict,
    title: 'BulkRequest',
    examples: [
      {
        folderName: 'Spring campaign',
        items: [
          { data: 'Table 1' },
          { data: 'https://example.com/menu', dynamic: true, width: 500, height: 500 },
        ],
      },
    ],
  },
);
/** A validated body of `POST /api/v1/qr/bulk`. */
export type BulkRequest = Static<typeof BulkRequest>;

/** Query of `GET /api/v1/render`. */
export const ImageQuery = Type.Object(
  {
    key: Type.Optional(Type.String({ description: 'API key with the scope `render`.' })),
    content: Data,
    width: Type.Optional(Type.Integer({ ...SizePx, default: 300 })),
    dark: Type.Optional(Color),
    light: Type.Optional(Color),
  },
  strict,
);
/** A validated query of `GET /api/v1/render`. */
export type ImageQuery = Static<typeof ImageQuery>;
