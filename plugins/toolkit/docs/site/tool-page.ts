import type { Tool } from '../../../../kernel/index.ts';
import { outputFields } from '../../../cli/commands/describe/output-fields.ts';
import { runLine } from '../../../cli/parameters/run-line.ts';
import { shownParameters } from '../../../cli/terminal/parameter-rows.ts';
import { providerOf } from '../../../shared/exposure/provider-of.ts';
import { builtInCommands } from '../../program/built-in-commands.ts';
import { flagNames } from '../../program/flag-names.ts';
import { listedCommands } from '../../program/listed-commands.ts';
import { code, codeBlock, page, prose, table } from '../markdown.ts';
import { approvalWords } from '../tool-facts.ts';

/** Returns the page of one tool, as Markdown. */
export function toolPage(tool: Tool): string {
  const parameters = shownParameters(tool).map(({ name, type, isRequired, text }) => [
    code(name),
    `${type}${isRequired ? ', required' : ''}`,
    prose(text),
  ]);
  return page(
    `# ${code(tool.name)}`,
    prose(tool.description),
    table(['', ''], facts(tool)),
    '## Parameters',
    parameters.length === 0 ? 'It takes none.' : table(['parameter', 'type', 'meaning'], parameters),
    ...secrets(tool),
    '## Output',
    output(tool),
    ...examples(tool),
  );
}

function facts(tool: Tool): readonly (readonly string[])[] {
  const { risk, execution, definition } = tool;
  const limit = execution.timeout_ms;
  return [
    ['provider', prose(providerOf(tool))],
    ['risk', risk],
    ['approval', `${prose(approvalWords(tool))}${definition.requires_approval === undefined ? '' : ', for calls of a model'}`],
    ['runs as', code(execution.type)],
    ...(limit === undefined ? [] : [['time limit', `${limit} ms`]]),
    ...(definition.tags === undefined ? [] : [['tags', prose(definition.tags.join(', '))]]),
  ];
}

function secrets({ credentials, provider }: Tool): readonly string[] {
  if (credentials.length === 0) return [];
  const mapping = provider?.definition.parameter_mapping ?? [];
  const rows = credentials.map(({ name, secret, required }) => {
    const { description = '' } = mapping.find(({ parameter }) => parameter === name) ?? {};
    return [code(secret), required ? 'required' : 'optional', prose(description)];
  });
  return ['## Secrets', 'The service supplies them; a model neither sees nor gives them.', table(['secret', '', 'meaning'], rows)];
}

function output({ outputSchema }: Tool): string {
  if (outputSchema === undefined) return 'Anything: its definition does not say.';
  const rows = outputFields(outputSchema).map(({ path, type, text }) => [path === '' ? '' : code(path), type, prose(text)]);
  return table(['member', 'type', 'meaning'], rows);
}

function examples(tool: Tool): readonly string[] {
  const all = tool.definition.examples ?? [];
  if (all.length === 0) return [];
  const runFlags = flagNames(listedCommands(builtInCommands()), 'run');
  const shown = all.flatMap(({ description = '', parameters }) => [
    prose(description),
    codeBlock('json', JSON.stringify(parameters, null, 2)),
    codeBlock('sh', runLine(tool, parameters, runFlags)),
  ]);
  return ['## Examples', ...shown];
}
