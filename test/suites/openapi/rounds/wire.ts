import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspect, isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../../../../kernel/index.ts';
import { argumentsOfTemplate } from '../arguments/arguments-of-template.ts';
import { lostArguments } from '../arguments/compare-arguments.ts';
import type { DocumentArguments } from '../arguments/document-arguments.ts';
import { decodeRequest, headerOf, type RawRequest } from '../decoder/decode-request.ts';
import { DescribedDocument, type DescribedOperation, type Kind } from '../decoder/described-operation.ts';
import { type DocumentFile, hasPackage } from '../documents/folders.ts';
import { differencesOf } from '../swagger/differences.ts';
import { faultOf, faultOfThrown } from '../swagger/faults.ts';
import { swaggerRequest } from '../swagger/swagger-request.ts';
import { takeApart } from '../swagger/taken-apart.ts';
import { generate } from './generate.ts';
import { openTools, suppliedValue } from './open-tools.ts';
import { startReceiver } from './receiver.ts';
import { sampledCall, withDefaults } from './sampled-call.ts';
import { ambiguousNames, lostMembers, namesOfSeveral, openObjects } from './unclear-names.ts';

export interface WireOptions {
  /** Calls of each tool. */
  readonly calls: number;
  readonly seed: number;
  /** Compares with every nth tool only. @default 1 */
  readonly nth?: number;
}

export interface WireResult {
  readonly tools: number;
  readonly calls: number;
  /** Tools for which no arguments were found. */
  readonly unsampled: readonly string[];
  /** Calls that the tool refused before it sent anything, by message. */
  readonly refused: Readonly<Record<string, number>>;
  readonly compared: number;
  readonly equal: number;
  /** Differences by the fault of swagger-client that explains them. */
  readonly faults: Readonly<Record<string, number>>;
  /** Differences that nothing explains, and arguments that did not come back. */
  readonly findings: readonly string[];
  readonly found: number;
}

const maxFindings = 25;
const basePath = '/base';
const fileContent = 'content of the file';

/** Names of parameters that no document can set (OAS 3.1, Parameter Object). */
const ignoredHeaders = new Set(['header accept', 'header content-type', 'header authorization']);

/** Names of parameters for a header that the sender of a body writes itself, from the bytes that it sends (RFC 9110, 8.6). */
const sendersHeaders = new Set(['header content-length']);

export async function run({ file }: DocumentFile, options: unknown): Promise<WireResult> {
  const { calls, seed, nth = 1 } = options as WireOptions;
  await using receiver = await startReceiver();
  const { source } = await generate(file, { server: `${receiver.url}${basePath}` });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'toolkit-openapi-'));
  const upload = path.join(folder, 'upload.txt');
  writeFileSync(upload, fileContent);
  await using tools = await openTools(source, [folder]);
  const document = DescribedDocument.read(file);
  const count = { calls: 0, compared: 0, equal: 0, found: 0 };
  const refused: Record<string, number> = {};
  const faults: Record<string, number> = {};
  const unsampled: string[] = [];
  const findings: string[] = [];
  const report = (finding: string): void => {
    count.found += 1;
    if (findings.length < maxFindings) findings.push(finding);
  };
  const compareWithSwagger = hasPackage('swagger-client') && typeof document.root['openapi'] === 'string';
  for (const [index, { definition, operation }] of source.tools.entries()) {
    if (index % nth !== 0) continue;
    const name = String(definition['name']);
    const tool = tools.kernel.registry.get(name);
    const described = document.operation(operation.method, operation.path);
    for (let call = 0; call < calls; call += 1) {
      const parameters = sampledCall(tool, seed + 1000 * index + call, upload);
      if (parameters === undefined) {
        unsampled.push(name);
        break;
      }
      count.calls += 1;
      const error = await tools.call(name, parameters).then(
        () => undefined,
        (reason: Error) => reason,
      );
      const [request] = receiver.take();
      if (request === undefined) {
        const message = (error?.message ?? 'no request').replace(/"[^"]*"|of "?\w+"?/g, '…').slice(0, 120);
        refused[message] = (refused[message] ?? 0) + 1;
        continue;
      }
      const execution = definition['execution'] as Readonly<Record<string, unknown>>;
      const given = withSupplied(argumentsOfTemplate(execution, withDefaults(tool, parameters), operation.path), request, described);
      const where = `${operation.method.toUpperCase()} ${operation.path} (${name})`;
      for (const lost of lostIn(request, given, document, described, upload)) report(`${where}: ${lost}\n    ${shownRequest(request)}`);
      // It gets contents, not paths of files.
      if (!compareWithSwagger || given.body === upload || /multipart/.test(given.mediaType ?? '')) continue;
      count.compared += 1;
      const compared = { document, operation: described, given };
      try {
        const theirs = swaggerRequest(document, described, given, basePath);
        const differences = differencesOf(takeApart(request), theirs, compared);
        if (differences.length === 0) count.equal += 1;
        const unclear = new Set([...ambiguousNames(described, document), ...namesOfSeveral(openObjects(described, document), given)]);
        for (const difference of differences) {
          if (difference.part === 'query' && unclear.has(difference.name ?? '')) continue;
          // Authentication is not among the arguments.
          if (isDeepStrictEqual(difference.ours, [suppliedValue])) continue;
          const fault = faultOf(difference, compared);
          if (fault === undefined)
            report(
              `${where}: ${difference.part} ${difference.name ?? ''}: ours ${short(difference.ours)}, swagger-client ${short(difference.theirs)}`,
            );
          else faults[fault] = (faults[fault] ?? 0) + 1;
        }
      } catch (thrown) {
        const fault = faultOfThrown(thrown, compared);
        if (fault === undefined) report(`${where}: swagger-client throws ${String(thrown)}`);
        else faults[fault] = (faults[fault] ?? 0) + 1;
      }
    }
  }
  return { tools: source.tools.length, ...count, unsampled, refused, faults, findings };
}

/** Returns the arguments that the decoder does not read back. */
function lostIn(
  request: RawRequest,
  given: DocumentArguments,
  document: DescribedDocument,
  operation: DescribedOperation,
  upload: string,
): readonly string[] {
  const described = new Set(operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`));
  const unclear = ambiguousNames(operation, document);
  const isUnclear = (key: string): boolean =>
    [...unclear].some((name) => key === `query ${name}` || document.members(schemaOf(key, operation)).has(name));
  const open = openObjects(operation, document);
  const isOpen = (key: string): boolean => open.some(({ name }) => key === `query ${name}`);
  const isSenders = (key: string): boolean => sendersHeaders.has(key.toLowerCase()) && !given.parameters.has(key);
  const isOwn = (key: string): boolean =>
    described.has(key) && !ignoredHeaders.has(key.toLowerCase()) && !isSenders(key) && !isUnclear(key) && !isOpen(key);
  try {
    const decoded = decodeRequest(request, document, operation, (key) => kindOf(key, given), basePath);
    const received = { ...decoded, body: withPaths(decoded.body, upload) };
    const lost = lostArguments(given, received, isOwn).map(
      (one) => `${one.key}: given ${short(one.given)}, decoded ${short(one.received)}`,
    );
    return [...lost, ...lostMembers(open, given, decoded, request)];
  } catch (error) {
    // A name that two parameters write has several values.
    return unclear.size > 0 ? [] : [`the decoder says: ${String(error)}`];
  }
}

/** Returns a body with the path of the file in place of its content. */
function withPaths(body: unknown, upload: string): unknown {
  if (body === fileContent) return upload;
  if (Array.isArray(body)) return body.map((item) => withPaths(item, upload));
  if (!isPlainObject(body)) return body;
  const { fileName, bytes } = body;
  if (fileName !== undefined && Buffer.isBuffer(bytes)) return bytes.toString('utf8') === fileContent ? upload : 'another file';
  return Object.fromEntries(Object.entries(body).map(([name, member]) => [name, withPaths(member, upload)]));
}

/** Returns the arguments with those that the service supplies itself, such as keys. */
function withSupplied(given: DocumentArguments, request: RawRequest, { parameters: described }: DescribedOperation): DocumentArguments {
  const parameters = new Map(given.parameters);
  const query = new URLSearchParams(request.url.split('?')[1] ?? '');
  for (const { name, in: place } of described) {
    const value = place === 'query' ? query.get(name) : place === 'header' ? headerOf(request, name) : undefined;
    if (value === suppliedValue) parameters.set(`${place} ${name}`, suppliedValue);
  }
  return { ...given, parameters };
}

function schemaOf(key: string, { parameters }: DescribedOperation): unknown {
  return parameters.find((parameter) => `${parameter.in} ${parameter.name}` === key)?.schema;
}

function kindOf(key: string, given: DocumentArguments): Kind | undefined {
  const member = key.startsWith('body ') ? key.slice('body '.length) : undefined;
  const value = member === undefined ? given.parameters.get(key) : (given.body as Readonly<Record<string, unknown>> | undefined)?.[member];
  if (value === undefined) return undefined;
  return Array.isArray(value) ? 'list' : typeof value === 'object' && value !== null ? 'object' : 'text';
}

function shownRequest({ method, url, body }: RawRequest): string {
  return `${method} ${url} ${body.toString('utf8').slice(0, 200)}`;
}

function short(value: unknown): string {
  return inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY }).slice(0, 300);
}
