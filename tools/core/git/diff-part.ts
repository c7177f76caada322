import type { OutputParser } from '../../../plugins/executor-command/index.ts';
import { diff } from './diff.ts';
import { type Output, partOf } from './part-of-output.ts';

/** Returns the part of the result of `diff` that starts at the offset and fits in the output. */
export const diffPart: OutputParser = async (stdout, run) => partOf((await diff(stdout, run)) as Output, ['files', 'diff'], run);
