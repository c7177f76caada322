import path from 'node:path';
import type { Terminal } from '../../../../../kernel/index.ts';
import { paint } from '../../../../shared/terminal/paint.ts';
import { textTable } from '../../../../shared/terminal/table.ts';
import { visibleText } from '../../../../shared/text/visible-text.ts';
import type { Plan } from '../plan.ts';
import type { Project } from '../project.ts';
import { environmentNames, loginCommands, missingNames, missingVariables, type ToolGroup, type Variable } from '../scan.ts';

/** Number of tool names that are shown as examples. */
const exampleCount = 3;

/** Maximum number of missing names that are listed; more are counted. */
const maxNames = 1;

export function projectLine({ folder, configFile }: Project): string {
  const file = configFile === undefined ? 'no configuration file: the defaults' : path.basename(configFile);
  return `${visibleText(folder)} (${visibleText(file)})\n`;
}

/** Lists a few tool names, with `…` when there are more. */
function examplesOf({ tools }: ToolGroup): string {
  return `${tools.slice(0, exampleCount).join(', ')}${tools.length > exampleCount ? ', …' : ''}`;
}

/** Returns the state of a provider in a few words, such as `2 variables missing`. */
export function stateOf(group: ToolGroup): string {
  const missing = missingVariables(group).map(({ name }) => name);
  if (missing.length > maxNames) return `${missing.length} variables missing`;
  if (missing.length > 0) return `${missing.join(', ')} missing`;
  return group.variables.some(({ source }) => source !== undefined) ? 'ready' : 'needs nothing';
}

/** Formats one line for each provider. */
export function providerTable(terminal: Terminal, groups: readonly ToolGroup[]): Promise<string> {
  const columns = [
    { heading: 'Provider' },
    { heading: 'Tools', align: 'right' as const },
    { heading: 'Such as', narrow: 'cut' as const },
    { heading: 'Variables' },
  ];
  const rows = groups.map((group) => [
    paint(terminal, 'name', visibleText(group.name)),
    String(group.tools.length),
    examplesOf(group),
    paint(terminal, missingVariables(group).length > 0 ? 'bad' : 'good', stateOf(group)),
  ]);
  return textTable(terminal, columns, rows);
}

/** Lists the variables that the chosen tools need: set or missing, and where to get them. Never prints a value. */
export async function variableReport(terminal: Terminal, groups: readonly ToolGroup[]): Promise<string> {
  const parts: string[] = [];
  for (const { name, variables, documentationUrl, scopes } of groups.filter((group) => group.variables.length > 0)) {
    const shown = variables.filter(({ isRequired, source }) => isRequired || source !== undefined);
    const optional = variables.filter((variable) => !shown.includes(variable)).map((variable) => variable.name);
    const rows = [
      ...shown.map((variable) => row(terminal, variable)),
      ...(optional.length === 0 ? [] : [['  optional', 'not set', optional.join(', ')]]),
      ...(scopes.length === 0 ? [] : [['  scopes', '', visibleText(scopes.join(' '))]]),
    ];
    const where = documentationUrl === undefined ? '' : `  ${paint(terminal, 'quiet', visibleText(documentationUrl))}`;
    parts.push(
      `${paint(terminal, 'heading', visibleText(name))}${where}\n${await textTable(terminal, [{}, {}, { narrow: 'wrap' }], rows)}`,
    );
  }
  return parts.length === 0 ? 'These tools need no variables.\n' : parts.join('');
}

function row(terminal: Terminal, { name, source, login, description = '' }: Variable): string[] {
  const how = login === undefined ? '' : `log in: ${login}. `;
  const state = source === undefined ? paint(terminal, 'bad', 'missing') : paint(terminal, 'good', `set (${visibleText(source)})`);
  return [`  ${name}`, state, source === undefined ? how + visibleText(description.replace(/\s+/g, ' ')) : ''];
}

/** Explains how to supply missing secrets to a server that a client starts; empty when none is missing. */
export function secretAdvice({ project, groups, usesDotenv, transports }: Plan): string {
  const shellVariables = transports.includes('stdio') ? environmentNames(groups) : [];
  const names = [...new Set([...missingNames(groups), ...shellVariables])];
  if (names.length === 0) return '';
  const { envFile, resolvers } = project;
  const instruction =
    envFile === undefined
      ? `Put them where the server looks (${visibleText(resolvers.join(', '))}).`
      : usesDotenv || envFile.isConfigured
        ? `Write them into ${visibleText(envFile.file)}, each as NAME=value.`
        : `Write them into ${visibleText(envFile.file)}, each as NAME=value, and run this again: the server then reads that file.`;
  const logins = loginCommands(groups);
  const login = logins.length === 0 ? '' : ` Or log in, once for all clients: ${logins.join(', ')}.`;
  const shell =
    shellVariables.length > 0 ? `A client may start the server without the variables of this shell (${shellVariables.join(', ')}). ` : '';
  return `${shell}Still missing: ${names.join(', ')}. ${instruction} Or put them into the "env" of the server in the client's file.${login} Tools with missing variables are listed all the same; a call of one says what is missing.\n`;
}
