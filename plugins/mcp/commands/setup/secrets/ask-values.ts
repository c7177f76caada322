import type { CommandInvocation } from '../../../../../kernel/index.ts';
import type { Prompts } from '../../../../shared/terminal/prompts.ts';
import { visibleText } from '../../../../shared/text/visible-text.ts';
import type { Transport } from '../names.ts';
import { environmentNames, loginCommands, missingNames, type ToolGroup, type Variable } from '../scan.ts';

interface ValueQuestions {
  readonly groups: readonly ToolGroup[];
  readonly transport: Transport;
  /** File to which the values will be written. */
  readonly file: string;
  readonly env: CommandInvocation['env'];
}

/** Maximum number of names in a question; more are counted. */
const maxNames = 3;

/** Asks for values for the file of secrets, and offers to copy those that only this shell has. Returns them by name. */
export async function askValues(ask: Prompts, { groups, transport, file, env }: ValueQuestions): Promise<ReadonlyMap<string, string>> {
  const missing = missingNames(groups);
  const shellVariables = transport === 'stdio' ? environmentNames(groups) : [];
  const shownFile = visibleText(file);
  const values = new Map<string, string>();
  const logins = loginCommands(groups);
  const orLogin = logins.length === 0 ? '' : ` "${few(logins)}" supplies them too, and keeps them fresh.`;
  if (missing.length > 0 && (await ask.confirm(`Missing: ${few(missing)}.${orLogin} Enter values (hidden) to store in ${shownFile}?`)))
    await askEach(ask, groups, values);
  if (
    shellVariables.length > 0 &&
    (await ask.confirm(`A client may start the server without ${few(shellVariables)} of this shell. Copy to ${shownFile}?`))
  )
    for (const name of shellVariables) {
      // Reads the variable as the resolver of the environment does.
      const value = env[`TOOLKIT_${name}`] || env[name] || '';
      if (value !== '') values.set(name, value);
    }
  return values;
}

/** Asks for each value that the earlier answers leave missing. */
async function askEach(ask: Prompts, groups: readonly ToolGroup[], values: Map<string, string>): Promise<void> {
  const missing = new Set(missingNames(groups));
  const variables = groups.flatMap((group) => group.variables).filter(({ source }) => source === undefined);
  const asked = new Set<string>();
  const isOpen = ({ name, alternatives }: Variable): boolean =>
    missing.has(name) && !asked.has(name) && !alternatives.some((other) => values.has(other));
  for (let next = variables.find(isOpen); next !== undefined; next = variables.find(isOpen)) {
    const { alternatives } = next;
    // Asks first for a variable that makes this one unnecessary: one answer is then enough.
    const question = variables.find(({ name }) => alternatives.includes(name) && !asked.has(name)) ?? next;
    asked.add(question.name);
    const text = `${question.name} ${question.description ?? ''} (leave empty to skip)`.replaceAll(/\s+/g, ' ');
    // The library returns undefined for an empty answer.
    const answer: string | undefined = await (question.isSecret ? ask.hidden(text) : ask.text(text));
    if (answer !== undefined && answer.trim() !== '') values.set(question.name, answer.trim());
  }
}

function few(names: readonly string[]): string {
  const rest = names.length - maxNames;
  return rest > 0 ? `${names.slice(0, maxNames).join(', ')} and ${rest} more` : names.join(', ');
}
