import { describeValue, excerpt, isPlainObject, messageOf, readJson, ToolkitError } from '../../../kernel/index.ts';
import { readYaml } from './read-yaml.ts';

/** The value of a text in JSON or YAML. */
export interface ParsedText {
  readonly value: unknown;
  /** Mistakes of the text that a strict parser refuses, for people. */
  readonly notes: readonly string[];
}

/** Parses a text as JSON, otherwise as YAML. Throws CONFIG_INVALID with the location for a text that is neither. */
export async function parseText(text: string, location: string, signal?: AbortSignal): Promise<ParsedText> {
  let jsonProblem: string;
  try {
    return { value: readJson(text), notes: [] };
  } catch (error) {
    jsonProblem = messageOf(error);
  }
  const answer = await readYaml(text, signal);
  if ('json' in answer)
    // Own text: written by yaml-reader.cjs, integers beyond 2^53 as texts.
    return { value: JSON.parse(answer.json), notes: answer.notes.map((note) => excerpt(note)) };
  const problem = /^\s*[{[]/.test(text) ? `no JSON (${excerpt(jsonProblem, 100)})` : `no YAML (${excerpt(answer.problem, 150)})`;
  throw documentError(location, `is ${problem}. Correct it there, or save the document again`);
}

/** Returns the root object of an OpenAPI document, of any version from 2.0 on. Throws CONFIG_INVALID for anything else. */
export function documentOf(value: unknown, location: string): Record<string, unknown> {
  const expected = 'expected an object with "openapi: 3.x" or "swagger: 2.0"';
  if (!isPlainObject(value)) throw documentError(location, `is no OpenAPI document: ${expected}, received ${describeValue(value)}`);
  const { openapi, swagger } = value;
  if (/^3(\.|$)/.test(versionOf(openapi)) || /^2(\.0)?$/.test(versionOf(swagger))) return value;
  const received = openapi ?? swagger;
  const named = received === undefined ? 'neither' : `${openapi === undefined ? 'swagger' : 'openapi'} ${describeValue(received)}`;
  throw documentError(location, `is no OpenAPI document that can be read: ${expected}, received ${named}. Name the right file`);
}

/** Returns a version as text: YAML reads an unquoted one as a number. */
export function versionOf(version: unknown): string {
  return typeof version === 'string' || typeof version === 'number' ? String(version).trim() : '';
}

/** Returns an error about a document. `fault` continues a sentence that begins with its location. */
export function documentError(location: string, fault: string, cause?: unknown): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `"${excerpt(location)}" ${fault}.`, { file: location }, { cause });
}
