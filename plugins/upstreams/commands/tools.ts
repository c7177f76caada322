import { type CommandInvocation, excerpt } from '../../../kernel/index.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import type { Reveal } from './contact-server.ts';
import { compareServer } from './diff.ts';

/** `toolkit upstream tools`: the tools that a server offers now, as they would be here, with what was changed and what cannot be taken. */
export async function tools(invocation: CommandInvocation, reveal: Reveal): Promise<void> {
  const [name = ''] = invocation.arguments;
  const { kernel, differences } = await compareServer(invocation, name, reveal);
  try {
    const states = new Map(differences.filter(({ kind }) => kind === 'tool').map(({ name: tool, change }) => [tool, change]));
    const rows = [...kernel.registry.tools.values()]
      .filter(({ origin }) => origin.source?.name === name)
      .map(({ name: tool, description, risk, definition, execution }) => ({
        name: tool,
        original: String(execution['tool']),
        state: states.get(String(execution['tool'])) ?? 'accepted',
        risk,
        needsApproval: definition.requires_approval === true,
        description,
      }));
    const problems = kernel.sources.list().flatMap(({ reported }) => reported);
    if (invocation.flags['json'] === true) invocation.write(`${JSON.stringify({ tools: rows, problems }, null, 2)}\n`);
    else {
      for (const { name: tool, state, risk, needsApproval, description } of rows)
        invocation.write(
          `${tool}  ${state}, ${risk}${needsApproval ? ', needs approval' : ''}  ${terminalText(excerpt(description, 80))}\n`,
        );
      for (const problem of problems) invocation.note(`${terminalText(problem)}\n`);
    }
  } finally {
    await kernel.close();
  }
}
