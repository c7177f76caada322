import path from 'node:path';
import { schemaPath } from '../../../shared/project/schema-path.ts';
import { fillTemplate } from './fill-template.ts';
import type { Project } from './project.ts';
import type { NewFile } from './write-all.ts';

/** A plugin with options, as a configuration lists it. */
export interface Entry {
  /** Module specifier in a YAML or JSON configuration. */
  readonly module: string;
  /** Name of the function that a TypeScript or JavaScript configuration calls. */
  readonly factory: string;
  /** Module whose default export is the factory. @default a module of toolkit itself */
  readonly from?: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Returns the entry of the preset. With a folder, it also finds the tools there. */
export function standardEntry(project: Project, folder?: string): Entry {
  const toolPaths = [...new Set([...project.toolPaths, ...(folder === undefined ? [] : [configPath(project, folder)])])];
  return { module: 'toolkit/standard', factory: 'standard', options: toolPaths.length === 0 ? {} : { toolPaths } };
}

/** Returns a new configuration file for a project without one. */
export async function newConfig({ home }: Project, entries: readonly Entry[]): Promise<NewFile> {
  const lines = entries.map(yamlLine);
  return {
    file: path.join(home, 'toolkit.config.yaml'),
    text: await fillTemplate('config.yaml', { entries: lines, schema: schemaPath(home, 'config') }),
  };
}

/** Returns the lines to add to the configuration, in the format of that file. */
export function linesFor(configFile: string, entry: Entry): readonly string[] {
  if (/\.[cm]?[jt]s$/.test(configFile)) {
    const imported = entry.from === undefined ? [] : [`import ${entry.factory} from '${entry.from}';`];
    return [...imported, `${entry.factory}(${codeOf(entry.options)}),`];
  }
  if (/\.json$/.test(configFile)) return [flow([entry.module, entry.options], JSON.stringify)];
  return [`- ${yamlLine(entry)}`];
}

/** Returns a folder as a path in the project's configuration. */
export function configPath({ home }: Project, folder: string): string {
  const relative = path.relative(home, folder).split(path.sep).join('/');
  if (path.isAbsolute(relative)) return folder;
  return relative.startsWith('..') ? relative : `./${relative}`;
}

function yamlLine({ module, options }: Entry): string {
  return Object.keys(options).length === 0 ? module : flow([module, options], scalar);
}

/** Formats a value in one line of YAML or JSON; `text` formats a scalar or a key. */
function flow(value: unknown, text: (value: unknown) => string): string {
  if (Array.isArray(value)) return `[${value.map((item) => flow(item, text)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return text(value);
  const members = Object.entries(value).map(([key, member]) => `${text(key)}: ${flow(member, text)}`);
  return `{ ${members.join(', ')} }`;
}

/** Formats a scalar, without quotes when YAML reads the plain text as a string. */
function scalar(value: unknown): string {
  return typeof value === 'string' && /^[./]*[a-z][\w./-]*$/i.test(value) ? value : JSON.stringify(value);
}

function codeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(codeOf).join(', ')}]`;
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([key, member]) => `${key}: ${codeOf(member)}`);
  return members.length === 0 ? '' : `{ ${members.join(', ')} }`;
}
