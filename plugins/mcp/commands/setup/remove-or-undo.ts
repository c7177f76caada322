import { type CommandInvocation, type Terminal, ToolkitError } from '../../../../kernel/index.ts';
import { prompts } from '../../../shared/terminal/prompts.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { lastBackup, markUsed } from './clients/backups.ts';
import { readClientFile } from './clients/client-file.ts';
import type { Client, ServerEntry } from './clients/clients.ts';
import { formerEntry, withEntryValue } from './clients/entry-edits.ts';
import { applyChange, type Change, describeChange } from './clients/write-entry.ts';
import type { ClientTarget } from './configurations.ts';
import { reportWrite } from './report/write-report.ts';

/**
 * Removes the entry from the clients' files (`--remove`), or restores the one before the last change (`--undo`). The rest of a file stays
 * unchanged. Asks at a terminal; elsewhere it writes with `--write` and only shows the change without it. Throws CONFIG_INVALID.
 */
export async function removeOrUndo(
  invocation: CommandInvocation,
  targets: readonly ClientTarget[],
  name: string,
  isUndo: boolean,
): Promise<void> {
  const { terminal, write, flags } = invocation;
  for (const { client, file } of targets) {
    if (file === undefined)
      throw new ToolkitError('INVALID_PARAMETERS', `"${client.name}" has no file of its own. Name another client with --client.`);
    const { change, backup } = isUndo
      ? await planUndo(terminal, client, file, name)
      : { change: await planRemoval(terminal, client, file, name) };
    if (change.diff === '') {
      write(`${visibleText(file)} ${isUndo ? 'is as it was before the last change' : `has no entry "${name}"`}: nothing was changed.\n`);
      continue;
    }
    write(change.diff);
    if (!(await isAgreed(invocation))) {
      write(`${visibleText(file)} is left as it is.${flags['write'] === true || terminal.isInteractive ? '' : ' --write changes it.'}\n`);
      continue;
    }
    const written = await applyChange(change, new Date());
    // The backup of this change counts as used too, so that the next `--undo` goes back one change further.
    const copy = isUndo && written.backup !== undefined ? { backup: markUsed(written.backup) } : {};
    if (backup !== undefined) markUsed(backup);
    write(reportWrite({ ...written, ...copy }));
  }
}

async function isAgreed({ terminal, flags }: CommandInvocation): Promise<boolean> {
  if (flags['write'] === true) return true;
  if (!terminal.isInteractive || !terminal.isTerminal) return false;
  return (await prompts(terminal)).confirm('Write this?');
}

async function planRemoval(terminal: Terminal, client: Client, file: string, name: string): Promise<Change> {
  return planEntryChange(terminal, client, file, { key: client.key, name, entry: {} }, undefined);
}

/** Plans the change that restores the entry of the newest backup. */
async function planUndo(
  terminal: Terminal,
  client: Client,
  file: string,
  name: string,
): Promise<{ readonly change: Change; readonly backup: string }> {
  const backup = await lastBackup((await readClientFile(file)).file, name);
  if (backup === undefined)
    throw new ToolkitError(
      'CONFIG_INVALID',
      `There is no copy for "${name}" beside ${file}, so nothing can be put back. --remove takes the entry out.`,
      {
        file,
      },
    );
  const server: ServerEntry = { key: client.key, name, entry: {} };
  const { text } = await readClientFile(backup);
  const former = formerEntry(text, server, { file: backup, hasComments: client.hasComments });
  return { change: await planEntryChange(terminal, client, file, server, former), backup };
}

async function planEntryChange(terminal: Terminal, client: Client, file: string, server: ServerEntry, value: unknown): Promise<Change> {
  const original = await readClientFile(file);
  const text = withEntryValue(original.text, server, value, { file, hasComments: client.hasComments });
  return describeChange(terminal, client, original, server, text);
}
