import { realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Type from 'typebox';
import {
  apiVersion,
  type DraftCall,
  definePlugin,
  excerpt,
  holdsPath,
  isPlainObject,
  type Parameter,
  ToolkitError,
} from '../../kernel/index.ts';
import { isInside, realPlace } from './real-place.ts';

interface Roots {
  readonly write: readonly string[];
  readonly read: readonly string[];
}

/**
 * Confines parameters that are declared `path: read` or `path: write`, at any depth, to the roots, symbolic links resolved, and hands
 * tools the absolute path. The working directory is the root when none is set, unless it is `/` or the home folder.
 */
export const confinePaths = definePlugin({
  name: 'confine-paths',
  apiVersion,
  enforces: ['parameters.path'],
  optionsSchema: Type.Object(
    {
      /** Directories that tools may read and write; relative paths of calls start at the first. @default the working directory */
      roots: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
      /** Directories that tools may only read. */
      readRoots: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { roots, readRoots = [] }) {
    const { cwd } = kernel;
    const write = roots?.map((root) => path.resolve(cwd, root)) ?? implicitRoots(cwd);
    const all: Roots = { write, read: [...write, ...readRoots.map((root) => path.resolve(cwd, root))] };
    kernel.hooks.beforeExecute.tapPromise('confine-paths', async (draft) => {
      const confined = await Promise.all(
        Object.entries(draft.tool.parameters)
          .filter(([name, parameter]) => draft.parameters[name] !== undefined && holdsPath(parameter))
          .map(async ([name, parameter]) => [name, await confine(draft.parameters[name], { name, parameter, roots: all, draft })] as const),
      );
      return confined.length === 0 ? undefined : { ...draft, parameters: { ...draft.parameters, ...Object.fromEntries(confined) } };
    });
  },
});

function implicitRoots(cwd: string): string[] {
  const here = realOrSame(path.resolve(cwd));
  const isTooMuch = path.dirname(here) === here || here === realOrSame(path.resolve(os.homedir()));
  return isTooMuch ? [] : [path.resolve(cwd)];
}

function realOrSame(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return place;
  }
}

/** A value on its way through the check: where it stands in the parameters, and what is declared there. */
interface Spot {
  readonly name: string;
  readonly parameter: Parameter;
  readonly roots: Roots;
  readonly draft: DraftCall;
}

/** The value with every path in it confined. A list below `path` is a list of paths. */
async function confine(value: unknown, spot: Spot): Promise<unknown> {
  const { path: kind, items = {}, properties = {}, additionalProperties } = spot.parameter;
  if (value === undefined || value === null || !holdsPath(spot.parameter)) return value;
  if (Array.isArray(value)) {
    const parameter = kind === undefined ? items : { ...items, path: kind };
    return Promise.all(value.map((item, index) => confine(item, { ...spot, name: `${spot.name}[${index}]`, parameter })));
  }
  if (kind !== undefined) return confineOne(value, kind, spot);
  if (!isPlainObject(value)) return value;
  const other = typeof additionalProperties === 'object' ? additionalProperties : {};
  const members = Object.entries(value).map(async ([key, member]) => {
    const parameter = (Object.hasOwn(properties, key) ? properties[key] : undefined) ?? other;
    return [key, await confine(member, { ...spot, name: `${spot.name}.${key}`, parameter })] as const;
  });
  return Object.fromEntries(await Promise.all(members));
}

async function confineOne(value: unknown, kind: 'read' | 'write', spot: Spot): Promise<string> {
  const allowed = spot.roots[kind];
  const [base] = spot.roots.read;
  if (base === undefined || allowed.length === 0) {
    throw refusal(
      spot,
      `no directory is open to file tools here${kind === 'write' ? ' for writing' : ''}. Set "roots" of confine-paths in the configuration (in standard(): roots), or start the server in a project folder`,
    );
  }
  if (typeof value !== 'string') throw refusal(spot, 'expected a path as a string');
  if (value.includes('\0')) throw refusal(spot, 'expected a path without null bytes');
  const absolute = path.resolve(base, value);
  const realRoots = await Promise.all(allowed.map(async (root) => (await realPlace(root)).target));
  const root = realRoots[allowed.indexOf(absolute)];
  if (root !== undefined) return root;
  const place = await placeOf(absolute, value, spot);
  const isAllowed = [place.path, place.target].every((real) => realRoots.some((realRoot) => isInside(real, realRoot)));
  if (isAllowed) return place.path;
  throw refusal(
    spot,
    `expected a path inside ${allowed.join(' or ')}${kind === 'write' ? ' (writing)' : ''}, received "${excerpt(value)}"`,
  );
}

async function placeOf(absolute: string, value: string, spot: Spot): ReturnType<typeof realPlace> {
  try {
    return await realPlace(absolute);
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException;
    throw refusal(spot, `expected a path that can be followed, received "${excerpt(value)}", which ends in ${code}`);
  }
}

function refusal({ draft, name }: Spot, message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${name}" of "${draft.tool.name}": ${message}.`, {
    tool: draft.tool.name,
    issues: [{ path: name, message }],
  });
}
