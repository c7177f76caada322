import { excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { OutputRoom } from '../../../plugins/shared/output-room/output-room.ts';
import { openFile } from '../fs/files/open-file.ts';
import { documentTooLarge, maxDocumentCharacters } from '../json/check-document.ts';
import { formatPageRanges, parsePageRanges } from './page-ranges.ts';
import { metadataOf, type PdfMetadata } from './pdf-metadata.ts';

interface PdfParameters {
  readonly path: string;
  /** Page ranges such as `1-3,7`. @default all pages */
  readonly pages?: string;
  readonly max_pages: number;
  /** Start column in the text of the first page, in UTF-16 code units, from 1. */
  readonly column?: number;
}

interface PdfPage {
  readonly number: number;
  readonly text: string;
}

interface PdfResult {
  readonly pages: readonly PdfPage[];
  readonly total_pages: number;
  readonly truncated: boolean;
  /** The remaining pages, in the form of `pages`. */
  readonly next_pages?: string;
  readonly next_column?: number;
  readonly metadata: PdfMetadata;
}

type PdfDocument = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>;

/** Maximum size of a file. */
const maxBytes = 64 * 1024 * 1024;

/** Extracts the text of a PDF, page by page. Throws INVALID_PARAMETERS, NOT_FOUND, EXECUTION_FAILED and OUTPUT_TOO_LARGE. */
export async function pdfToText(parameters: PdfParameters, context: FunctionContext): Promise<PdfResult> {
  const { path, pages: ranges } = parameters;
  const document = await openDocument(path);
  try {
    const wanted = parsePageRanges(ranges, document.numPages);
    const { info } = await document.getMetadata();
    const facts = { total_pages: document.numPages, metadata: metadataOf(info as Readonly<Record<string, unknown>>) };
    const reserved = { truncated: false, next_pages: formatPageRanges(wanted), next_column: Number.MAX_SAFE_INTEGER };
    const room = new OutputRoom(context.output.budget, { pages: [], ...facts, ...reserved });
    const { pages, remaining, nextColumn } = await readPages(document, wanted, { ...parameters, room }, context);
    return {
      pages,
      truncated: remaining.length > 0,
      ...(remaining.length > 0 ? { next_pages: formatPageRanges(remaining) } : {}),
      ...(nextColumn === undefined ? {} : { next_column: nextColumn }),
      ...facts,
    };
  } catch (error) {
    throw ToolkitError.is(error) ? error : unreadable(path, messageOf(error));
  } finally {
    await document.destroy();
  }
}

interface ReadPages {
  readonly pages: readonly PdfPage[];
  readonly remaining: readonly number[];
  /** Column at which the first remaining page continues. */
  readonly nextColumn?: number;
}

interface Limits extends Pick<PdfParameters, 'max_pages' | 'column'> {
  readonly room: OutputRoom;
}

async function readPages(
  document: PdfDocument,
  wanted: readonly number[],
  { max_pages, column = 1, room }: Limits,
  { progress }: FunctionContext,
): Promise<ReadPages> {
  const pages: PdfPage[] = [];
  let characters = 0;
  for (const number of wanted.slice(0, max_pages)) {
    const first = pages.length === 0 ? column : 1;
    const page = { number, text: (await textOfPage(document, number)).slice(first - 1) };
    characters += page.text.length;
    if (characters > maxDocumentCharacters) throw documentTooLarge('Ask for fewer pages.');
    if (!room.take(page)) {
      const remaining = wanted.slice(pages.length);
      if (pages.length > 0) return { pages, remaining };
      // A page larger than the whole output is cut, and the next call continues it.
      room.take({ number, text: '' });
      const text = room.takeText(page.text);
      return { pages: [{ number, text }], remaining, nextColumn: first + text.length };
    }
    pages.push(page);
    progress({ progress: pages.length, total: Math.min(wanted.length, max_pages), message: `page ${number}` });
  }
  return { pages, remaining: wanted.slice(max_pages) };
}

async function openDocument(path: string): Promise<PdfDocument> {
  const bytes = await readBytes(path);
  const { getDocumentProxy } = await import('unpdf');
  try {
    // Verbosity 0 prints errors only.
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
