import type { OutputParser } from '../../../plugins/executor-command/index.ts';
import { type Output, partOf } from './part-of-output.ts';
import { show } from './show.ts';

/** Gives the part of what `show` finds that begins at the offset and has room. */
export const showPart: OutputParser = async (stdout, run) =>
  partOf((await show(stdout, run)) as Output, ['files', 'entries', 'diff', 'content'], run);
