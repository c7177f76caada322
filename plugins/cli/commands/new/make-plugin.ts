import path from 'node:path';
import { camelCase } from 'change-case';
import type { CommandInvocation } from '../../../../kernel/index.ts';
import { version } from '../../../shared/project/version.ts';
import { askFor, problemOfDescription } from './ask.ts';
import { configPath, type Entry, newConfig, standardEntry } from './config-entry.ts';
import { plainLine } from './fill-template.ts';
import { filledFiles } from './filled-files.ts';
import { problemOfFolderName } from './names.ts';
import { configStep, installSteps, programOf, report, shellPath } from './next-steps.ts';
import { openProject, type Project } from './project.ts';
import type { ToolFile } from './tool-files.ts';
import { pathExists, writeAll } from './write-all.ts';

interface PluginFlags {
  readonly description?: string;
  readonly into?: string;
}

interface PluginRequest {
  readonly name: string;
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
}

const prefix = 'toolkit-plugin-';

/** Writes the package of a plugin, and a configuration if there is none. */
export async function makePlugin(invocation: CommandInvocation): Promise<void> {
  const project = await openProject(invocation, undefined);
  try {
    const request = await requestOf(invocation, project);
    const files = await pluginFiles(request);
    const module = configPath(project, path.join(request.folder, 'index.js'));
    const entry: Entry = { module, factory: camelCase(request.name), from: module, options: { slowMs: 500 } };
    const { configFile } = project;
    const config = configFile === undefined ? [{ ...(await newConfig(project, [standardEntry(project), entry])), what: 'lists it' }] : [];
    await writeAll([...files, ...config], invocation.interrupted());
    const toolkit = await programOf(invocation);
    await report(
      invocation,
      [...files, ...config],
      [
        ...(configFile === undefined ? [] : [configStep(configFile, entry)]),
        ...installSteps(request.folder),
        { title: 'Run its tests', lines: [`node --test ${shellPath(path.join(request.folder, 'index.test.mjs'))}`] },
        { title: 'See that it is loaded, and which hooks it taps', lines: [`${toolkit} plugins`] },
        { title: 'Start the server with it', lines: [`${toolkit} dev`] },
      ],
    );
  } finally {
    await project.kernel.close();
  }
}

async function requestOf(invocation: CommandInvocation, { kernel, home }: Project): Promise<PluginRequest> {
  const given = invocation.flags as PluginFlags;
  const ask = await askFor(invocation);
  const loaded = new Set(kernel.plugins.map((plugin) => plugin.name));
  const [givenName] = invocation.arguments;
  const name = await ask.name(
    // A package name is accepted in place of the plugin name.
    givenName?.startsWith(prefix) === true ? givenName.slice(prefix.length) : givenName,
    'Name',
    'slow-calls',
    (value) =>
      problemOfFolderName(value) ?? (loaded.has(value) ? 'is the name of a plugin that is loaded already. Choose another one' : undefined),
  );
  const folder = path.join(given.into === undefined ? path.join(home, 'plugins') : path.resolve(given.into), `${prefix}${name}`);
  if (await pathExists(folder)) ask.refuse(`${folder} is there already. Choose another name, or move it away.`);
  const description = await ask.text(given.description, 'What does it do?', 'Names calls that take long in the log.', problemOfDescription);
  return { name, description: plainLine(description), folder };
}

async function pluginFiles({ name, description, folder }: PluginRequest): Promise<readonly ToolFile[]> {
  const values = {
    name,
    camel: camelCase(name),
    // The templates also use it inside comments.
    description: description.replaceAll('*/', '* /'),
    descriptionJson: JSON.stringify(description),
    version,
  };
  return filledFiles(folder, values, [
    ['plugin-index.js', 'index.js', 'the plugin'],
    ['plugin-index.d.ts', 'index.d.ts', 'its types, for configurations in TypeScript'],
    ['plugin-test.mjs', 'index.test.mjs', 'its tests'],
    ['plugin-readme.md', 'README.md', 'for people'],
    ['plugin-package.json', 'package.json', 'to publish it'],
  ]);
}
