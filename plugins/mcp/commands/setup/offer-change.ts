import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type CommandInvocation, messageOf, ToolkitError } from '../../../../kernel/index.ts';
import { paint } from '../../../shared/terminal/paint.ts';
import type { Prompts } from '../../../shared/terminal/prompts.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { type Client, type ServerEntry, tokenEnvName } from './clients/clients.ts';
import { applyChange, planChange } from './clients/write-entry.ts';
import { type ClientTarget, configurations, entryRemark, projectFileAdvice } from './configurations.ts';
import type { Plan } from './plan.ts';
import { wrapProse } from './report/wrap-prose.ts';
import { reportWrite } from './report/write-report.ts';
import type { SetupFlags } from './setup-flags.ts';

/**
 * Shows the change of a client's file and asks before it is written, also when an entry connects to another server. Shows the
 * configuration to paste when the file cannot be written. Returns the written file.
 */
export async function offerChange(
  { terminal, note, env }: CommandInvocation,
  ask: Prompts,
  plan: Plan,
  own: ClientTarget,
  given: Pick<SetupFlags, 'usesProjectFiles' | 'isReplaced' | 'token'> & { readonly testPassed: boolean },
): Promise<string | undefined> {
  const { client, file, isInstalled } = own;
  const { testPassed, usesProjectFiles } = given;
  const transport = plan.transports[0] ?? 'stdio';
  const showToPaste = async (why: string): Promise<undefined> => {
    note(`\n${await wrapProse(terminal, why)}${configurations(terminal, plan, transport, [own])}`);
    return undefined;
  };
  if (file === undefined) return showToPaste('');
  if (!isInstalled) return showToPaste(`${client.label} was not found here. To paste, once it is installed:\n`);
  try {
    if (usesProjectFiles) await mkdir(path.dirname(file), { recursive: true });
    const token =
      transport === 'http'
        ? (given.token ?? (await askToken(ask, client, file, env[tokenEnvName] || plan.project.scan.server.mcpToken)))
        : undefined;
    const entry = (name?: string): ServerEntry =>
      plan.entryOf(client, transport, { ...(name === undefined ? {} : { name }), ...(token === undefined ? {} : { token }) });
    let change = await planChange(terminal, client, file, entry());
    if (change.conflict !== undefined && change.otherName !== undefined && !given.isReplaced) {
      const answer = await ask.select(`${client.label} has an entry "${plan.name}", which ${visibleText(change.conflict)}.`, [
        { value: 'beside', label: `write this one beside it, as "${change.otherName}"` },
        { value: 'replace', label: 'put this one in its place', hint: 'a copy of the file is kept' },
        { value: 'leave', label: 'leave the file as it is' },
      ]);
      if (answer === 'leave') return undefined;
      if (answer === 'beside') change = await planChange(terminal, client, file, entry(change.otherName));
    }
    if (change.diff !== '') {
      const title = `${client.label}: ${change.original.exists ? 'changes in' : 'a new file,'} ${visibleText(file)}`;
      const remark = entryRemark(client, transport, token !== undefined);
      note(`\n${paint(terminal, 'heading', title)}\n${change.diff}`);
      if (remark !== undefined) note(await wrapProse(terminal, `${remark}\n`));
      if (usesProjectFiles) note(await wrapProse(terminal, await projectFileAdvice(file)));
      if (!(await ask.confirm(testPassed ? 'Write this?' : 'The test failed. Write this all the same?', testPassed))) {
        note(`${visibleText(file)} is left as it is.\n`);
        return undefined;
      }
    }
    const written = await applyChange(change, new Date());
    note(`\n${reportWrite(written)}`);
    return written.isChanged ? written.file : undefined;
  } catch (error) {
    if (!ToolkitError.is(error) || error.code === 'ABORTED') throw error;
    return showToPaste(`${paint(terminal, 'warning', visibleText(messageOf(error)))} To paste:\n`);
  }
}

/** Returns the token to write into the file of a client that supports no variable, if the user agrees. */
async function askToken(
  ask: Prompts,
  { label, tokenVariable }: Client,
  file: string,
  token: string | undefined,
): Promise<string | undefined> {
  if (tokenVariable !== undefined || token === undefined || token === '') return undefined;
  const question = `${label} takes no variable for the token. Write the token itself into ${visibleText(file)}, which only you can read then?`;
  return (await ask.confirm(question, false)) ? token : undefined;
}
