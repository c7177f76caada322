import { execFileSync } from 'node:child_process';
import { chmod, mkdir, open, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from '../fs/as-nobody.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { makePdf, type PdfParts } from './make-pdf.ts';

interface Read {
  readonly pages: readonly { readonly number: number; readonly text: string }[];
  readonly total_pages: number;
  readonly truncated: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

describe('convert_pdf_to_text', () => {
  const shared = sharedToolkit();

  const read = (file: string, more: Readonly<Record<string, unknown>> = {}): Promise<Read> =>
    shared.toolkit.execute('convert_pdf_to_text', { path: file, ...more }) as unknown as Promise<Read>;

  async function file(bytes: Uint8Array): Promise<string> {
    const place = path.join(await temporaryFolder(), 'Bericht ä.pdf');
    await writeFile(place, bytes);
    return place;
  }

  const made = (pages: readonly (readonly string[])[], parts?: PdfParts): Promise<string> => file(makePdf(pages, parts));
  const numbered = (count: number): string[][] => Array.from({ length: count }, (_, index) => [`page ${index + 1}`]);

  it('reads the lines of every page', async () => {
    const { metadata, ...result } = await read(await made([['Hello (world)', 'Grüße \\ ß'], [], ['Third page']]));
    expect(result).to.deep.equal({
      pages: [
        { number: 1, text: 'Hello (world)\nGrüße \\ ß' },
        { number: 2, text: '' },
        { number: 3, text: 'Third page' },
      ],
      total_pages: 3,
      truncated: false,
    });
    expect(metadata).to.deep.equal({});
  });

  it('gives nothing of a document without pages', async () => {
    expect(await read(await made([]))).to.deep.equal({ pages: [], total_pages: 0, truncated: false, metadata: {} });
  });

  it('tells what the document says about itself', async () => {
    const info =
      '<< /Title <FEFF4E16754C> /Author (\\304da) /Subject () /Keywords (a, b) /Creator (Writer) /Producer (Maker) ' +
      "/CreationDate (D:20240229120000+02'00') /ModDate (D:2024) >>";
    expect((await read(await made([['x']], { info }))).metadata).to.deep.equal({
      title: '世界',
      author: 'Äda',
      keywords: 'a, b',
      creator: 'Writer',
      producer: 'Maker',
      created_at: '2024-02-29T12:00:00+02:00',
      modified_at: '2024-01-01T00:00:00',
    });
  });

  it('leaves out dates that are none', async () => {
    const info = '<< /CreationDate (yesterday) /ModDate (D:20249999120000Z) >>';
    expect((await read(await made([['x']], { info }))).metadata).to.deep.equal({});
  });

  const ranges: readonly { readonly pages: string; readonly numbers: readonly number[] }[] = [
    { pages: '2', numbers: [2] },
    { pages: '1-3,7', numbers: [1, 2, 3, 7] },
    { pages: ' 7 , 1 - 2, 2', numbers: [1, 2, 7] },
    { pages: '6-', numbers: [6, 7] },
    { pages: '6-99999999999999', numbers: [6, 7] },
  ];
  for (const { pages, numbers } of ranges) {
    it(`reads the pages ${pages} of 7`, async () => {
      const result = await read(await made(numbered(7)), { pages });
      expect(result.pages).to.deep.equal(numbers.map((number) => ({ number, text: `page ${number}` })));
      expect(result).to.include({ total_pages: 7, truncated: false });
    });
  }

  for (const pages of ['0', '8', '3-2', '1,', 'a', '-2', '1--2', '1;2']) {
    it(`refuses the pages "${pages}" of 7`, async () => {
      const error = await rejection(read(await made(numbered(7)), { pages }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "pages": expected pages');
      expect(error.details.issues?.[0]).to.include({ path: 'pages' });
    });
  }

  it('stops at max_pages and says so', async () => {
    const document = await made(numbered(5));
    const some = await read(document, { max_pages: 2, pages: '2-' });
    expect([some.pages.map(({ number }) => number), some.truncated]).to.deep.equal([[2, 3], true]);
    expect((await read(document, { max_pages: 5 })).truncated).to.equal(false);
  });

  it('reads 100 pages by default, and tells how far it is', async () => {
    const seen: unknown[] = [];
    const { output } = await shared.toolkit.kernel.call({
      tool: 'convert_pdf_to_text',
      parameters: { path: await made(numbered(103)) },
      onProgress: (progress) => seen.push(progress),
    });
    expect(output).to.include({ total_pages: 103, truncated: true });
    expect((output as unknown as Read).pages).to.have.length(100);
    expect(seen).to.have.length(100);
    expect(seen.at(-1)).to.deep.equal({ progress: 100, total: 100, message: 'page 100' });
  });

  const ok = makePdf([['x']]);
  const broken: readonly { readonly what: string; readonly bytes: Uint8Array; readonly says: RegExp }[] = [
    { what: 'an empty file', bytes: Buffer.alloc(0), says: /no PDF, or broken/ },
    { what: 'a text', bytes: Buffer.from('Grüße'), says: /no PDF, or broken/ },
    { what: 'half a PDF', bytes: ok.subarray(0, ok.length / 2), says: /no PDF, or broken/ },
    {
      what: 'a PDF with a password',
      bytes: makePdf([['x']], {
        encryption: `<< /Filter /Standard /V 1 /R 2 /O <${'aa'.repeat(32)}> /U <${'bb'.repeat(32)}> /P -4 >>`,
      }),
      says: /encrypted and needs a password/,
    },
    {
      what: 'a PDF with an unknown encryption',
      bytes: makePdf([['x']], { encryption: '<< /Filter /Own /V 9 >>' }),
      says: /unknown encryption/,
    },
  ];
  for (const { what, bytes, says } of broken) {
    it(`refuses ${what}`, async () => {
      const error = await rejection(read(await file(bytes)), 'EXECUTION_FAILED');
      expect(error.message).to.match(says).and.to.include('Bericht ä.pdf');
    });
  }

  it('refuses a file that is too large, without reading it', async () => {
    const place = path.join(await temporaryFolder(), 'huge.pdf');
    const handle = await open(place, 'w');
    await handle.truncate(64 * 1024 * 1024 + 1);
    await handle.close();
    const error = await rejection(read(place), 'EXECUTION_FAILED');
    expect(error.message).to.include('it has 67108865 bytes, expected at most 67108864');
  });

  it('says when there is no such file, and refuses what is no file', async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'sub'));
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    await rejection(read(path.join(folder, 'none.pdf')), 'NOT_FOUND');
    for (const name of ['sub', 'pipe']) await rejection(read(path.join(folder, name)), 'EXECUTION_FAILED');
  });

  it('says when permission is denied', async () => {
    const place = await made([['x']]);
    await chmod(path.dirname(place), 0o755);
    await chmod(place, 0);
    // A worker thread starts with the rights of the process.
    const error = await asNobody(() => rejection(read(place), 'EXECUTION_FAILED'));
    expect(error.message).to.include('permission is denied');
  });

  it('refuses a path outside of the roots, also through a link', async () => {
    const folder = await temporaryFolder();
    await symlink('/etc/hostname', path.join(folder, 'link.pdf'));
    for (const place of ['/etc/hostname', path.join(folder, 'link.pdf')]) await rejection(read(place), 'INVALID_PARAMETERS');
  });
});
