import path from 'node:path';
import { type CommandInvocation, didYouMean, excerpt, isPlainObject, type Provider, ToolkitError } from '../../../../kernel/index.ts';
import { askFor, problemOfDescription } from './ask.ts';
import { newConfig, standardEntry } from './config-entry.ts';
import { plainLine } from './fill-template.ts';
import { problemOfToolName } from './names.ts';
import { configStep, installSteps, programOf, report, type Step, shellPath } from './next-steps.ts';
import { isProjectFile, loadsFile, openProject, type Project } from './project.ts';
import { callOf, canReplay, defaultDescription, type ToolRequest, toolFiles } from './tool-files.ts';
import { type ToolKind, toolKinds } from './tool-kinds.ts';
import { writeAll } from './write-all.ts';

/** Parsed flags. Missing ones are asked for. */
interface ToolFlags {
  readonly type?: ToolKind;
  readonly provider?: string;
  readonly description?: string;
  readonly into?: string;
}

const noProvider = '';

/** Writes a tool, and a configuration if there is none. */
export async function makeTool(invocation: CommandInvocation): Promise<void> {
  const project = await openProject(invocation, (invocation.flags as ToolFlags).into);
  try {
    const request = await requestOf(invocation, project);
    const files = await toolFiles(request);
    const entry = standardEntry(project, project.toolFolder);
    const config = project.configFile === undefined ? [{ ...(await newConfig(project, [entry])), what: 'where toolkit finds it' }] : [];
    await writeAll([...files, ...config], invocation.interrupted());
    const isLoaded = await loadsFile(project, request.name, files[0]?.file ?? '');
    const { configFile } = project;
    const steps = [
      ...(isLoaded || configFile === undefined ? [] : [configStep(configFile, entry)]),
      ...(await toolSteps(invocation, request)),
    ];
    await report(invocation, [...files, ...config], steps);
  } finally {
    await project.kernel.close();
  }
}

async function requestOf(invocation: CommandInvocation, project: Project): Promise<ToolRequest> {
  const given = invocation.flags as ToolFlags;
  const { registry } = project.kernel;
  const own = [...registry.providers.values()].filter(({ origin }) => isProjectFile(project, origin.file));
  if (given.provider !== undefined) checkProvider(given.provider, own, registry.providers, project);
  const ask = await askFor(invocation);
  const name = await ask.name(
    invocation.arguments[0],
    'Name: its provider or topic, a verb, a noun',
    'shop_get_order',
    (value) => problemOfToolName(value) ?? (registry.tools.has(value) ? 'is the name of another tool. Choose another one' : undefined),
  );
  const choices = [
    { value: noProvider, label: 'none', hint: 'the tool stands alone' },
    ...own.map((provider) => ({ value: provider.name, label: provider.name })),
  ];
  const providerName = own.length === 0 ? noProvider : await ask.select(given.provider, 'Whose tool is it?', choices, noProvider);
  const provider = own.find((known) => known.name === providerName);
  const kind = await ask.select(given.type, 'What does it run?', toolKinds, provider === undefined ? toolKinds[0].value : 'http');
  // Without a base URL, the tool's own URL is absolute.
  const hasProvider = provider?.definition.base_url !== undefined && kind === 'http';
  const description = await ask.text(
    given.description,
    'What does it do, and when should a model choose it?',
    defaultDescription(kind, hasProvider),
    problemOfDescription,
  );
  const folder = provider?.origin.directory ?? project.toolFolder;
  return {
    name,
    kind,
    description: plainLine(description),
    folder,
    relativeFolder: relativeFolder(project, folder),
    ...(hasProvider ? { provider: { name: provider.name, baseUrl: provider.definition.base_url ?? '', ...bearerOf(provider) } } : {}),
  };
}

function checkProvider(name: string, own: readonly Provider[], all: ReadonlyMap<string, Provider>, { toolFolder }: Project): void {
  if (own.some((provider) => provider.name === name)) return;
  const what = all.has(name)
    ? `The provider "${name}" is not in ${toolFolder}, so its folder is no place for files of yours. Leave --provider out`
    : `There is no provider "${excerpt(name, 100)}".${didYouMean(
        name,
        own.map((provider) => provider.name),
      )} "toolkit new provider" writes one`;
  throw new ToolkitError('INVALID_PARAMETERS', `${what}.`);
}

/** Returns the folder relative to the project, such as `tools/`, as a model writes it before a file name. Empty for the project itself. */
export function relativeFolder({ home }: Project, folder: string): string {
  const relative = path.relative(home, folder).split(path.sep).join('/');
  return relative === '' ? '' : `${relative}/`;
}

/** Returns the name of the provider's bearer credential, so that a test can check the header. */
function bearerOf({ definition }: Provider): { bearer?: string } {
  const { auth }: { readonly auth?: unknown } = definition as object;
  if (!isPlainObject(auth)) return {};
  const { type, token } = auth as { type: string; token?: string };
  const bearer = /^\{(\w+)\}$/.exec(token ?? '')?.[1];
  return type !== 'bearer' || bearer === undefined ? {} : { bearer };
}

/** Returns the next steps for a new tool, from checking its definition to connecting a client. */
export async function toolSteps(invocation: CommandInvocation, request: ToolRequest): Promise<readonly Step[]> {
  const toolkit = await programOf(invocation);
  const { name, folder, provider } = request;
  // A tool needs the file of its provider, so the whole folder is checked.
  const checked = provider === undefined ? path.join(folder, `${name}.yaml`) : folder;
  return [
    { title: 'Check it', lines: [`${toolkit} validate ${shellPath(checked)}`] },
    { title: 'Call it', lines: [`${toolkit} run ${name} ${callOf(request)}`] },
    ...(canReplay(request) ? [{ title: 'Test its examples, offline', lines: [`${toolkit} test ${name}`] }] : []),
    ...installSteps(folder),
    { title: 'Run its tests', lines: [`node --test ${shellPath(path.join(folder, `${name}.test.mjs`))}`] },
    { title: 'Make it yours; this loads it again whenever you save', lines: [`${toolkit} dev`] },
    { title: 'Connect an assistant', lines: [`${toolkit} mcp setup`] },
  ];
}
