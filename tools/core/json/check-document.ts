import { ToolkitError } from '../../../kernel/index.ts';

/** Maximum size of a document in a result, in characters of its JSON or text. */
export const maxDocumentCharacters = 8 * 1024 * 1024;

/** Maximum nesting of a document. A result may have 500 levels, including those around the document. */
export const maxDocumentDepth = 490;

interface Source {
  /** Name of the parameter that the document comes from. */
  readonly parameter: string;
  /** A sentence that says how to get a smaller document. */
  readonly advice: string;
}

/**
 * Throws OUTPUT_TOO_LARGE for a document that is too long as JSON, and INVALID_PARAMETERS for one nested too deeply. Stops at the limit:
 * a value that is shared many times can be endlessly long as JSON.
 */
export function checkDocument(document: unknown, source: Source): void {
  let remaining = maxDocumentCharacters;
  const measure = (value: unknown, depth: number): void => {
    if (typeof value === 'string') remaining -= value.length + 3;
    else if (typeof value !== 'object' || value === null) remaining -= String(value).length + 1;
    else {
      if (depth > maxDocumentDepth) throw nestedTooDeeply(source.parameter, maxDocumentDepth);
      remaining -= 3;
      for (const [name, member] of Object.entries(value)) {
        remaining -= Array.isArray(value) ? 0 : name.length + 3;
        measure(member, depth + 1);
      }
    }
    if (remaining < 0) throw documentTooLarge(source.advice);
  };
  measure(document, 1);
}

export function documentTooLarge(advice: string): ToolkitError {
  return new ToolkitError('OUTPUT_TOO_LARGE', `The result is larger than ${maxDocumentCharacters} characters. ${advice}`, {
    maxCharacters: maxDocumentCharacters,
  });
}

/** Builds INVALID_PARAMETERS for a parameter that is nested too deeply. `levels` is the limit, where one is known. */
export function nestedTooDeeply(parameter: string, levels?: number): ToolkitError {
  const message = `is nested too deeply${levels === undefined ? '' : `: expected at most ${levels} levels`}`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${parameter}" ${message}. Give its parts one by one.`, {
    issues: [{ path: parameter, message }],
  });
}
