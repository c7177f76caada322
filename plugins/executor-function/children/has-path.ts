import type { FileAccess, Parameter, Tool } from '../../../kernel/index.ts';

/** Tells whether a parameter of the tool holds a path, at any depth: one for this access, where it is given. */
export function hasPath({ parameters }: Tool, access?: FileAccess): boolean {
  return Object.values(parameters).some((parameter) => holdsPath(parameter, access));
}

function holdsPath({ path, reads, items, properties = {}, additionalProperties }: Parameter, access: FileAccess | undefined): boolean {
  // What is there is read for the function, which gets the value.
  if (reads !== undefined) return false;
  if (path !== undefined && (access === undefined || path === access)) return true;
  const below = [items, additionalProperties, ...Object.values(properties)];
  return below.some((parameter) => typeof parameter === 'object' && holdsPath(parameter as Parameter, access));
}
