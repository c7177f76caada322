import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type CommandInvocation, excerpt, messageOf, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import { firstSentence } from '../../shared/text/first-sentence.ts';
import { decodeUtf8 } from '../../shared/text/utf8.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import type { SourceTexts } from '../loaded-source.ts';
import { isUrl } from '../location.ts';
import { guardedFetch } from './guarded-fetch.ts';

/** Maximum size of a document, in bytes. */
const maxBytes = 64 * 1024 * 1024;

const timeoutMs = 60_000;

/** The document that a person has named, with the text of its main file. */
export interface NamedDocument {
  readonly texts: SourceTexts;
  readonly text: string;
}

/**
 * Reads the document that a person has named: a path, relative to `folder`, or a URL, fetched through the outbound guard. A private host must be
 * `allowHost`. Throws NOT_FOUND, CONFIG_INVALID for a web page, UPSTREAM_UNAVAILABLE and OUTBOUND_BLOCKED.
 */
export async function readDocument(
  invocation: Pick<CommandInvocation, 'createKernel'>,
  document: string,
  folder: string,
  allowHost?: string,
): Promise<NamedDocument> {
  if (!isUrl(document)) {
    const location = path.resolve(folder, document);
    const text = await readLocal(location, document);
    refusePage(text, document);
    return { texts: { location }, text };
  }
  const text = await fetchText(invocation, document, allowHost);
  refusePage(text, document);
  return { texts: { location: document, texts: new Map([[document, text]]) }, text };
}

async function readLocal(location: string, document: string): Promise<string> {
  try {
    return decodeUtf8(await readFile(location)).text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const shown = terminalText(excerpt(document));
    if (code === 'ENOENT')
      throw new ToolkitError('NOT_FOUND', `There is no file "${shown}" (${terminalText(location)}). Correct the path, or name a URL.`);
    if (code === 'EISDIR') throw new ToolkitError('NOT_FOUND', `"${shown}" is a folder. Name the OpenAPI document in it.`);
    throw new ToolkitError('CONFIG_INVALID', `"${shown}" cannot be read: ${messageOf(error)}.`, {}, { cause: error });
  }
}

async function fetchText(invocation: Pick<CommandInvocation, 'createKernel'>, url: string, allowHost: string | undefined): Promise<string> {
  const shown = terminalText(excerpt(url));
  const { host, hostname } = urlOf(url, shown);
  const isAllowed = allowHost !== undefined && [host, hostname].includes(allowHost.toLowerCase());
  if (allowHost !== undefined && !isAllowed)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `--allow-host names "${excerpt(allowHost, 100)}", and the document is at "${host}". Name that host.`,
    );
  const { fetch, close } = await guardedFetch(invocation);
  try {
    const options = isAllowed ? ({ hostFrom: 'definition', trust: 'operator' } as const) : ({ hostFrom: 'parameter' } as const);
    const response = await fetch(
      url,
      { headers: { accept: 'application/json, application/yaml, */*' }, signal: AbortSignal.timeout(timeoutMs) },
      options,
    );
    if (!response.ok) throw new ToolkitError('UPSTREAM_UNAVAILABLE', `${shown} answered ${response.status}. ${adviceFor(response.status)}`);
    return await textOf(response, shown);
  } catch (error) {
    if (ToolkitError.is(error) && error.code === 'OUTBOUND_BLOCKED')
      throw new ToolkitError(
        'OUTBOUND_BLOCKED',
        `${firstSentence(error.message)} If the document really is there, add: --allow-host ${host}`,
        {},
        { cause: error },
      );
    if (ToolkitError.is(error)) throw error;
    const cause = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
    throw new ToolkitError(
      'UPSTREAM_UNAVAILABLE',
      `${shown} cannot be fetched: ${excerpt(cause)}. Correct the URL, or save the document and name the file.`,
      {},
      { cause: error },
    );
  } finally {
    await close();
  }
}

function urlOf(url: string, shown: string): URL {
  const parsed = parseUrl(url);
  if (parsed !== undefined) return parsed;
  throw new ToolkitError('INVALID_PARAMETERS', `"${shown}" is no URL. Correct it.`);
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'It needs a login: save the document in a browser, and name the file.';
  return status === 404 ? 'There is no such page: correct the URL.' : 'Try again later.';
}

async function textOf(response: Response, shown: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes)
      throw new ToolkitError('OUTPUT_TOO_LARGE', `${shown} has more than ${maxBytes} bytes, the maximum of a document.`);
    chunks.push(chunk);
  }
  return decodeUtf8(Buffer.concat(chunks)).text;
}

/** Refuses a web page, which people often save in place of the document that it shows. */
function refusePage(text: string, document: string): void {
  if (!/^\s*<(?:!doctype|html|\?xml|!--|head|body)/i.test(text)) return;
  const message = `"${terminalText(excerpt(document))}" is a web page, not an OpenAPI document. Such pages link to the document itself, often as openapi.json, swagger.json or openapi.yaml: name that.`;
  throw new ToolkitError('CONFIG_INVALID', message);
}
