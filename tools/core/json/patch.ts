import { describeValue, excerpt, type JsonValue, ToolkitError } from '../../../kernel/index.ts';
import { canonical } from './canonical.ts';
import { checkDocument, documentTooLarge, maxDocumentCharacters, nestedTooDeeply } from './check-document.ts';
import { readPointer } from './json-pointer.ts';
import { PatchedDocument, PatchPathError } from './patched-document.ts';
import { remainingBudget } from './result-size.ts';

interface Operation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: JsonValue;
}

interface PatchParameters {
  readonly document: JsonValue;
  readonly patch: readonly Operation[];
}

const advice = 'Copy and add less.';

/**
 * Applies a JSON Patch (RFC 6902) completely or not at all. Throws INVALID_PARAMETERS for a malformed operation, EXECUTION_FAILED for one
 * that does not fit the document, and OUTPUT_TOO_LARGE. Changes the given document.
 */
export function applyPatch({ document, patch }: PatchParameters): { readonly result: JsonValue } {
  const patched = new PatchedDocument(document);
  // A patch can copy the document into itself, and double it each time.
  let budget = maxDocumentCharacters;
  for (const [index, operation] of patch.entries()) {
    try {
      if (operation.op === 'copy') budget = remainingBudget(patched.get(namesIn(operation, 'from', index)), budget);
      if (budget < 0) throw documentTooLarge(advice);
      apply(patched, operation, index);
    } catch (error) {
      if (error instanceof PatchPathError) throw doesNotApply(operation, index, error.message);
      throw error instanceof RangeError ? nestedTooDeeply('patch') : error;
    }
  }
  checkDocument(patched.root, { parameter: 'patch', advice });
  return { result: patched.root };
}

function apply(patched: PatchedDocument, operation: Operation, index: number): void {
  const path = namesIn(operation, 'path', index);
  switch (operation.op) {
    case 'add':
      patched.add(path, givenValue(operation, index));
      break;
    case 'remove':
      patched.remove(path);
      break;
    case 'replace':
      patched.replace(path, givenValue(operation, index));
      break;
    case 'copy':
      patched.add(path, structuredClone(patched.get(namesIn(operation, 'from', index))));
      break;
    case 'move':
      patched.move(namesIn(operation, 'from', index), path);
      break;
    case 'test':
      test(patched.get(path), givenValue(operation, index));
  }
}

function test(found: JsonValue, expected: JsonValue): void {
  if (canonical(found) !== canonical(expected))
    throw new PatchPathError(`expected ${describeValue(expected)}, found ${describeValue(found)}`);
}

function namesIn(operation: Operation, member: 'path' | 'from', index: number): readonly string[] {
  const pointer = operation[member];
  if (pointer === undefined) throw badOperation(index, member, `is required for "${operation.op}"`);
  const read = readPointer(pointer);
  if ('mistake' in read) throw badOperation(index, member, `is no JSON pointer: ${read.mistake} at character ${read.index + 1}`);
  return read.names;
}

function givenValue(operation: Operation, index: number): JsonValue {
  if (operation.value === undefined) throw badOperation(index, 'value', `is required for "${operation.op}"; it may be null`);
  return operation.value;
}

function badOperation(index: number, member: string, problem: string): ToolkitError {
  const path = `patch[${index}].${member}`;
  return new ToolkitError('INVALID_PARAMETERS', `"${path}" ${problem}. Nothing was changed.`, { issues: [{ path, message: problem }] });
}

function doesNotApply({ op, path }: Operation, operation: number, problem: string): ToolkitError {
  const subject = `Operation ${operation} of the patch (${op} "${excerpt(path, 100)}")`;
  const next = 'Look at the document there, correct the patch and call again';
  return new ToolkitError('EXECUTION_FAILED', `${subject} does not apply: ${problem}. Nothing was changed. ${next}.`, { operation });
}
