import os from 'node:os';
import path from 'node:path';
import Type from 'typebox';
import { apiVersion, type DraftCall, definePlugin, type Parameter, ToolkitError } from '../../kernel/index.ts';
import { isInside, realPlace } from './real-place.ts';

interface Roots {
  readonly write: readonly string[];
  readonly read: readonly string[];
}

/**
 * Confines parameters that are declared `path: read` or `path: write` to the roots, symbolic links resolved, and hands tools the
 * absolute path. The working directory is the root when none is set, unless it is `/` or the home folder.
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
        Object.entries(draft.tool.parameters).flatMap(([name, parameter]) => {
          const value = draft.parameters[name];
          return parameter.path === undefined || value === undefined ? [] : [confine(name, parameter, value, all, draft)];
        }),
      );
      return confined.length === 0 ? undefined : { ...draft, parameters: { ...draft.parameters, ...Object.fromEntries(confined) } };
    });
  },
});

function implicitRoots(cwd: string): string[] {
  const isTooMuch = path.dirname(cwd) === cwd || path.resolve(cwd) === os.homedir();
  return isTooMuch ? [] : [path.resolve(cwd)];
}

async function confine(name: string, parameter: Parameter, value: unknown, roots: Roots, draft: DraftCall): Promise<[string, unknown]> {
  if (Array.isArray(value)) return [name, await Promise.all(value.map((item) => confineOne(name, parameter, String(item), roots, draft)))];
  return [name, await confineOne(name, parameter, String(value), roots, draft)];
}

async function confineOne(name: string, parameter: Parameter, value: string, roots: Roots, draft: DraftCall): Promise<string> {
  const allowed = parameter.path === 'write' ? roots.write : roots.read;
  const [base] = roots.read;
  if (base === undefined || allowed.length === 0) {
    throw refusal(
      draft,
      name,
      'no directory is open to file tools here. Set "roots" of confine-paths in the configuration (in standard(): roots), or start the server in a project folder',
    );
  }
  if (value.includes('\0')) throw refusal(draft, name, 'expected a path without null bytes');
  const place = await realPlace(path.resolve(base, value));
  const realRoots = await Promise.all(allowed.map(async (root) => (await realPlace(root)).target));
  const isAllowed = [place.path, place.target].every((real) => realRoots.some((root) => isInside(real, root)));
  if (isAllowed) return place.path;
  throw refusal(
    draft,
    name,
    `expected a path inside ${allowed.join(' or ')}${parameter.path === 'write' ? ' (writing)' : ''}, received "${value}"`,
  );
}

function refusal(draft: DraftCall, name: string, message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${name}" of "${draft.tool.name}": ${message}.`, {
    tool: draft.tool.name,
    issues: [{ path: name, message }],
  });
}
