import type { FileAccess, Parameter, Tool } from '../../../kernel/index.ts';

/** True when a parameter of the tool holds a path, at any depth. With `access`, only a path with this access counts. */
export function hasPath({ parameters }: Tool, access?: FileAccess): boolean {
  return Object.values(parameters).some((parameter) => holdsPath(parameter, access));
}

function holdsPath({ path, reads, items, properties = {}, additionalProperties }: Parameter, access: FileAccess | undefined): boolean {
  // The file is read for the function, which gets its value.
  if (reads !== undefined) return false;
  if (path !== undefined && (access === undefined || path === access)) return true;
  const nested = [items, additionalProperties, ...Object.values(properties)];
  return nested.some((parameter) => typeof parameter === 'object' && holdsPath(parameter as Parameter, access));
}
