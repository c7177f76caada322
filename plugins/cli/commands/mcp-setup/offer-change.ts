import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type CommandInvocation, messageOf, ToolkitError } from '../../../../kernel/index.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { paint } from '../../terminal/paint.ts';
import type { Prompts } from '../../terminal/prompts.ts';
import { type Client, type ServerEntry, tokenName } from './clients/clients.ts';
import { changeOf, makeChange } from './clients/write-entry.ts';
import { configurations, type PlacedClient, projectFileAdvice, remarkOn } from './configurations.ts';
import type { Plan } from './plan.ts';
import { prose } from './report/prose.ts';
import { writtenReport } from './report/written-report.ts';
import type { SetupFlags } from './setup-flags.ts';

/**
 * Shows the change of a client's file and asks before it is written, also when an entry connects to another server. Shows the
 * configuration to paste when the file cannot be written. Returns the written file.
 */
export async function offerChange(
  { terminal, note, env }: CommandInvocation,
  ask: Prompts,
  plan: Plan,
  own: PlacedClient,
  given: Pick<SetupFlags, 'isOfProject' | 'isReplaced' | 'token'> & { readonly doesWork: boolean },
): Promise<string | undefined> {
  const { client, file, isInstalled } = own;
  const { doesWork, isOfProject } = given;
  const transport = plan.transports[0] ?? 'stdio';
  const toPaste = async (why: string): Promise<undefined> => {
    note(`\n${await prose(terminal, why)}${configurations(terminal, plan, transport, [own])}`);
    return undefined;
  };
  if (file === undefined) return toPaste('');
  if (!isInstalled) return toPaste(`${client.label} was not found here. To paste, once it is installed:\n`);
  try {
    if (isOfProject) await mkdir(path.dirname(file), { recursive: true });
    const token =
      transport === 'http'
        ? (given.token ?? (await askToken(ask, client, file, env[tokenName] || plan.project.scan.server.mcpToken)))
        : undefined;
    const entry = (name?: string): ServerEntry =>
      plan.entryOf(client, transport, { ...(name === undefined ? {} : { name }), ...(token === undefined ? {} : { token }) });
    let change = await changeOf(terminal, client, file, entry());
    if (change.conflict !== undefined && change.otherName !== undefined && !given.isReplaced) {
      const answer = await ask.one(`${client.label} has an entry "${plan.name}", which ${visibleText(change.conflict)}.`, [
        { value: 'beside', label: `write this one beside it, as "${change.otherName}"` },
        { value: 'replace', label: 'put this one in its place', hint: 'a copy of the file is kept' },
        { value: 'leave', label: 'leave the file as it is' },
      ]);
      if (answer === 'leave') return undefined;
      if (answer === 'beside') change = await changeOf(terminal, client, file, entry(change.otherName));
    }
    if (change.diff !== '') {
      const title = `${client.label}: ${change.read.exists ? 'changes in' : 'a new file,'} ${visibleText(file)}`;
      const remark = remarkOn(client, transport, token !== undefined);
      note(`\n${paint(terminal, 'heading', title)}\n${change.diff}`);
      if (remark !== undefined) note(await prose(terminal, `${remark}\n`));
      if (isOfProject) note(await prose(terminal, await projectFileAdvice(file)));
      if (!(await ask.confirm(doesWork ? 'Write this?' : 'The test failed. Write this all the same?', doesWork))) {
        note(`${visibleText(file)} is left as it is.\n`);
        return undefined;
      }
    }
    const written = await makeChange(change, new Date());
    note(`\n${writtenReport(written)}`);
    return written.isChanged ? written.file : undefined;
  } catch (error) {
    if (!ToolkitError.is(error) || error.code === 'ABORTED') throw error;
    return toPaste(`${paint(terminal, 'warning', visibleText(messageOf(error)))} To paste:\n`);
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
