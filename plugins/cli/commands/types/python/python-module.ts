import { isPlainObject, type JsonSchema, type Tool } from '../../../../../kernel/index.ts';
import { firstSentence } from '../../../../shared/text/first-sentence.ts';
import type { TypesFile } from '../types-file.ts';
import { docstring, type PythonClass, PythonTypes, pascal, pythonString } from './python-type.ts';

/** A module with typed Toolkit and AsyncToolkit classes. At run time they are those of the package. */
export const pythonModule: TypesFile = {
  firstLine: '# Written by "toolkit types --python" from the definitions of tools. Do not edit: write it anew.',
  defaultFile: 'toolkit_tools.py',
  textOf(tools) {
    const names = new Set(reserved);
    const typed = [...tools].sort((one, other) => (one.name < other.name ? -1 : 1)).map((tool) => typedTool(tool, names));
    const classes = typed.flatMap((one) => one.classes).flatMap(({ lines }) => ['', '', ...lines]);
    const body = [
      ...classes,
      '',
      '',
      'if TYPE_CHECKING:',
      '',
      '    class _CallOptions(TypedDict, total=False):',
      ...callOptions.map((line) => `        ${line}`),
      '',
      '    class Toolkit(toolkit.Toolkit):',
      ...execute(typed, false),
      '    class AsyncToolkit(toolkit.AsyncToolkit):',
      ...execute(typed, true),
      'else:',
      '    Toolkit = toolkit.Toolkit',
      '    AsyncToolkit = toolkit.AsyncToolkit',
      '',
    ].join('\n');
    const used = (...words: readonly string[]): string => words.filter((word) => new RegExp(`\\b${word}\\b`).test(body)).join(', ');
    return [
      this.firstLine,
      'from __future__ import annotations',
      '',
      `from typing import ${used('TYPE_CHECKING', 'Any', 'Literal', 'TypedDict')}`,
      '',
      'import toolkit',
      '',
      'if TYPE_CHECKING:',
      '    from collections.abc import Callable, Mapping',
      ...(typed.length > 1 ? ['    from typing import overload'] : []),
      '',
      ...(typed.length > 0 ? [`    from typing_extensions import ${used('NotRequired', 'Unpack')}`] : []),
      body,
    ].join('\n');
  },
};

/** The options of `execute`. */
const callOptions = [
  'credentials: Mapping[str, str] | None',
  'caller: str | None',
  'tenant: str | None',
  'timeout: float | None',
  'origin: Literal["host", "model"]',
  'approved: bool | None',
  'approval: str | None',
  'on_progress: Callable[[toolkit.Progress], object] | None',
];

const reserved = ['Any', 'AsyncToolkit', 'Callable', 'Literal', 'Mapping', 'NotRequired', 'Toolkit', 'TypedDict', 'Unpack'];

interface TypedTool {
  readonly tool: Tool;
  readonly classes: readonly PythonClass[];
  readonly parameters: string;
  readonly output: string;
  readonly isOptional: boolean;
}

function typedTool(tool: Tool, names: Set<string>): TypedTool {
  const { name, inputSchema, outputSchema } = tool;
  const own = /^\d/.test(name) ? `Tool${pascal(name)}` : pascal(name);
  const input = new PythonTypes(names, inputSchema, 'input');
  const parameters = input.typeOf(withoutDescription(inputSchema), `${own}Parameters`);
  const output = new PythonTypes(names, outputSchema ?? {}, 'output');
  const result = output.typeOf(outputSchema, `${own}Output`);
  const { required } = inputSchema;
  const isOptional = !Array.isArray(required) || required.length === 0;
  return { tool, classes: [...input.classes, ...output.classes], parameters, output: result, isOptional };
}

function withoutDescription(schema: JsonSchema): JsonSchema {
  return isPlainObject(schema) ? { ...schema, description: undefined } : schema;
}

/**
 * Returns the method `execute` with one signature for each tool. They replace the general signature: next to it, a type checker would accept
 * any name. The comments tell mypy and pyright that this is intended.
 */
function execute(tools: readonly TypedTool[], isAsync: boolean): readonly string[] {
  if (tools.length === 0) return ['        pass', ''];
  const def = `        ${isAsync ? 'async ' : ''}def execute`;
  const forMypy = '  # type: ignore[override]';
  const forPyright = '  # pyright: ignore[reportIncompatibleMethodOverride]';
  const isOne = tools.length === 1;
  const signatures = tools.flatMap(({ tool, parameters, output, isOptional }, index) => [
    ...(isOne ? [] : [`        @overload${index === 0 ? forMypy : ''}`]),
    `${def}(${isOne ? `${forMypy}${forPyright}` : ''}`,
    `            self, name: Literal[${pythonString(tool.name)}], params: ${isOptional ? `${parameters} | None = None` : parameters}, **options: Unpack[_CallOptions]`,
    `        ) -> ${output}:`,
    ...docstring(firstSentence(tool.description), '            '),
    '            ...',
    '',
  ]);
  return isOne
    ? signatures
    : [...signatures, `${def}(self, name: Any, params: Any = None, **options: Any) -> Any:${forPyright}`, '            ...', ''];
}
