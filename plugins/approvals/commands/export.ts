import { type FileHandle, open, rm } from 'node:fs/promises';
import { type ApprovalPage, type ApprovalStatus, type CommandInvocation, excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { formatNumber } from '../../shared/terminal/format-number.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { filterOf } from './approval-arguments.ts';
import { toApprovalJson } from './approval-format.ts';
import { approvalPages } from './approval-pages.ts';
import { unreadableText } from './approval-table.ts';
import { withApprovals } from './with-approvals.ts';

/** Writes records as lines of JSON, newest first, to standard output or a new file. */
export async function exportApprovals(invocation: CommandInvocation): Promise<void> {
  const { flags, write, note, setExitCode } = invocation;
  const { status, file } = flags as { readonly status?: ApprovalStatus; readonly file?: string };
  await withApprovals(invocation, async (approvals) => {
    let [count, unreadable] = [0, 0];
    const sink = file === undefined ? undefined : await newFile(file);
    try {
      for await (const page of approvalPages(approvals, { ...filterOf(flags), ...(status === undefined ? {} : { status }) })) {
        const text = linesOf(page);
        if (sink === undefined) write(text);
        else await sink.writeFile(text);
        count += page.approvals.length;
        unreadable += page.unreadable ?? 0;
      }
      await sink?.sync();
    } catch (error) {
      if (file !== undefined) await rm(file, { force: true });
      throw error;
    } finally {
      await sink?.close();
    }
    const where = file === undefined ? '' : ` to ${terminalText(file)}`;
    note(`Exported ${formatNumber(count)} ${count === 1 ? 'approval' : 'approvals'}${where}, newest first.\n`);
    if (unreadable === 0) return;
    note(`${unreadableText(unreadable)} The export is not complete.\n`);
    setExitCode(1);
  });
}

/** Returns one line of JSON for each record. What hides text is escaped, with the same meaning. */
function linesOf({ approvals }: ApprovalPage): string {
  return approvals.map((record) => `${terminalText(JSON.stringify(toApprovalJson(record)))}\n`).join('');
}

/** Creates the file, which only its owner may read. Throws INVALID_PARAMETERS when there is one, or it cannot be created. */
async function newFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', 0o600);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const why = isThere ? 'it exists already, and is not overwritten' : excerpt(messageOf(error));
    const message = `Nothing was exported to "${excerpt(file)}": ${why}. Name a new file in a folder that exists.`;
    throw new ToolkitError('INVALID_PARAMETERS', message, {}, { cause: error });
  }
}
