import type { Terminal, Tool } from '../../../../kernel/index.ts';
import { gateCondition } from '../../../shared/approval/gate-condition.ts';
import { paint, type Style } from '../../../shared/terminal/paint.ts';
import { textTable } from '../../../shared/terminal/table.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { runLine } from '../../parameters/run-line.ts';
import { describedList } from '../../terminal/described-list.ts';
import { requiredCell, shownParameters } from '../../terminal/parameter-rows.ts';
import { riskStyles } from '../../terminal/risk-styles.ts';
import type { CredentialDescription, ToolDescription } from './describe-tool.ts';
import { outputFields } from './output-fields.ts';

/** Maximum number of output fields on a page; the rest is counted. */
const maxFields = 40;

const stateStyles: Readonly<Record<CredentialDescription['state'], Style>> = {
  set: 'good',
  connected: 'good',
  missing: 'bad',
  optional: 'quiet',
  replaced: 'quiet',
  unknown: 'warning',
};

/** Formats a tool for the terminal. `runFlags`: names of the flags of `toolkit run`. */
export async function toolPage(tool: Tool, described: ToolDescription, terminal: Terminal, runFlags: ReadonlySet<string>): Promise<string> {
  const description = await textTable(terminal, [{ narrow: 'wrap' }], [[oneLine(tool.description)]]);
  const sections = [
    await section(terminal, 'Parameters', await parameters(tool, terminal), 'It takes none.'),
    await section(terminal, 'Needs', await credentials(described, terminal), ''),
    await section(terminal, 'Gives back', await output(tool, terminal), 'Anything: its definition does not say.'),
    await section(terminal, 'Examples', examples(tool, runFlags), ''),
  ];
  return [
    `${paint(terminal, 'name', tool.name)}\n${description}`,
    await facts(described, terminal),
    ...sections.filter((text) => text !== ''),
  ].join('\n');
}

function rightsWords({ network, writes }: NonNullable<ToolDescription['program_rights']>): string {
  const words = [...(network ? ['reaches the network'] : []), ...(writes.length === 0 ? [] : [`writes ${writes.join(', ')}`])];
  return words.length === 0 ? 'no rights beyond the roots' : words.join('; ');
}

async function section(terminal: Terminal, heading: string, text: string, otherwise: string): Promise<string> {
  if (text === '' && otherwise === '') return '';
  return `${paint(terminal, 'heading', heading)}\n${text === '' ? `  ${otherwise}\n` : text}`;
}

async function facts(described: ToolDescription, terminal: Terminal): Promise<string> {
  const {
    provider,
    documentation_url: url,
    risk,
    version,
    authentication,
    limits,
    tags,
    file,
    plugin,
    source,
    execution_type: type,
    program_rights: rights,
  } = described;
  const { rate_limit: rate, provider_rate_limit: providerRate, cache, retry, timeout_ms: timeoutMs } = limits;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Provider', `${provider}${url === null ? '' : ` (${oneLine(url)})`}`],
    ['Version', version === null ? undefined : oneLine(version)],
    ['Risk', paint(terminal, riskStyles[risk], risk)],
    ['Approval', approval(described.requires_approval)],
    ['Effects', effects(described.annotations)],
    ['Authentication', authentication === null ? undefined : oneLine(authenticationWords(authentication))],
    ['Time limit', timeoutMs === null ? undefined : seconds(timeoutMs)],
    ['Rate limit', rate === null ? undefined : rateWords(rate)],
    ['of provider', providerRate === null ? undefined : rateWords(providerRate)],
    ['Retries', retry === null ? undefined : `up to ${retry.attempts} attempts after some failures`],
    ['Cached', cache === null ? undefined : `a result may be reused for ${seconds(cache.ttl_ms)}`],
    ['Answer', described.answer === undefined ? undefined : oneLine(formatOutputSteps(described.answer))],
    ['Tags', tags.length === 0 ? undefined : oneLine(tags.join(', '))],
    ['Defined in', file === null ? `${source === undefined ? '' : `source ${source}, `}plugin ${plugin}` : oneLine(file)],
    ['Executed as', type],
    ['In a sandbox', rights === null ? undefined : rightsWords(rights)],
  ];
  const shown = rows.flatMap(([word, text]) => (text === undefined ? [] : [[paint(terminal, 'quiet', word), text]]));
  return textTable(terminal, [{}, { narrow: 'wrap' }], shown);
}

function formatOutputSteps(answer: NonNullable<ToolDescription['answer']>): string {
  const { poll, select, save_to: saveTo, output_headers: headers, output_check: check } = answer;
  return [
    ...(poll === undefined ? [] : ['asked for until the service has it']),
    ...(select === undefined ? [] : [`shaped by ${select}`]),
    ...(saveTo === undefined ? [] : [`saved as a file where "${saveTo.parameter}" is given`]),
    ...(headers === undefined ? [] : [`shown with the headers ${headers.join(', ')}`]),
    ...(check === 'warn' ? ['returned even if it does not fit its schema'] : []),
    ...(check === 'off' ? ['not compared with its schema'] : []),
  ].join('; ');
}

function approval(gate: ToolDescription['requires_approval']): string {
  if (gate === false) return 'not needed';
  const condition = gateCondition(gate);
  return `needed for calls of a model${condition === undefined ? '' : `, when ${oneLine(condition)}`}`;
}

function effects({ readOnlyHint, destructiveHint }: ToolDescription['annotations'] = {}): string | undefined {
  if (readOnlyHint === true) return 'only reads';
  return destructiveHint === true ? 'may change or delete what is there' : 'changes things';
}

function authenticationWords({ type, provider, required_scopes: scopes = [] }: NonNullable<ToolDescription['authentication']>): string {
  const parts = [...(type === undefined ? [] : [type]), ...(provider === undefined ? [] : [`with ${provider}`])];
  return [parts.join(' '), ...(scopes.length === 0 ? [] : [`scopes ${scopes.join(', ')}`])].filter((part) => part !== '').join('; ');
}

function rateWords({ requests, per_ms: perMs, concurrency }: NonNullable<ToolDescription['limits']['rate_limit']>): string {
  const parts = [
    ...(requests === undefined || perMs === undefined ? [] : [`${requests} calls in ${seconds(perMs)}`]),
    ...(concurrency === undefined ? [] : [`${concurrency} at the same time`]),
  ];
  return parts.join(', ');
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}

async function parameters(tool: Tool, terminal: Terminal): Promise<string> {
  const rows = shownParameters(tool).map((parameter) => ({
    words: [paint(terminal, 'name', parameter.name), parameter.type, requiredCell(parameter, terminal)],
    text: parameter.text,
  }));
  return describedList(terminal, rows);
}

async function credentials(
  { credentials: all, credentials_problem: problem, credentials_login: login }: ToolDescription,
  terminal: Terminal,
): Promise<string> {
  const rows = all.map(({ secret, state, resolver, description = '' }) => ({
    words: [paint(terminal, 'name', oneLine(secret)), paint(terminal, stateStyles[state], state === 'set' ? `set (${resolver})` : state)],
    text: oneLine(description),
  }));
  const notes = [
    ...(problem === undefined ? [] : [`The secret stores could not be asked: ${oneLine(problem)}`]),
    ...(all.some(({ state }) => state === 'missing')
      ? [
          `Set an environment variable of that name, or add it to a configured secret store${login === undefined ? '' : `, or log in: ${login}`}.`,
        ]
      : []),
  ];
  const below = await Promise.all(notes.map((note) => describedList(terminal, [{ words: [], text: note }])));
  return `${await describedList(terminal, rows)}${below.join('')}`;
}

async function output({ outputSchema }: Tool, terminal: Terminal): Promise<string> {
  if (outputSchema === undefined) return '';
  const fields = outputFields(outputSchema);
  const rows = fields.slice(0, maxFields).map(({ path, type, text }) => ({ words: [paint(terminal, 'name', path), type], text }));
  const more = fields.length - rows.length;
  return `${await describedList(terminal, rows)}${more > 0 ? `  and ${more} more; --json shows them all\n` : ''}`;
}

function examples(tool: Tool, runFlags: ReadonlySet<string>): string {
  return (tool.definition.examples ?? [])
    .map(({ description, parameters: given }) => {
      const line = runLine(tool, given, runFlags);
      return `  ${line}\n${description === undefined ? '' : `      ${oneLine(description)}\n`}`;
    })
    .join('');
}

function oneLine(text: string): string {
  return terminalText(text.replace(/\s+/g, ' ').trim());
}
