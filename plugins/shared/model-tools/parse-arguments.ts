import { excerpt, messageOf, readJson, ToolkitError, textExcess } from '../../../kernel/index.ts';

/**
 * Parses the arguments that a model has written as JSON. Integers beyond 2^53 become text; an empty text means no arguments. Throws
 * INVALID_PARAMETERS.
 */
export function parseArguments(text: string, tool: string): unknown {
  if (text.trim() === '') return {};
  const excess = textExcess(Buffer.from(text));
  if (excess !== undefined) throw wrong(tool, excess);
  try {
    return readJson(text);
  } catch (error) {
    throw wrong(tool, `they are no JSON: ${excerpt(messageOf(error))}`);
  }
}

function wrong(tool: string, problem: string): ToolkitError {
  return new ToolkitError(
    'INVALID_PARAMETERS',
    `The arguments of "${excerpt(tool, 100)}" cannot be read: ${problem}. Call it again with one JSON object.`,
    { tool },
  );
}
