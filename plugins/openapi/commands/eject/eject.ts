import { lstat, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type CommandInvocation, createLogger, didYouMean, excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { openapiPlugin, standardPreset } from '../../../shared/configuration/option-edit.ts';
import { writeOption } from '../../../shared/configuration/write-option.ts';
import { toolPathsIn } from '../../../shared/definition-files/definition-folders.ts';
import { projectFolder } from '../../../shared/project/project-folder.ts';
import { displayPath } from '../../../shared/terminal/display-path.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { acceptedSource } from '../../accepted/accepted-source.ts';
import { accountTokenOf } from '../../account-token.ts';
import type { GeneratedSource, GeneratedTool } from '../../generate/generated.ts';
import { keyOfOperation } from '../../generate/operation-key.ts';
import { loadSource } from '../../load-source.ts';
import type { DocumentSource } from '../../options.ts';
import { configuredSource } from '../configured-sources.ts';
import { withoutSources } from '../without-sources.ts';
import { type EjectedFile, ejectedFiles } from './ejected-files.ts';

/** Writes the tool of one operation as a definition of the operator, and leaves the operation out of the source. */
export async function eject(invocation: CommandInvocation): Promise<void> {
  const {
    arguments: [source = '', wanted = ''],
    flags,
    configFile,
    write,
  } = invocation;
  const given = flags as { name?: string; into?: string };
  const folder = projectFolder(configFile);
  const configured = await configuredSource(invocation, source);
  const { texts, entry } = await acceptedSource(source, configured, folder);
  const names = new Map([...(entry?.operations ?? [])].map(([key, { tool }]) => [key, tool]));
  const accountToken = await configuredAccountToken(invocation, configured);
  const { generated } = await loadSource({
    ...{ ...texts, name: source, source: configured, names },
    ...(accountToken === undefined ? {} : { accountToken }),
  });
  const tool = findTool(generated, wanted, source);
  const name = given.name ?? `my_${String(tool.definition['name'])}`;
  refuseName(name, source);
  const tools = await toolFolder(invocation, folder, given.into);
  const files = ejectedFiles(tool, generated, source, name, tools.folder);
  const written = await writeNew(files);
  const option = await writeOption(configFile, folder, {
    plugin: openapiPlugin,
    path: ['sources', source, 'exclude'],
    value: excluding(configured, tool),
  });
  const shown = (file: string): string => terminalText(displayPath(file, process.cwd()));
  const paste = (title: string, lines: readonly string[] | undefined): void =>
    write(
      lines === undefined
        ? `${title}\n`
        : `\n${title}. Its form was not changed: write\n${lines.map((line) => `  ${terminalText(line)}\n`).join('')}`,
    );
  write(`Written:\n${written.map(({ file, what }) => `  ${shown(file)}  ${what}\n`).join('')}`);
  paste(`${shown(option.file)} leaves ${terminalText(keyOfOperation(tool.operation))} out of "${source}"`, option.lines);
  if (!tools.isListed) {
    const value = [...tools.toolPaths, `./${path.relative(folder, tools.folder).split(path.sep).join('/')}`];
    const listed = await writeOption(option.file, folder, { plugin: standardPreset, path: ['toolPaths'], value });
    paste(`${shown(listed.file)} lists the folder ${shown(tools.folder)}`, listed.lines);
  }
  write(`\nNext:\n  toolkit validate ${shown(tools.folder)}\n  toolkit run ${name} --help\n`);
}

/** Returns the name of the token of the source's account; undefined for a source without one. */
async function configuredAccountToken({ createKernel }: CommandInvocation, { account }: DocumentSource): Promise<string | undefined> {
  if (account === undefined) return undefined;
  const kernel = await createKernel();
  try {
    return accountTokenOf(kernel.registry.provider(account));
  } finally {
    await kernel.close();
  }
}

function findTool({ tools }: GeneratedSource, wanted: string, source: string): GeneratedTool {
  const isWanted = ({ definition, operation }: GeneratedTool): boolean =>
    [definition['name'], operation.operationId, keyOfOperation(operation)].includes(wanted) ||
    keyOfOperation(operation).toLowerCase() === wanted.toLowerCase();
  const found = tools.filter(isWanted);
  const [tool] = found;
  if (tool !== undefined && found.length === 1) return tool;
  const names = tools.map(({ definition }) => String(definition['name']));
  const problem = found.length > 1 ? 'names several operations' : `is no operation of "${source}"`;
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `"${excerpt(wanted, 100)}" ${problem}: expected the name of a tool, an operationId, or a method and path such as "get /files/{file_id}".${didYouMean(wanted, names)}`,
  );
}

function refuseName(name: string, source: string): void {
  const prefix = `${source.replaceAll('-', '_')}_`;
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) || name.length > 64)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `"${excerpt(name, 100)}" is no name of a tool: expected snake_case of at most 64 characters. Choose one with --name.`,
    );
  if (name.startsWith(prefix))
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `Only the source "${source}" may have names that begin with ${prefix}. Choose another one with --name, such as my_${name}.`,
    );
}

/** Returns the selection of operations to leave out, with this one. */
function excluding({ exclude = {} }: DocumentSource, { operation }: GeneratedTool): NonNullable<DocumentSource['exclude']> {
  return { ...exclude, operations: [...(exclude.operations ?? []), operation.operationId ?? keyOfOperation(operation)] };
}

interface ToolFolder {
  readonly folder: string;
  /** Folders of tools as the configuration names them. */
  readonly toolPaths: readonly string[];
  /** True when the configuration finds tools in `folder`. */
  readonly isListed: boolean;
}

async function toolFolder({ createKernel }: CommandInvocation, folder: string, into: string | undefined): Promise<ToolFolder> {
  const kernel = await createKernel({}, (options) => ({
    ...options,
    logger: createLogger({ level: 'silent' }),
    plugins: withoutSources(options.plugins),
  }));
  await kernel.close();
  const toolPaths = toolPathsIn(kernel);
  const listed = toolPaths.map((toolPath) => path.resolve(folder, toolPath));
  const chosen = into === undefined ? (listed[0] ?? path.join(folder, 'tools')) : path.resolve(into);
  return { folder: chosen, toolPaths, isListed: listed.some((one) => chosen === one || chosen.startsWith(one + path.sep)) };
}

/** Writes the files; a provider that is there already stays. Throws EXECUTION_FAILED when the tool is there already. */
async function writeNew(files: readonly EjectedFile[]): Promise<readonly EjectedFile[]> {
  const isThere = async (file: string): Promise<boolean> =>
    lstat(file).then(
      () => true,
      () => false,
    );
  const [tool] = files;
  if (tool !== undefined && (await isThere(tool.file)))
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `Nothing was written: ${tool.file} is there already. Choose another --name, or move it away.`,
    );
  const written: EjectedFile[] = [];
  for (const one of files) {
    if (await isThere(one.file)) continue;
    await mkdir(path.dirname(one.file), { recursive: true });
    await writeFile(one.file, one.text, { flag: 'wx' });
    written.push(one);
  }
  return written;
}
