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
import { ruleOfOtherName } from './hard-links.ts';
import { namesOutput } from './reading/kept-output.ts';
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

interface Confinable {
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
  { tool, parameters }: Confinable,
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
interface Spot {
  readonly name: string;
  readonly parameter: Parameter;
  readonly roots: Roots;
  readonly controlFiles: ControlFiles;
  readonly tool: Tool;
  readonly holdsPath: HoldsPath;
  readonly onPath: (found: FoundPath) => void;
}

/** Returns the value with every path in it confined. A list in a parameter with `path` is a list of paths. */
async function confine(value: unknown, spot: Spot): Promise<unknown> {
  const { path: access, items = {}, properties = {}, additionalProperties } = spot.parameter;
  if (value === undefined || value === null || !spot.holdsPath(spot.parameter)) return value;
  if (access === 'roots') return [...spot.roots.folders];
  if (access === 'write_roots') return [...spot.roots.writable];
  if (Array.isArray(value)) {
    const { follow, or_url, binds } = spot.parameter;
    const inherited = {
      ...(follow === undefined ? {} : { follow }),
      ...(or_url === undefined ? {} : { or_url }),
      ...(binds === undefined ? {} : { binds }),
    };
    const parameter = access === undefined ? items : { ...items, path: access, ...inherited };
    return Promise.all(value.map((item, index) => confine(item, { ...spot, name: `${spot.name}[${index}]`, parameter })));
  }
  // A stored output is not a file.
  if (spot.parameter.reads !== undefined && namesOutput(value)) return value;
  if (access !== undefined) return spot.parameter.or_url === true && isUrl(value) ? value : confineOne(value, access, spot);
  if (!isPlainObject(value)) return value;
  const other = typeof additionalProperties === 'object' ? additionalProperties : {};
  const members = Object.entries(value).map(async ([key, member]) => {
    const parameter = (Object.hasOwn(properties, key) ? properties[key] : undefined) ?? other;
    return [key, await confine(member, { ...spot, name: `${spot.name}.${key}`, parameter })] as const;
  });
  return Object.fromEntries(await Promise.all(members));
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//i.test(value);
}

async function confineOne(value: unknown, access: Access, spot: Spot): Promise<string> {
  const { roots } = spot;
  const shown = roots.shown(access);
  if (roots.base === undefined || shown.length === 0) {
    throw badPath(
      spot,
      `no directory is open to file tools here${access === 'write' ? ' for writing' : ''}. Set "roots" of confine-paths in the configuration (in standard(): roots), or start the server in a project folder`,
    );
  }
  if (typeof value !== 'string') throw badPath(spot, 'expected a path as a string');
  if (value.includes('\0')) throw badPath(spot, 'expected a path without null bytes');
  const place = await placeOf(path.resolve(roots.base, value), value, spot);
  if (roots.isOpen(place, access)) {
    await refuseControlFile(place, value, access, spot);
    const confined = spot.parameter.follow !== false && (access === 'read' || place.exists) ? place.target : place.path;
    spot.onPath({ path: confined, parameter: spot.parameter });
    return confined;
  }
  throw badPath(
    spot,
    `expected a path inside ${shown.join(' or ')}${access === 'write' ? ' (writing)' : ''}, received "${excerpt(value)}"`,
  );
}

/** Throws POLICY_DENIED for a control file, under any of its names. */
async function refuseControlFile({ path: place, target, exists }: RealPath, shown: string, access: Access, spot: Spot): Promise<void> {
  const { controlFiles, roots, tool, parameter } = spot;
  const linked = exists ? await ruleOfOtherName(target, access, controlFiles, roots.folders) : undefined;
  if (linked === 'unknown')
    throw badPath(
      spot,
      'expected a file with one name, found one with several (hard links) and too many files to tell whether another of them is a control file. Copy it first',
    );
  for (const rule of [controlFiles.find(place, access), controlFiles.find(target, access), linked])
    if (rule !== undefined && parameter.control_files?.includes(rule.plugin) !== true)
      throw controlFileError(rule, access, shown).with({ tool: tool.name, issues: [{ path: spot.name, message: 'names a control file' }] });
}

async function placeOf(absolute: string, value: string, spot: Spot): Promise<RealPath> {
  try {
    return await spot.roots.place(absolute);
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException;
    throw badPath(spot, `expected a path that can be followed, received "${excerpt(value)}", which ends in ${code}`);
  }
}

export function badPath({ tool, name }: Pick<Spot, 'tool' | 'name'>, message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${name}" of "${tool.name}": ${message}.`, {
    tool: tool.name,
    issues: [{ path: name, message }],
  });
}
