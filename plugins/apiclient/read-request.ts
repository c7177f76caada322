import { isPlainObject } from '../../kernel/index.ts';
import { readBlocks } from './bru-blocks.ts';
import { bruLanguage } from './bru-language.ts';
import { yamlValue } from './yaml-value.ts';

/** Facts about a request. */
export interface RequestFacts {
  readonly name: string;
  /** Upper case. */
  readonly method: string;
  readonly url: string;
  readonly tags: readonly string[];
  /** True when it has a test script with more than comments, or an enabled assertion. */
  readonly has_tests: boolean;
  /** Paths of files that the request sends or authenticates with, as written. */
  readonly files: readonly string[];
  /** Position among the requests of its folder. */
  readonly order: number;
}

/** Reads a `.bru` file. Undefined when it is not an HTTP request. Throws an Error that names line and column. */
export async function readBruRequest(text: string): Promise<RequestFacts | undefined> {
  const { bruToJsonV2 } = await bruLanguage();
  const { content, texts } = readBlocks(text, bruToJsonV2);
  const { meta = {}, http, assertions = [], body, auth } = content;
  if (http === undefined) return undefined;
  return {
    name: meta.name ?? '',
    method: (http.method ?? 'get').toUpperCase(),
    url: http.url ?? '',
    tags: meta.tags ?? [],
    files: filesNamedIn([body, auth]),
    has_tests: isCode(texts.get('tests')) || assertions.some(({ enabled }) => enabled !== false),
    order: orderOf(meta.seq),
  };
}

/** Reads a `.yml` file of an OpenCollection. Undefined when it is not an HTTP request. Throws an Error that names line and column. */
export async function readYamlRequest(text: string, signal: AbortSignal): Promise<RequestFacts | undefined> {
  const content = await yamlValue(text, signal);
  const { info, http, graphql, runtime } = objectAt({ content }, 'content');
  const request = http ?? graphql;
  if (!isPlainObject(request)) return undefined;
  const { name, tags, seq } = objectAt({ info }, 'info');
  const { scripts, assertions } = objectAt({ runtime }, 'runtime');
  const method = typeof request['method'] === 'string' ? request['method'] : graphql === undefined ? 'GET' : 'POST';
  return {
    name: typeof name === 'string' ? name : '',
    method: method.toUpperCase(),
    url: typeof request['url'] === 'string' ? request['url'] : '',
    tags: listOf(tags).filter((tag): tag is string => typeof tag === 'string'),
    files: filesNamedIn([request['body'], request['auth']]),
    has_tests:
      listOf(scripts).some((script) => isPlainObject(script) && script['type'] === 'tests' && isCode(script['code'])) ||
      listOf(assertions).some((assertion) => isPlainObject(assertion) && assertion['disabled'] !== true),
    order: orderOf(seq),
  };
}

/**
 * Returns the paths of files in a body, an authentication or a descriptor, in either format: members named `…FilePath`, and values whose type (`type`,
 * `privateKeyType`) is `file`.
 */
export function filesNamedIn(content: unknown): readonly string[] {
  if (Array.isArray(content)) return content.flatMap(filesNamedIn);
  if (!isPlainObject(content)) return [];
  return Object.entries(content).flatMap(([name, value]) => {
    const isFile = /filePath$/i.test(name) || (name === 'value' && content['type'] === 'file') || content[`${name}Type`] === 'file';
    return isFile ? textsIn(value) : filesNamedIn(value);
  });
}

function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === 'string' && value.trim() !== '' ? [value] : [];
}

/** Returns the position of a request or folder; those without one come last. */
export function orderOf(seq: unknown): number {
  const order = Number(seq ?? Number.NaN);
  return Number.isFinite(order) ? order : Number.POSITIVE_INFINITY;
}

function isCode(text: unknown): boolean {
  return (
    typeof text === 'string' &&
    text
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/^\s*\/\/.*$/gm, '')
      .trim() !== ''
  );
}

export function objectAt(value: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  const member = value[key];
  return isPlainObject(member) ? member : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
