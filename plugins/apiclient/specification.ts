import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, isPlainObject, messageOf, readJson, ToolkitError, toUrl } from '../../kernel/index.ts';
import { decodeUtf8 } from '../shared/text/utf8.ts';
import { codeOf, operationError } from './operation-error.ts';
import type { OperationContext } from './operation-services.ts';
import { yamlValue } from './yaml-value.ts';

export interface Specification {
  readonly title: string;
  readonly json: string;
}

/** Reads an OpenAPI 3 document from a file or URL. Throws with the reason when it is not one. */
export async function readSpecification(source: string, insecure: boolean, work: OperationContext): Promise<Specification> {
  const isUrl = /^https?:\/\//i.test(source);
  const text = isUrl
    ? await fetchSpecification(source, insecure, work)
    : await readSpecificationFile(source, work.limits.maxSpecificationBytes);
  const content = await parseSpecification(source, text, work.context.signal);
  const { openapi, swagger, paths, info } = content;
  if (swagger !== undefined)
    throw operationError(
      `${source} is a specification of version ${excerpt(String(swagger), 20)} (Swagger): expected OpenAPI 3. Convert it first.`,
    );
  if (typeof openapi !== 'string' || !openapi.startsWith('3.'))
    throw operationError(
      `${source} is no OpenAPI 3 document: expected "openapi: 3.x", received ${openapi === undefined ? 'none' : JSON.stringify(openapi)}.`,
    );
  if (!isPlainObject(paths)) throw operationError(`${source} has no "paths": expected an object with the operations.`);
  const json = serialize(source, content);
  const title = isPlainObject(info) && typeof info['title'] === 'string' ? info['title'].replace(/[\p{Cc}{}\s]+/gu, ' ').trim() : '';
  return {
    title: title === '' ? path.parse(isUrl ? toUrl(source).pathname : source).name || 'API' : title,
    json,
  };
}

async function parseSpecification(source: string, text: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  // JSON is YAML too, but the JSON parser is much faster.
  const content = asJson(text) ?? (await fromYaml(source, text, signal));
  if (isPlainObject(content)) return content;
  throw operationError(
    `${source} is no OpenAPI document: expected an object, received ${Array.isArray(content) ? 'a list' : typeof content}.`,
  );
}

function asJson(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

async function fromYaml(source: string, text: string, signal: AbortSignal): Promise<unknown> {
  try {
    return await yamlValue(text, signal);
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw operationError(`${source} is neither JSON nor YAML: ${excerpt(messageOf(cause))}`, 'EXECUTION_FAILED', cause);
  }
}

/** Serializes the document. Fails for one that contains itself or is nested thousands of levels deep. */
function serialize(source: string, content: unknown): string {
  try {
    return JSON.stringify(content);
  } catch (cause) {
    throw operationError(`${source} cannot be read: ${excerpt(messageOf(cause))}.`, 'EXECUTION_FAILED', cause);
  }
}

async function readSpecificationFile(file: string, maxBytes: number): Promise<string> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) throw operationError(`The specification ${file} is no file.`);
    if (stats.size > maxBytes) throw tooLarge(file, maxBytes);
    return await readWithin(createReadStream(file), file, maxBytes);
  } catch (error) {
    if (ToolkitError.is(error)) throw error;
    throw operationError(`The specification ${file} cannot be opened (${codeOf(error)}).`, 'NOT_FOUND', error);
  }
}

async function fetchSpecification(url: string, insecure: boolean, { context, limits }: OperationContext): Promise<string> {
  let response: Response;
  try {
    const headers = { accept: 'application/json, application/yaml, */*;q=0.5' };
    response = await context.fetch(url, { headers, signal: context.signal }, { verifyCertificate: !insecure });
  } catch (error) {
    if (ToolkitError.is(error)) throw error;
    const reason = reasonOf(error);
    const advice = /CERT|SELF_SIGNED|certificate/i.test(reason) ? ' Give insecure: true only if you know whose server it is.' : '';
    throw operationError(`The specification ${url} cannot be fetched: ${excerpt(reason)}.${advice}`, 'UPSTREAM_UNAVAILABLE', error);
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw operationError(
      `The specification ${url} was answered with HTTP ${response.status}: expected 200.`,
      response.status === 404 ? 'NOT_FOUND' : 'EXECUTION_FAILED',
    );
  }
  if (response.body === null) return '';
  return readWithin(response.body, url, limits.maxSpecificationBytes).catch((error: unknown) => {
    if (ToolkitError.is(error) || context.signal.aborted) throw error;
    throw operationError(`The specification ${url} ended early: ${excerpt(reasonOf(error))}. Try again.`, 'UPSTREAM_UNAVAILABLE', error);
  });
}

async function readWithin(stream: AsyncIterable<Uint8Array>, source: string, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(source, maxBytes);
    chunks.push(chunk);
  }
  return decodeUtf8(Buffer.concat(chunks)).text;
}

function tooLarge(source: string, maxBytes: number): Error {
  return operationError(
    `The specification ${source} is too large: expected at most ${maxBytes} bytes. Cut it down, or raise limits.maxSpecificationBytes of the plugin apiclient.`,
    'OUTPUT_TOO_LARGE',
  );
}

/** Returns the innermost cause of an error: fetch puts the reason there. */
function reasonOf(error: unknown): string {
  let reason = messageOf(error);
  for (let cause = (error as Error).cause; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    reason = code === undefined ? cause.message : `${code}: ${cause.message}`;
  }
  return reason;
}
