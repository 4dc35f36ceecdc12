/** PDF.js. Wherever the Worker is built, scripts/lib/build/bounded-pdf.ts puts the same code here with limits in it. */
export { getDocument, PDFDataRangeTransport, type PDFDocumentProxy, type PDFPageProxy, version } from "unpdf/pdfjs";
