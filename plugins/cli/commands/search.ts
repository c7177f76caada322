import { type Command, didYouMean, excerpt, type Terminal } from '../../../kernel/index.ts';
import { providerOf } from '../../shared/exposure/provider-of.ts';
import { availableTools, choiceFlags, toolChoice } from '../../shared/flags/tool-choice.ts';
import { parseWhole } from '../../shared/flags/values.ts';
import type { RankedTool } from '../../shared/search/ranked-tools.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { textTable } from '../../shared/terminal/table.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { riskStyles } from '../terminal/risk-styles.ts';

const maxResults = 1000;

/** Maximum length of a description in characters when the width of the terminal is unknown. */
const maxDescription = 80;

/** `toolkit search`: finds tools, the best match first. */
export const searchCommand: Command = {
  name: 'search',
  description: 'Find tools by words in their names, tags, descriptions and parameters, the best first.',
  arguments: [{ name: '<words...>', description: 'what the tool should do; parts of words and small typing mistakes match as well' }],
  flags: [
    { flag: '--limit <number>', description: `results at most, from 1 to ${maxResults}`, default: '10', parse: parseWhole(1, maxResults) },
    ...choiceFlags,
    { flag: '--json', description: 'print JSON' },
  ],
  examples: [{ line: 'toolkit search convert csv', does: 'tools that convert CSV' }],
  async run({ arguments: words, flags, createKernel, write, note, terminal }) {
    const kernel = await createKernel();
    try {
      const { foundTools } = await import('../../shared/search/ranked-tools.ts');
      const tools = [...kernel.registry.tools.values()];
      const choice = toolChoice(flags, tools, kernel.sources);
      const { tools: found, fitsWell } = await foundTools(await availableTools(kernel, flags), {
        query: words.join(' '),
        limit: Number(flags['limit']),
        ...choice,
      });
      if (flags['json'] === true) write(jsonText(found.map(toJson)));
      else if (found.length > 0) write(await report(found, terminal));
      if (found.length > 0 && !fitsWell) note('Nothing fits well; these are the nearest.\n');
      if (found.length === 0)
        note(
          emptyMessage(
            words,
            [...Object.keys(choice), ...(flags['available'] === true ? ['available'] : [])],
            tools.map(({ name }) => name),
          ),
        );
    } finally {
      await kernel.close();
    }
  },
};

function toJson({ tool, score }: RankedTool) {
  return { name: tool.name, provider: providerOf(tool), risk: tool.risk, description: tool.description, score };
}

async function report(found: readonly RankedTool[], terminal: Terminal): Promise<string> {
  const rows = found.map(({ tool: { name, risk: level, description } }) => [
    paint(terminal, 'name', terminalText(name)),
    paint(terminal, riskStyles[level], level),
    terminalText(terminal.columns === undefined ? excerpt(description, maxDescription) : description.replace(/\s+/g, ' ')),
  ]);
  return textTable(terminal, [{}, {}, { narrow: 'cut' }], rows);
}

/** Returns the message for no match, with similar names. `narrowing`: the flags that leave tools out. */
function emptyMessage(words: readonly string[], narrowing: readonly string[], names: readonly string[]): string {
  const query = terminalText(excerpt(words.join(' '), 100));
  const hint = didYouMean(words.join('_'), names);
  const advice = narrowing.length === 0 ? 'Try' : `Leave ${narrowing.map((flag) => `--${flag}`).join(' and ')} out, or try`;
  return `No tool fits "${query}".${hint} ${advice} fewer or other words; "toolkit list" shows all ${names.length} tools.\n`;
}
