import { BarcodeQuery, BarcodeRequest } from '../../../generate/barcode/request.ts';
import { NO_GRADE_TERMS } from '../../../generate/parts.ts';
import { sendBarcodeOutcome } from '../../answer-headers.ts';
import { ofAccount } from '../../auth/of-account.ts';
import { useCasesFor } from '../../caller.ts';
import { formatFor, PICTURE_TYPES, sendPicture } from '../../files/attachment.ts';
import { callerOf, PaidHeader } from '../../idempotency.ts';
import { describeBytes } from '../../schemas/atoms.ts';
import { withHeaders } from '../../schemas/openapi/headers.ts';
import type { Need } from '../services.ts';

/** Holds the longest `data`, with every character as `\uXXXX`. */
const BODY_LIMIT_BYTES = 64 * 1024;

/** Adds the route that makes a barcode of GS1 data other than a QR code. */
export const barcodeRoute = ofAccount(
  { tag: 'Generate', name: 'barcode', scope: 'generate', isForSandbox: true },
  (route, { barcode, rehearsal, sandbox }: Need<'barcode' | 'rehearsal' | 'sandbox'>) => {
    route('POST /api/v1/barcodes/file', {
      operationId: 'createBarcode',
      isPaid: true,
      summary: 'Make a GS1 DataMatrix, EAN-13 or UPC-A as a file, in millimetres',
      description:
        '`Accept` selects the format; PNG by default. Black on white. Costs one unit. See docs/gs1.md.',
      headers: PaidHeader,
      querystring: BarcodeQuery,
      body: BarcodeRequest,
      answer: withHeaders(
        describeBytes('The file.', ...PICTURE_TYPES),
        'Content-Disposition',
        'Idempotent-Replayed',
        'Server-Timing',
        'Tessera-Size-Mm',
        'X-QR-Usage',
      ),
      fails: [406, 409, 422],
      options: { bodyLimit: BODY_LIMIT_BYTES },
      handle: async (request, principal, reply) => {
        reply.header('vary', 'Accept');
        const { body, query } = request;
        const format = formatFor(request.headers.accept);
        const asked = JSON.stringify([format, Object.entries(query).sort()]);
        const caller = callerOf(request, principal, 'barcode', NO_GRADE_TERMS, asked);
        const make = useCasesFor(request, principal, { barcode }, sandbox, rehearsal).barcode;
        const answer = await make(body, caller, query, format);
        sendBarcodeOutcome(request, reply, answer);
        reply.header('x-qr-usage', String(answer.usageCount));
        return sendPicture(reply, { format, name: body.symbology, bytes: answer.bytes });
      },
    });
  },
);
