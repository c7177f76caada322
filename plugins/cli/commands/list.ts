import { type Command, excerpt, type Terminal, type Tool } from '../../../kernel/index.ts';
import { providerOf } from '../../shared/exposure/provider-of.ts';
import { isChosen } from '../../shared/exposure/tool-choice.ts';
import { availableTools, choiceFlags, toolChoice } from '../../shared/flags/tool-choice.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { textTable } from '../../shared/terminal/table.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { visibleText } from '../../shared/text/visible-text.ts';
import { riskStyles } from '../terminal/risk-styles.ts';

/** Maximum length of a description in characters when the width of the terminal is unknown. */
const maxDescription = 80;

/** `toolkit list`: lists the tools. */
export const listCommand: Command = {
  name: 'list',
  description: 'List the tools that the configuration and auto-discovery give, with risk and description.',
  flags: [...choiceFlags, { flag: '--json', description: 'print JSON' }],
  examples: [
    { line: 'toolkit list --provider core --risk low', does: 'the built-in tools that only read' },
    { line: 'toolkit list --json', does: 'for programs: name, provider, risk, requires_approval, description' },
  ],
  async run({ flags, createKernel, write, note, terminal }) {
    const kernel = await createKernel();
    try {
      const all = [...kernel.registry.tools.values()];
      const choice = toolChoice(flags, all, kernel.sources);
      const tools = (await availableTools(kernel, flags)).filter((tool) => isChosen(tool, choice));
      write(flags['json'] === true ? jsonText(tools.map(toJson)) : await report(tools, terminal));
      if (tools.length === 0) note(emptyMessage(all.length));
    } finally {
      await kernel.close();
    }
  },
};

function toJson(tool: Tool) {
  const { name, description, risk: level, definition, origin } = tool;
  const from = origin.source === undefined ? {} : { source: origin.source.name };
  return { name, provider: providerOf(tool), ...from, risk: level, requires_approval: definition.requires_approval ?? false, description };
}

async function report(tools: readonly Tool[], terminal: Terminal): Promise<string> {
  const rows = tools.map(({ name, risk: level, description }) => [
    paint(terminal, 'name', visibleText(name)),
    paint(terminal, riskStyles[level], level),
    visibleText(terminal.columns === undefined ? excerpt(description, maxDescription) : description.replace(/\s+/g, ' ')),
  ]);
  const table = await textTable(terminal, [{}, {}, { narrow: 'cut' }], rows);
  return `${table}${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}\n`;
}

function emptyMessage(all: number): string {
  return all === 0
    ? 'No tools are loaded. "toolkit new tool" writes one, "toolkit doctor" shows where tools are searched.\n'
    : `None of the ${all} tools is of that kind.\n`;
}
