import path from 'node:path';
import { capitalCase, constantCase, snakeCase } from 'change-case';
import { type CommandInvocation, parseUrl, toUrl } from '../../../../kernel/index.ts';
import { schemaPath } from '../../../shared/project/schema-path.ts';
import { version } from '../../../shared/project/version.ts';
import { askFor, problemOfDescription } from './ask.ts';
import { newConfig, standardEntry } from './config-entry.ts';
import { foldedBlock, plainLine } from './fill-template.ts';
import { filledFiles } from './filled-files.ts';
import { relativeFolder, toolSteps } from './make-tool.ts';
import { problemOfFolderName } from './names.ts';
import { configStep, report } from './next-steps.ts';
import { loadsFile, openProject, type Project } from './project.ts';
import { type ToolFile, type ToolRequest, toolFiles } from './tool-files.ts';
import { pathExists, writeAll } from './write-all.ts';

interface ProviderFlags {
  readonly description?: string;
  readonly baseUrl?: string;
  readonly oauth2?: boolean;
  readonly into?: string;
}

interface ProviderRequest {
  readonly name: string;
  readonly description: string;
  readonly baseUrl: string;
  readonly hasOauth2: boolean;
  /** Absolute. */
  readonly folder: string;
  readonly tool: ToolRequest;
}

const exampleUrl = 'https://api.example.com/v1';

/** Writes the folder of a provider, and a configuration if there is none. */
export async function makeProvider(invocation: CommandInvocation): Promise<void> {
  const project = await openProject(invocation, (invocation.flags as ProviderFlags).into);
  try {
    const request = await requestOf(invocation, project);
    const { tool } = request;
    const files = [...(await providerFiles(request)), ...(await toolFiles(tool))];
    const entry = standardEntry(project, project.toolFolder);
    const config = project.configFile === undefined ? [{ ...(await newConfig(project, [entry])), what: 'where toolkit finds it' }] : [];
    await writeAll([...files, ...config], invocation.interrupted());
    const isLoaded = await loadsFile(project, tool.name, path.join(request.folder, `${tool.name}.yaml`));
    const { configFile } = project;
    const add = isLoaded || configFile === undefined ? [] : [configStep(configFile, entry)];
    const [check, call, ...others] = await toolSteps(invocation, tool);
    const callSteps =
      call === undefined ? [] : [{ ...call, title: `Call it, once base_url and ${tool.provider?.bearer} are those of the service` }];
    await report(invocation, [...files, ...config], [...add, ...(check === undefined ? [] : [check]), ...callSteps, ...others]);
  } finally {
    await project.kernel.close();
  }
}

async function requestOf(invocation: CommandInvocation, project: Project): Promise<ProviderRequest> {
  const given = invocation.flags as ProviderFlags;
  const { providers, tools, skills } = project.kernel.registry;
  const ask = await askFor(invocation);
  const toolOf = (provider: string): string => `${snakeCase(provider)}_get_item`;
  const name = await ask.name(invocation.arguments[0], 'Name of the service', 'my-shop', (value) => {
    const wrong = problemOfFolderName(value);
    if (wrong !== undefined) return wrong;
    if (providers.has(value) || skills.has(value)) return 'is the name of another provider or skill. Choose another one';
    return tools.has(toolOf(value)) ? `has a tool ${toolOf(value)} already. Choose another name` : undefined;
  });
  const folder = path.join(project.toolFolder, name);
  if (await pathExists(folder)) ask.refuse(`${folder} is there already. Choose another name, or move it away.`);
  const title = capitalCase(name);
  const description = await ask.text(
    given.description,
    'What is it? A sentence for people and models',
    `${title}, a web service with items that have an id and a title.`,
    problemOfDescription,
  );
  const baseUrl = await ask.text(given.baseUrl, 'Where is its API?', exampleUrl, problemOfUrl);
  const proofs = [
    { value: 'key', label: 'with an API key' },
    { value: 'oauth2', label: 'with OAuth2 access tokens' },
  ] as const;
  const proof = await ask.select(given.oauth2 === true ? 'oauth2' : undefined, 'How do requests prove who sends them?', proofs, 'key');
  const toolName = toolOf(name);
  return {
    name,
    description: plainLine(description),
    baseUrl: baseUrl.replace(/\/+$/, ''),
    hasOauth2: proof === 'oauth2',
    folder,
    tool: {
      name: toolName,
      kind: 'http',
      description: `Gets one item of ${title} by its id. Use it when the id is known; it does not search.`,
      folder,
      relativeFolder: relativeFolder(project, folder),
      provider: { name, baseUrl, bearer: `${constantCase(name)}_${proof === 'oauth2' ? 'ACCESS_TOKEN' : 'API_KEY'}` },
    },
  };
}

function problemOfUrl(text: string): string | undefined {
  const url = parseUrl(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (isWeb && url.search === '' && url.hash === '' && url.username === '' && !/[{}\s"'\\]/.test(text)) return undefined;
  return 'is not an address such as https://api.example.com/v1, without "?", "#", user name and placeholders';
}

async function providerFiles({ name, description, baseUrl, hasOauth2, folder, tool }: ProviderRequest): Promise<readonly ToolFile[]> {
  const token = tool.provider?.bearer;
  const values = {
    provider: name,
    schema: schemaPath(folder, 'provider'),
    title: capitalCase(name),
    prefix: constantCase(name),
    name: tool.name,
    description: foldedBlock(description, 4),
    baseUrl,
    documentationUrl: toUrl('/docs', baseUrl).href,
    token,
    tokenIs: hasOauth2 ? 'an OAuth access token' : 'an API key',
    oauth2: hasOauth2,
    version,
  };
  return filledFiles(folder, values, [
    ['provider-definition.yaml', 'definition.yaml', 'where the service is, and who asks'],
    ['provider-skill.md', 'SKILL.md', 'teaches a model what descriptions cannot'],
    ['provider-readme.md', 'README.md', 'for people'],
    ['provider-package.json', 'package.json', 'to publish it'],
  ]);
}
