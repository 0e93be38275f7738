/** The update of a PDF that adds an invisible signature field with a placeholder for the signature. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

type Library = typeof import('@cantoo/pdf-lib');
type PdfDocument = import('@cantoo/pdf-lib').PDFDocument;

const pdfLibrary = (): Library => require('@cantoo/pdf-lib');

export interface WantedUpdate {
  readonly pdf: Uint8Array;
  /** The signatory. */
  readonly named: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Bytes of the longest signature. */
  readonly longest: number;
  /** The placeholder of the ranges, as wide as any number there. */
  readonly wide: number;
}

/** Returns the file with the update after it. @throws the library's error: the file cannot be read, or is encrypted */
export async function updateWithPlace({ pdf, ...wanted }: WantedUpdate): Promise<Uint8Array> {
  const { PDFDocument } = pdfLibrary();
  const document = await PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false });
  addSignature(document, { ...wanted, name: `Signature${pdf.length}` });
  return document.commit({ useObjectStreams: false });
}

/** @param name of the field: another one for each signature, as the file grows with them */
function addSignature(
  document: PdfDocument,
  { name, named, now, longest, wide }: Omit<WantedUpdate, 'pdf'> & { readonly name: string },
): void {
  const { PDFHexString, PDFName, PDFNumber, PDFString } = pdfLibrary();
  const { context } = document;
  const signature = context.obj({
    ...{ Type: 'Sig', Filter: 'Adobe.PPKLite', SubFilter: 'ETSI.CAdES.detached' },
    ByteRange: [wide, wide, wide, wide],
    Contents: PDFHexString.of('00'.repeat(longest)),
    ...{ M: PDFString.fromDate(new Date(now)), Name: PDFHexString.fromText(named) },
  });
  const page = document.getPage(0);
  const field = context.obj({
    ...{ Type: 'Annot', Subtype: 'Widget', FT: 'Sig', Rect: [0, 0, 0, 0], P: page.ref },
    ...{ V: context.register(signature), T: PDFString.of(name) },
    // Printed, and locked.
    F: 132,
  });
  const widget = context.register(field);
  page.node.addAnnot(widget);
  const form = document.catalog.getOrCreateAcroForm();
  // SignaturesExist and AppendOnly.
  form.dict.set(PDFName.of('SigFlags'), PDFNumber.of(3));
  form.addField(widget);
}
