import type { Tool } from '../../../../kernel/index.ts';
import { firstSentence } from '../../../shared/text/first-sentence.ts';
import { commentOf, keyOf, schemaType } from './schema-type.ts';
import type { TypesFile } from './types-file.ts';

const firstLine = '// Written by "toolkit types" from the definitions of tools. Do not edit: write it anew.';

/** Declarations with which `execute`, `@tool` and the like are typed for these tools. */
export const declarations: TypesFile = { firstLine, defaultFile: 'toolkit-tools.d.ts', textOf: declarationsOf };

function declarationsOf(tools: readonly Tool[]): string {
  const indent = '    ';
  const inner = `${indent}  `;
  const entries = [...tools]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name, description, inputSchema, outputSchema }) => [
      ...commentOf(firstSentence(description), indent),
      `${indent}${keyOf(name)}: {`,
      `${inner}parameters: ${parametersType(schemaType(inputSchema, inputSchema, inner))};`,
      ...(outputSchema === undefined ? [] : [`${inner}output: ${schemaType(outputSchema, outputSchema, inner)};`]),
      `${indent}};`,
    ]);
  return [
    firstLine,
    "import '@toolkit/core';",
    '',
    "declare module '@toolkit/core' {",
    '  interface ToolTypes {',
    ...entries,
    '  }',
    '}',
    '',
  ].join('\n');
}

/** Makes the parameters optional for a tool without any. */
function parametersType(type: string): string {
  return type === 'unknown' ? 'Readonly<Record<string, unknown>>' : type;
}
