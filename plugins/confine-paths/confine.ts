import path from 'node:path';
import {
  type ControlFiles,
  controlFileError,
  excerpt,
  isPlainObject,
  type Parameter,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import { findRuleByHardLink } from './hard-links.ts';
import { namesOutput } from './reading/output-reference.ts';
import type { RealPath } from './real-path.ts';
import type { Access, Roots } from './roots.ts';

/** A parameter that holds paths, at any depth. */
type DeclaredPath = readonly [name: string, parameter: Parameter];

/** True when a parameter is declared to hold a path, at any depth. */
type HoldsPath = (parameter: Parameter) => boolean;

/** The parameters of each tool that hold paths. Cached by tool. */
export class DeclaredPaths {
  readonly #holdsPath: HoldsPath;
  readonly #known = new WeakMap<Tool, readonly DeclaredPath[]>();

  constructor(holdsPath: HoldsPath) {
    this.#holdsPath = holdsPath;
  }

  of(tool: Tool): readonly DeclaredPath[] {
    const known = this.#known.get(tool) ?? Object.entries(tool.parameters).filter(([, parameter]) => this.#holdsPath(parameter));
    this.#known.set(tool, known);
    return known;
  }
}

interface ToolParameters {
  readonly tool: Tool;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A confined path, and the parameter that declares it. */
export interface FoundPath {
  readonly path: string;
  readonly parameter: Parameter;
}

/** The directories and rules that paths are confined by. */
export interface Confinement {
  /** Called with each confined path. */
  readonly onPath?: (found: FoundPath) => void;
  readonly paths: DeclaredPaths;
  readonly roots: Roots;
  readonly holdsPath: HoldsPath;
}

/** Returns the parameters that hold paths, with the paths confined; undefined when there are none. */
export async function confineAll(
  { tool, parameters }: ToolParameters,
  controlFiles: ControlFiles,
  { paths, roots, holdsPath, onPath = () => {} }: Confinement,
): Promise<Record<string, unknown> | undefined> {
  const holding = paths.of(tool).filter(([name]) => parameters[name] !== undefined);
  if (holding.length === 0) return undefined;
  const confined = holding.map(
    async ([name, parameter]) =>
      [name, await confine(parameters[name], { name, parameter, roots, controlFiles, tool, holdsPath, onPath })] as const,
  );
  return Object.fromEntries(await Promise.all(confined));
}

/** A value during the check: its position in the parameters, and the parameter that declares it. */
interface PathCheck {
  readonly name: string;
  readonly parameter: Parameter;
  readonly roots: Roots;
  readonly controlFiles: ControlFiles;
  readonly tool: Tool;
  readonly holdsPath: HoldsPath;
  readonly onPath: (found: FoundPath) => void;
}

/** Returns the value with every path in it confined. A list in a parameter with `path` is a list of paths. */
async function confine(value: unknown, check: PathCheck): Promise<unknown> {
  const { path: access, items = {}, properties = {}, additionalProperties } = check.parameter;
  if (value === undefined || value === null || !check.holdsPath(check.parameter)) return value;
  if (access === 'roots') return [...check.roots.folders];
  if (access === 'write_roots') return [...check.roots.writable];
  if (Array.isArray(value)) {
    const { follow, or_url, binds } = check.parameter;
    const inherited = {
      ...(follow === undefined ? {} : { follow }),
      ...(or_url === undefined ? {} : { or_url }),
      ...(binds === undefined ? {} : { binds }),
    };
    const parameter = access === undefined ? items : { ...items, path: access, ...inherited };
    return Promise.all(value.map((item, index) => confine(item, { ...check, name: `${check.name}[${index}]`, parameter })));
  }
  // A stored output is not a file.
  if (check.parameter.reads !== undefined && namesOutput(value)) return value;
  if (access !== undefined) return check.parameter.or_url === true && isUrl(value) ? value : confineOne(value, access, check);
  if (!isPlainObject(value)) return value;
  const other = typeof additionalProperties === 'object' ? additionalProperties : {};
  const members = Object.entries(value).map(async ([key, member]) => {
    const parameter = (Object.hasOwn(properties, key) ? properties[key] : undefined) ?? other;
    return [key, await confine(member, { ...check, name: `${check.name}.${key}`, parameter })] as const;
  });
  return Object.fromEntries(await Promise.all(members));
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//i.test(value);
}

async function confineOne(value: unknown, access: Access, check: PathCheck): Promise<string> {
  const { roots } = check;
  const rootNames = roots.configuredPaths(access);
  if (roots.base === undefined || rootNames.length === 0) {
    throw invalidPathError(
      check,
      `no directory is open to file tools here${access === 'write' ? ' for writing' : ''}. Set "roots" of confine-paths in the configuration (in standard(): roots), or start the server in a project folder`,
    );
  }
  if (typeof value !== 'string') throw invalidPathError(check, 'expected a path as a string');
  if (value.includes('\0')) throw invalidPathError(check, 'expected a path without null bytes');
  const realPath = await resolvePath(path.resolve(roots.base, value), value, check);
  if (roots.isOpen(realPath, access)) {
    await refuseControlFile(realPath, value, access, check);
    const confined = check.parameter.follow !== false && (access === 'read' || realPath.exists) ? realPath.target : realPath.path;
    check.onPath({ path: confined, parameter: check.parameter });
    return confined;
  }
  throw invalidPathError(
    check,
    `expected a path inside ${rootNames.join(' or ')}${access === 'write' ? ' (writing)' : ''}, received "${excerpt(value)}"`,
  );
}

/** Throws POLICY_DENIED for a control file, under any of its names. */
async function refuseControlFile(
  { path: resolved, target, exists }: RealPath,
  displayPath: string,
  access: Access,
  check: PathCheck,
): Promise<void> {
  const { controlFiles, roots, tool, parameter } = check;
  const linked = exists ? await findRuleByHardLink(target, access, controlFiles, roots.folders) : undefined;
  if (linked === 'unknown')
    throw invalidPathError(
      check,
      'expected a file with one name, found one with several (hard links) and too many files to tell whether another of them is a control file. Copy it first',
    );
  for (const rule of [controlFiles.find(resolved, access), controlFiles.find(target, access), linked])
    if (rule !== undefined && parameter.control_files?.includes(rule.plugin) !== true)
      throw controlFileError(rule, access, displayPath).with({
        tool: tool.name,
        issues: [{ path: check.name, message: 'names a control file' }],
      });
}

async function resolvePath(absolute: string, value: string, check: PathCheck): Promise<RealPath> {
  try {
    return await check.roots.resolve(absolute);
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException;
    throw invalidPathError(check, `expected a path that can be followed, received "${excerpt(value)}", which ends in ${code}`);
  }
}

export function invalidPathError({ tool, name }: Pick<PathCheck, 'tool' | 'name'>, message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${name}" of "${tool.name}": ${message}.`, {
    tool: tool.name,
    issues: [{ path: name, message }],
  });
}
