import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { python } from '../support/python.ts';
import { makePdf } from '../tools/core/convert/make-pdf.ts';
import { runJob } from './run-job.ts';

interface Document {
  /** Lines of each page. */
  readonly pages: readonly (readonly string[])[];
  /** Article, pieces and price of each row of the table. */
  readonly table: readonly (readonly [string, number, number])[];
}

/** A row as a person sees it: the article may have several words. */
const tableRow = /^(.*\S) +(\d+) +(\d+\.\d\d)$/;

runJob<Document>({
  number: 6,
  title: 'text and table of a PDF of two pages',
  async prepare(folder, random) {
    const words = ['delivery', 'warehouse', 'of', 'the', 'second', 'quarter', '(see', 'below)', 'terms', 'and', 'freight'];
    const text = (): string => Array.from({ length: random.between(6, 11) }, () => random.oneOf(words)).join(' ');
    const lines = (count: number): string[] => Array.from({ length: count }, text);
    const articles = ['Bolt M6', 'Washer', 'Nut M6 steel', 'Hinge left', 'Screw'];
    const rows = Array.from(
      { length: 12 },
      () => `${random.oneOf(articles)} ${random.between(1, 900)} ${(random.between(1, 99_999) / 100).toFixed(2)}`,
    );
    await writeFile(path.join(folder, 'report.pdf'), makePdf([lines(38), [...lines(4), 'Article Pieces Price', ...rows, ...lines(3)]]));
  },
  async steps(client) {
    const read = await client.tool('convert_pdf_to_text', 'read the text of a PDF file');
    const pages: string[][] = [];
    for (let next: { pages?: string; column?: number } | undefined = {}; next !== undefined; ) {
      const answer: { pages: { text: string }[]; next_pages?: string; next_column?: number } = await read.call({
        path: 'report.pdf',
        ...next,
      });
      for (const { text } of answer.pages) pages.push(text.split('\n'));
      const { next_pages, next_column } = answer;
      next = next_pages === undefined ? undefined : { pages: next_pages, ...(next_column === undefined ? {} : { column: next_column }) };
    }
    const lines = pages.flat();
    const below = lines.slice(lines.indexOf('Article Pieces Price') + 1).map((line) => tableRow.exec(line));
    const rows = below.slice(0, below.indexOf(null));
    return { pages, table: rows.map((row) => [row?.[1] ?? '', Number(row?.[2]), Number(row?.[3])]) };
  },
  // The streams of the pages are not compressed.
  expected: (folder) =>
    python(
      [
        'import re',
        'whole = open(given, "rb").read().decode("latin-1")',
        String.raw`shown = lambda page: [re.sub(r"\\(.)", r"\1", text) for text in re.findall(r"\(((?:[^()\\]|\\.)*)\) Tj", page)]`,
        String.raw`pages = [shown(page) for page in re.findall(r"stream\n(.*?)\nendstream", whole, re.S)]`,
        'start = pages[1].index("Article Pieces Price") + 1',
        'rows = [line.rsplit(" ", 2) for line in pages[1][start:start + 12]]',
        'result = {"pages": pages, "table": [[name, int(pieces), float(price)] for name, pieces, price in rows]}',
      ].join('\n'),
      path.join(folder, 'report.pdf'),
    ),
});
