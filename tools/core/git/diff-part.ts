import type { OutputParser } from '../../../plugins/executor-command/index.ts';
import { diff } from './diff.ts';
import { type Output, partOf } from './part-of-output.ts';

/** Gives the part of what `diff` finds that begins at the offset and has room. */
export const diffPart: OutputParser = async (stdout, run) => partOf((await diff(stdout, run)) as Output, ['files', 'diff'], run);
