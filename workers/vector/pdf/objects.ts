import type PDFDocument from 'pdfkit';

/** A document of pdfkit. */
export type PdfDocument = InstanceType<typeof PDFDocument>;

/** What pdfkit has beyond its typed interface: resources of a page, references and the catalog. */
export interface PdfInternals {
  readonly info: Record<string, unknown>;
  readonly _root: PdfReference;
  ref(data: Record<string, unknown>): PdfReference;
  addContent(data: string): unknown;
  readonly page: {
    readonly height: number;
    readonly dictionary: PdfReference;
    readonly resources: PdfReference;
    readonly ext_gstates: Record<string, PdfReference>;
    readonly xobjects: Record<string, PdfReference>;
  };
}

/** An object of the file. It is written when it ends. */
export interface PdfReference {
  readonly data: Record<string, unknown>;
  end(chunk?: string | Uint8Array): void;
}

/** Returns the same document with its internals. */
export const internalsOf = (doc: PdfDocument): PdfInternals => doc as unknown as PdfInternals;
