import type { Terminal, Tool } from '../../../../kernel/index.ts';
import { paint } from '../../../shared/terminal/paint.ts';
import { textTable } from '../../../shared/terminal/table.ts';
import { posixWord } from '../../../shared/text/shell-word.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { runLine } from '../../parameters/run-line.ts';
import { describedList } from '../../terminal/described-list.ts';
import { requiredCell, shownParameters } from '../../terminal/parameter-rows.ts';

/** Width without a terminal: that of the other help texts. */
const defaultWidth = 100;

/** Formats the text of `toolkit run <tool> --help`. A parameter with a reserved name is passed as `--param name=value`. */
export async function toolHelp(tool: Tool, { columns = defaultWidth, ...rest }: Terminal, reserved: ReadonlySet<string>): Promise<string> {
  const terminal = { ...rest, columns };
  const heading = (text: string): string => paint(terminal, 'heading', text);
  const rows = shownParameters(tool).map((parameter) => ({
    words: [
      paint(terminal, 'name', flagOf(parameter.name, parameter.type, reserved.has(parameter.name))),
      requiredCell(parameter, terminal),
    ],
    text: parameter.text,
  }));
  const description = await textTable(terminal, [{ narrow: 'wrap' }], [[terminalText(tool.description.replace(/\s+/g, ' ').trim())]]);
  const [example] = tool.definition.examples ?? [];
  return [
    `${heading('Usage:')} toolkit run ${tool.name}${rows.length === 0 ? '' : ' [parameters]'}\n`,
    description,
    rows.length === 0 ? 'It takes no parameters.\n' : `${heading('Parameters:')}\n${await describedList(terminal, rows)}`,
    ...(example === undefined ? [] : [`${heading('Example:')}\n${exampleText(tool, example, reserved)}`]),
    `${heading('More:')}\n${await describedList(terminal, [
      { words: [`toolkit describe ${tool.name}`], text: 'what it gives back and needs' },
      { words: ['toolkit run --help'], text: '--params, --output and what every command has' },
    ])}`,
  ].join('\n');
}

function flagOf(name: string, type: string, isReserved: boolean): string {
  const flag = posixWord(`--${name}`);
  if (type === 'boolean' && !isReserved) return flag;
  const item = /^array of (\w+)$/.exec(type)?.[1];
  const value = item === undefined ? `<${type}>` : `<${item}>...`;
  return isReserved ? `--param ${name}=${value}` : `${flag} ${value}`;
}

function exampleText(
  tool: Tool,
  { description, parameters }: { description?: string; parameters: Record<string, unknown> },
  reserved: ReadonlySet<string>,
): string {
  const does = description === undefined ? '' : `      ${terminalText(description)}\n`;
  return `  ${runLine(tool, parameters, reserved)}\n${does}`;
}
