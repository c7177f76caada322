import type { CommandInvocation } from '../../../../../kernel/index.ts';
import { visibleText } from '../../../../shared/text/visible-text.ts';
import type { Prompts } from '../../../terminal/prompts.ts';
import type { Transport } from '../names.ts';
import { missingNames, shellNames, type ToolGroup, type Variable } from '../scan.ts';

interface ValueQuestions {
  readonly groups: readonly ToolGroup[];
  readonly transport: Transport;
  /** Where the values will be written. */
  readonly file: string;
  readonly env: CommandInvocation['env'];
}

/** Names that a question has before it counts them. */
const maxNames = 3;

/** Values for the file of secrets, by name: those that a person types, and those that only this shell has. */
export async function askValues(ask: Prompts, { groups, transport, file, env }: ValueQuestions): Promise<ReadonlyMap<string, string>> {
  const missing = missingNames(groups);
  const ofShell = transport === 'stdio' ? shellNames(groups) : [];
  const place = visibleText(file);
  const values = new Map<string, string>();
  if (missing.length > 0 && (await ask.confirm(`Missing: ${few(missing)}. Type what you have, hidden, for ${place}?`)))
    await askEach(ask, groups, values);
  if (ofShell.length > 0 && (await ask.confirm(`A client may not have ${few(ofShell)} of this shell. Copy it into ${place}?`)))
    for (const name of ofShell) {
      // As the resolver of the environment reads it.
      const value = env[`TOOLKIT_${name}`] || env[name] || '';
      if (value !== '') values.set(name, value);
    }
  return values;
}

/** A question for each value that is still missing after the answers before it. */
async function askEach(ask: Prompts, groups: readonly ToolGroup[], values: Map<string, string>): Promise<void> {
  const missing = new Set(missingNames(groups));
  const variables = groups.flatMap((group) => group.variables).filter(({ source }) => source === undefined);
  const asked = new Set<string>();
  const isOpen = ({ name, insteadOf }: Variable): boolean =>
    missing.has(name) && !asked.has(name) && !insteadOf.some((other) => values.has(other));
  for (let next = variables.find(isOpen); next !== undefined; next = variables.find(isOpen)) {
    const { insteadOf } = next;
    // What takes its place, or holds it, comes first: one answer is then enough.
    const question = variables.find(({ name }) => insteadOf.includes(name) && !asked.has(name)) ?? next;
    asked.add(question.name);
    const text = `${question.name} ${question.description ?? ''} (nothing: leave it out)`.replaceAll(/\s+/g, ' ');
    // Without an answer the library gives undefined.
    const answer: string | undefined = await (question.isSecret ? ask.hidden(text) : ask.text(text));
    if (answer !== undefined && answer.trim() !== '') values.set(question.name, answer.trim());
  }
}

function few(names: readonly string[]): string {
  const rest = names.length - maxNames;
  return rest > 0 ? `${names.slice(0, maxNames).join(', ')} and ${rest} more` : names.join(', ');
}
