import type { CallContext, Launcher, WriteGrant } from '../../../kernel/index.ts';
import type { LaunchProgram } from './program.ts';

/** The keys of an execution that say what its programs may do. */
export interface ProgramRights {
  readonly network?: boolean;
  readonly writes?: readonly WriteGrant[];
}

/** The launcher of a kernel for the programs of one call. Undefined where no plugin has set one. `reads`: see `LaunchFacts`. */
export function toolLaunch(
  launcher: Launcher | undefined,
  { network = false, writes = [] }: ProgramRights,
  { tool, controlFiles }: Pick<CallContext, 'tool' | 'controlFiles'>,
  reads: readonly string[] = [],
): LaunchProgram | undefined {
  return launcher === undefined ? undefined : (start) => launcher(start, { tool, controlFiles, network, writes, reads });
}
