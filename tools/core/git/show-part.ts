import type { OutputParser } from '../../../plugins/executor-command/index.ts';
import { type Output, partOf } from './part-of-output.ts';
import { show } from './show.ts';

/** Returns the part of the result of `show` that starts at the offset and fits in the output. */
export const showPart: OutputParser = async (stdout, run) =>
  partOf((await show(stdout, run)) as Output, ['files', 'entries', 'diff', 'content'], run);
