import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { apiVersion, definePlugin, excerpt, isPlainObject, type Parameter, type Tool, ToolkitError } from '../../kernel/index.ts';
import type { RealPath } from './real-path.ts';
import { type Access, Roots } from './roots.ts';

/**
 * Confines parameters that are declared `path: read` or `path: write`, at any depth, to the roots, and hands tools the real path: no
 * part of it is a link (but the last one, where a tool may write and the link leads to nothing, or the parameter says `follow: false`). It is
 * checked once more right before the tool runs, because an approval takes time. What the plugin cannot see: a hard link is the file itself, wherever its other names
 * are, and what changes while the tool runs is for the tool to see (O_NOFOLLOW).
 *
 * The working directory is the root when none is set, unless it is `/` or the home folder.
 */
export const confinePaths = definePlugin({
  name: 'confine-paths',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /**
       * Directories that tools may read and write; relative paths of calls start at the first. Links in them are resolved at start.
       * @default the working directory
       */
      roots: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
      /** Directories that tools may only read, also when they lie inside of a root; a root inside of one may be written again. */
      readRoots: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    },
    { additionalProperties: false },
  ),
  async apply(kernel, options) {
    const holdsPath = kernel.extend.parameterKey('path');
    const roots = await Roots.open(kernel.cwd, options);
    const paths = new DeclaredPaths(holdsPath);
    const confinement: Confinement = { paths, roots, holdsPath };
    const appliesTo = (tool: Tool): boolean => paths.of(tool).length > 0;
    kernel.hooks.beforeExecute.tapPromise({ name: 'confine-paths', appliesTo }, async (draft) => {
      const confined = await confineAll(draft, confinement);
      return confined === undefined ? undefined : { ...draft, parameters: { ...draft.parameters, ...confined } };
    });
    // Last of all that may take time.
    kernel.hooks.execute.for('*').tapPromise({ name: 'confine-paths', stage: 1000, appliesTo }, async (call) => {
      for (const [name, value] of Object.entries((await confineAll(call, confinement)) ?? {})) {
        if (!isDeepStrictEqual(value, call.parameters[name])) throw badPath({ tool: call.tool, name }, changed);
      }
      return undefined;
    });
  },
});

const changed = 'leads somewhere else now than when it was checked, and the tool was not run. Look at what changed it, then call again';

/** A parameter that holds paths, at any depth. */
type DeclaredPath = readonly [name: string, parameter: Parameter];

/** Tells whether a parameter is declared to hold a path, at any depth. */
type HoldsPath = (parameter: Parameter) => boolean;

/** The parameters of each tool that hold paths, looked for once. */
class DeclaredPaths {
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

/** What paths are confined to, and where they are looked for. */
interface Confinement {
  readonly paths: DeclaredPaths;
  readonly roots: Roots;
  readonly holdsPath: HoldsPath;
}

/** The parameters that hold paths, confined; undefined when there are none. */
async function confineAll(
  { tool, parameters }: Confinable,
  { paths, roots, holdsPath }: Confinement,
): Promise<Record<string, unknown> | undefined> {
  const holding = paths.of(tool).filter(([name]) => parameters[name] !== undefined);
  if (holding.length === 0) return undefined;
  const confined = holding.map(
    async ([name, parameter]) => [name, await confine(parameters[name], { name, parameter, roots, tool, holdsPath })] as const,
  );
  return Object.fromEntries(await Promise.all(confined));
}

/** A value on its way through the check: where it stands in the parameters, and what is declared there. */
interface Spot {
  readonly name: string;
  readonly parameter: Parameter;
  readonly roots: Roots;
  readonly tool: Tool;
  readonly holdsPath: HoldsPath;
}

/** The value with every path in it confined. A list below `path` is a list of paths. */
async function confine(value: unknown, spot: Spot): Promise<unknown> {
  const { path: access, items = {}, properties = {}, additionalProperties } = spot.parameter;
  if (value === undefined || value === null || !spot.holdsPath(spot.parameter)) return value;
  if (access === 'roots') return [...spot.roots.folders];
  if (Array.isArray(value)) {
    const { follow, or_url } = spot.parameter;
    const inherited = { ...(follow === undefined ? {} : { follow }), ...(or_url === undefined ? {} : { or_url }) };
    const parameter = access === undefined ? items : { ...items, path: access, ...inherited };
    return Promise.all(value.map((item, index) => confine(item, { ...spot, name: `${spot.name}[${index}]`, parameter })));
  }
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
    if (spot.parameter.follow === false) return place.path;
    return access === 'read' || place.exists ? place.target : place.path;
  }
  throw badPath(
    spot,
    `expected a path inside ${shown.join(' or ')}${access === 'write' ? ' (writing)' : ''}, received "${excerpt(value)}"`,
  );
}

async function placeOf(absolute: string, value: string, spot: Spot): Promise<RealPath> {
  try {
    return await spot.roots.place(absolute);
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException;
    throw badPath(spot, `expected a path that can be followed, received "${excerpt(value)}", which ends in ${code}`);
  }
}

function badPath({ tool, name }: Pick<Spot, 'tool' | 'name'>, message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${name}" of "${tool.name}": ${message}.`, {
    tool: tool.name,
    issues: [{ path: name, message }],
  });
}
