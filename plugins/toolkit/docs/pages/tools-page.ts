import type { Tool } from '../../../../kernel/index.ts';
import { code, firstSentence, page, prose, table } from '../markdown.ts';
import { approvalWords, groupOf } from '../tool-facts.ts';

/** Returns the page of all tools by group, one line each. `linkTo` returns the link to a tool's own page; none by default. */
export function toolsPage(tools: readonly Tool[], linkTo: (tool: Tool) => string | undefined = () => undefined): string {
  const names = [...new Set(tools.map(groupOf))].toSorted();
  const core = names.filter((name) => name.startsWith('core'));
  const groups = [...core, ...names.filter((name) => !core.includes(name))];
  const section = (group: string): string => {
    const rows = tools.filter((tool) => groupOf(tool) === group).map((tool) => rowOf(tool, linkTo(tool)));
    return page(`## ${group}`, table(['tool', 'risk', 'approval', 'what it does'], rows));
  };
  return page(
    '# Tools',
    `${tools.length} tools: the core tools, group by group, then the packages of providers. \`toolkit describe <tool>\` shows the parameters of one. ` +
      'Approval: when a call of a model needs the approval of a person.',
    ...groups.map(section),
  );
}

function rowOf(tool: Tool, link: string | undefined): readonly string[] {
  const name = code(tool.name);
  const purpose = prose(firstSentence(tool.description));
  return [link === undefined ? name : `[${name}](${link})`, tool.risk, prose(approvalWords(tool)), purpose];
}
