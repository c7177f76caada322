import type { CallContext, Launcher, WriteGrant } from '../../../kernel/index.ts';
import type { LaunchProgram } from './program.ts';

/** Keys of an execution that grant rights to its programs. */
export interface ProgramRights {
  readonly network?: boolean;
  readonly writes?: readonly WriteGrant[];
}

/** Binds the kernel's launcher to the programs of one call. Undefined when no plugin has set one. `reads`: see `LaunchFacts`. */
export function toolLaunch(
  launcher: Launcher | undefined,
  { network = false, writes = [] }: ProgramRights,
  { tool, controlFiles }: Pick<CallContext, 'tool' | 'controlFiles'>,
  reads: readonly string[] = [],
): LaunchProgram | undefined {
  return launcher === undefined ? undefined : (start) => launcher(start, { tool, controlFiles, network, writes, reads });
}
