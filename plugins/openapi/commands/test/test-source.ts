import {
  apiVersion,
  type CommandInvocation,
  checkValue,
  createLogger,
  definePlugin,
  excerpt,
  type Kernel,
  messageOf,
  type Tool,
  ToolkitError,
} from '../../../../kernel/index.ts';
import { documentsSection } from '../../../shared/lock/documents-section.ts';
import { readSection } from '../../../shared/lock/lock-file.ts';
import { projectFolder } from '../../../shared/project/project-folder.ts';
import { paint } from '../../../shared/terminal/paint.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { acceptedSource } from '../../accepted/accepted-source.ts';
import type { GeneratedTool } from '../../generate/generated.ts';
import { keyOfOperation } from '../../generate/operation-key.ts';
import { loadSource } from '../../load-source.ts';
import type { LoadedSource } from '../../loaded-source.ts';
import { type Mock, startMock } from '../../mock/mock-server.ts';
import { configuredSource } from '../configured-sources.ts';
import { withoutSources } from '../without-sources.ts';
import { exampleArguments } from './example-arguments.ts';

/** The result of one tool. */
interface Tested {
  readonly tool: string;
  readonly operation: string;
  readonly result: 'passed' | 'failed' | 'not tried';
  /** Empty for a tool that passed. */
  readonly reasons: readonly string[];
}

/** Tests the tools of a source and prints the results. Throws EXECUTION_FAILED when one fails. */
export async function testSource(invocation: CommandInvocation): Promise<void> {
  const {
    arguments: [name = '', ...wanted],
    flags,
    terminal,
    write,
  } = invocation;
  const folder = projectFolder(invocation.configFile);
  const source = await configuredSource(invocation, name);
  const entry = (await readSection(folder, documentsSection)).get(name);
  const names = new Map([...(entry?.operations ?? [])].map(([key, { tool }]) => [key, tool]));
  const { texts } = await acceptedSource(name, source, folder);
  const { document, schemas } = await loadSource({ ...texts, name, source, names });
  const mock = await startMock(document, schemas);
  try {
    const loaded = await loadSource({ ...texts, name, source: { ...source, server: mock.url }, names });
    const kernel = await kernelOf(invocation, name, loaded, mock);
    try {
      const chosen = loaded.generated.tools.filter(({ definition }) => isWanted(String(definition['name']), wanted));
      if (chosen.length === 0 && wanted.length > 0)
        throw new ToolkitError(
          'INVALID_PARAMETERS',
          `No tool of "${name}" is named ${wanted.map((one) => `"${excerpt(one, 60)}"`).join(', ')}.`,
        );
      const results: Tested[] = [];
      for (const tool of chosen) results.push(await testTool(kernel, tool, loaded, mock));
      write(flags['json'] === true ? jsonText(results) : results.map((one) => lineOf(one, terminal)).join(''));
      const count = (result: Tested['result']): number => results.filter((one) => one.result === result).length;
      const summary = `${count('passed')} passed, ${count('failed')} failed, ${count('not tried')} not tried`;
      if (count('failed') > 0)
        throw new ToolkitError('EXECUTION_FAILED', `${summary}. A fault of the document is mended in it, or in its overlay.`);
      invocation.note(`${summary}\n`);
    } finally {
      await kernel.close();
    }
  } finally {
    await mock.close();
  }
}

/** Creates the kernel of the configuration, in which this source sends to the mock, and which has no other source of documents. */
function kernelOf({ createKernel }: CommandInvocation, name: string, { generated }: LoadedSource, mock: Mock): Promise<Kernel> {
  const source = definePlugin({
    name: 'openapi',
    apiVersion,
    apply({ extend }) {
      extend.source(name, {
        trust: 'all',
        executionTypes: ['http'],
        urls: [mock.url],
        list({ sink }) {
          sink.addProvider(generated.provider);
          for (const { definition } of generated.tools) sink.addTool(definition);
        },
      });
    },
  });
  return createKernel({}, (options) => ({
    ...options,
    logger: createLogger({ level: 'silent' }),
    plugins: [...withoutSources(options.plugins), source()],
  }));
}

async function testTool(kernel: Kernel, generated: GeneratedTool, { schemas }: LoadedSource, mock: Mock): Promise<Tested> {
  const name = String(generated.definition['name']);
  const operation = keyOfOperation(generated.operation);
  const end = (result: Tested['result'], ...reasons: readonly string[]): Tested => ({ tool: name, operation, result, reasons });
  const tool = kernel.registry.tools.get(name);
  if (tool === undefined) return end('failed', ...problemsOf(kernel, name));
  const example = exampleArguments(generated, schemas.definitions);
  if (example === 'needs a file') return end('not tried', 'it sends a file');
  mock.take();
  try {
    const { output } = await kernel.call({ tool: name, parameters: example.values, approved: true, credentials: madeUp });
    const [request, ...others] = mock.take();
    const reached = request?.operation;
    if (request === undefined) return end('failed', 'no request was sent');
    if (reached === undefined || keyOfOperation(reached) !== operation)
      return end('failed', `${request.method} ${request.path} was sent, which is another operation`);
    if (others.length > 0) return end('failed', `${others.length + 1} requests were sent`);
    const issues = tool.outputSchema === undefined ? [] : checkValue(tool.outputSchema, output);
    if (issues.length === 0) return end('passed');
    return end(
      'failed',
      ...issues.slice(0, 3).map(({ path, message }) => `the example of the answer: ${path === '' ? '' : `${path} `}${message}`),
    );
  } catch (error) {
    const faults = mock.take().flatMap((request) => request.faults);
    if (faults.length === 0 && refusesOnly(error, example.madeUp))
      return end('not tried', `the document has no example of ${example.madeUp.join(', ')}, and none could be made up`);
    return end('failed', ...(faults.length > 0 ? faults : [messageOf(error)]));
  }
}

/** True for a refusal of these parameters alone. */
function refusesOnly(error: unknown, parameters: readonly string[]): boolean {
  if (!ToolkitError.is(error) || error.code !== 'INVALID_PARAMETERS') return false;
  const { issues = [] } = error.details;
  return issues.length > 0 && issues.every(({ path }) => parameters.includes(path.split('.')[0] ?? ''));
}

function problemsOf({ registry }: Kernel, name: string): readonly string[] {
  const own = registry.problems.filter(({ tool, severity }) => tool === name && severity === 'error').map(({ message }) => message);
  return own.length > 0 ? own : ['it is not among the tools of this configuration'];
}

function madeUp({ credentials }: Tool): Readonly<Record<string, string>> {
  return Object.fromEntries(
    credentials.filter((need) => need.default === undefined).map(({ name }) => [name, `made-up-${name.toLowerCase()}`]),
  );
}

function isWanted(name: string, wanted: readonly string[]): boolean {
  return wanted.length === 0 || wanted.some((pattern) => new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`).test(name));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function lineOf({ tool, operation, result, reasons }: Tested, terminal: CommandInvocation['terminal']): string {
  const style = result === 'passed' ? 'good' : result === 'failed' ? 'bad' : 'quiet';
  const line = `${paint(terminal, style, result.padEnd(9))}  ${terminalText(`${tool}  ${operation}`)}\n`;
  return line + reasons.map((reason) => `             ${terminalText(excerpt(reason, 300))}\n`).join('');
}
