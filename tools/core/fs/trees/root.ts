import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { isBelow } from './destination.ts';

interface Refusal {
  readonly parameter: string;
  /** First of the roots, confined: the folder that the path "." stands for. */
  readonly root: string;
  readonly action: 'deleted' | 'moved';
}

/** Throws INVALID_PARAMETERS for the folder in which relative paths start, and for each folder above it. */
export function refuseRoot(path: string, { parameter, root, action }: Refusal): void {
  if (path !== root && !isBelow(root, path)) return;
  const message = `expected a path below the allowed folder "${excerpt(root)}", which itself is never ${action}, received ${path === root ? 'that folder' : 'a folder that holds it'}`;
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "${parameter}": ${message}.`, { issues: [{ path: parameter, message }] });
}
