import { parseOneOf } from '../../../shared/flags/values.ts';
import type { Choice } from '../../../shared/terminal/prompts.ts';

/** Kinds of new tools. The first is the default, because it works everywhere without setup. */
export const toolKinds = [
  { value: 'function-js', label: 'a JavaScript function', hint: 'a file beside the definition' },
  { value: 'function-ts', label: 'a TypeScript function', hint: 'no build needed' },
  { value: 'function-python', label: 'a Python function', hint: 'needs python3' },
  { value: 'http', label: 'a request to a web service', hint: 'method, URL, parameters' },
  { value: 'command', label: 'a program of this machine', hint: 'arguments, no shell' },
] as const satisfies readonly Choice<string>[];

export type ToolKind = (typeof toolKinds)[number]['value'];

/** Parses a kind. Throws INVALID_PARAMETERS for an unknown one. */
export const toolKind: (value: string) => ToolKind = parseOneOf(toolKinds.map(({ value }) => value));
