export interface PdfParts {
  /** The document information dictionary, such as `<< /Title (x) >>`. */
  readonly info?: string;
  /** The encryption dictionary. */
  readonly encryption?: string;
}

/** A PDF of these pages, each of them some lines of characters of Latin-1 (ISO 32000-1, 7.5). */
export function makePdf(pages: readonly (readonly string[])[], { info, encryption }: PdfParts = {}): Buffer {
  const pageNumber = (index: number): number => 5 + 2 * index;
  const kids = pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((lines, index) => [
      stream(lines),
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${pageNumber(index) - 1} 0 R >>`,
    ]),
    ...(info === undefined ? [] : [info]),
    ...(encryption === undefined ? [] : [encryption]),
  ];
  const infoEntry = info === undefined ? '' : ` /Info ${objects.indexOf(info) + 1} 0 R`;
  const encryptEntry = encryption === undefined ? '' : ` /Encrypt ${objects.indexOf(encryption) + 1} 0 R /ID [<00><00>]`;
  const numbered = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
  const header = '%PDF-1.4\n';
  const starts = numbered.map((_, index) => header.length + numbered.slice(0, index).join('').length);
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const body = header + numbered.join('');
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R${infoEntry}${encryptEntry} >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(`${body}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

function stream(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`).join(' ');
  const content = `BT /F1 12 Tf 72 720 Td 14 TL ${shown} ET`;
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}
