import { excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { openFile } from '../fs/files/open-file.ts';
import { documentTooLarge, maxDocumentCharacters } from '../json/check-document.ts';
import { pagesIn } from './page-ranges.ts';
import { metadataOf, type PdfMetadata } from './pdf-metadata.ts';

interface PdfParameters {
  readonly path: string;
  /** `1-3,7`; all when it is not given. */
  readonly pages?: string;
  readonly max_pages: number;
}

interface PdfPage {
  readonly number: number;
  readonly text: string;
}

interface PdfResult {
  readonly text: string;
  readonly pages: readonly PdfPage[];
  readonly total_pages: number;
  readonly truncated: boolean;
  readonly metadata: PdfMetadata;
}

type PdfDocument = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>;

/** Largest file that is read. */
const maxBytes = 64 * 1024 * 1024;

/** The text of a PDF, page by page. Throws INVALID_PARAMETERS, NOT_FOUND, EXECUTION_FAILED and OUTPUT_TOO_LARGE. */
export async function pdfToText({ path, pages: ranges, max_pages }: PdfParameters, context: FunctionContext): Promise<PdfResult> {
  const document = await openDocument(path);
  try {
    const wanted = pagesIn(ranges, document.numPages);
    const pages: PdfPage[] = [];
    let characters = 0;
    for (const number of wanted.slice(0, max_pages)) {
      const text = await textOfPage(document, number);
      characters += 2 * text.length;
      if (characters > maxDocumentCharacters) throw documentTooLarge('Ask for fewer pages.');
      pages.push({ number, text });
      context.progress({ progress: pages.length, total: Math.min(wanted.length, max_pages), message: `page ${number}` });
    }
    const { info } = await document.getMetadata();
    return {
      text: pages.map((page) => page.text).join('\n\n'),
      pages,
      total_pages: document.numPages,
      truncated: wanted.length > max_pages,
      metadata: metadataOf(info as Readonly<Record<string, unknown>>),
    };
  } catch (error) {
    throw ToolkitError.is(error) ? error : unreadable(path, messageOf(error));
  } finally {
    await document.destroy();
  }
}

async function openDocument(path: string): Promise<PdfDocument> {
  const bytes = await readBytes(path);
  const { getDocumentProxy } = await import('unpdf');
  try {
    // 0: errors only.
    return await getDocumentProxy(bytes, { verbosity: 0 });
  } catch (error) {
    const isLocked = (error as Error).name === 'PasswordException';
    throw unreadable(
      path,
      isLocked ? 'it is encrypted and needs a password. Save it without one first' : `it is no PDF, or broken (${messageOf(error)})`,
    );
  }
}

async function readBytes(path: string): Promise<Uint8Array> {
  const { file, stats } = await openFile(path);
  try {
    if (stats.size > maxBytes) throw unreadable(path, `it has ${stats.size} bytes, expected at most ${maxBytes}. Divide it first`);
    return new Uint8Array(await file.readFile());
  } finally {
    await file.close();
  }
}

async function textOfPage(document: PdfDocument, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items
    .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
    .join('')
    .trim();
}

function unreadable(path: string, problem: string): ToolkitError {
  const message = `Cannot read "${excerpt(path)}" as a PDF: ${excerpt(problem).replace(/\.$/, '')}.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: path });
}
