import { existsSync } from 'node:fs';
import path from 'node:path';
import { type CallContext, type Change, type DraftCall, isPlainObject, type Preview, riskLevels } from '../../kernel/index.ts';
import type { Activates } from '../shared/approval/activates.ts';
import type { PendingChange } from '../shared/approval/human-request.ts';
import { checkDefinition, headOf, refuseErrors } from '../shared/definition-files/check-definition.ts';

/** Returns the pending changes of a reload: providers first, then tools, the riskiest first. */
export function pendingChangesOf({ changes }: Preview): readonly PendingChange[] {
  return changes.map(toPendingChange).sort((a, b) => rankOf(b) - rankOf(a));
}

/** Returns the files that a call would write. Throws INVALID_PARAMETERS for a definition with errors, which no person is asked about. */
export function pendingFiles(
  { parameters }: DraftCall,
  names: Exclude<Activates, 'reload'>,
  { tools }: Pick<CallContext, 'tools'>,
): readonly PendingChange[] {
  const yaml = String(parameters[names.definition] ?? '');
  const directory = path.resolve(String(parameters[names.directory] ?? '.'));
  const files = filesIn(parameters[names.files ?? '']);
  const { name, ...head } = headOf(yaml);
  const file = path.join(directory, `${name ?? 'tool'}.yaml`);
  refuseErrors(checkDefinition(yaml, tools, { file, directory, siblings: files.map((beside) => beside.name) }), name);
  const definitionFile = { kind: 'tool', name, ...head, file, text: yaml } as const;
  const beside = files.map(
    ({ name: own, content }) => ({ kind: 'file', name: own, file: path.join(directory, own), text: content }) as const,
  );
  return [definitionFile, ...beside].map((one) => ({ ...one, change: existsSync(one.file) ? 'changed' : 'new' }));
}

/** Lists the names of pending changes, for use in a sentence. */
export function describeChanges(changes: readonly PendingChange[]): string {
  const named = changes.slice(0, 3).map(({ change, kind, name }) => `the ${change} ${kind} "${name}"`);
  const more = changes.length - named.length;
  return `${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

function toPendingChange(change: Change): PendingChange {
  if (change.kind === 'provider') {
    const { name, definition, origin } = change.provider;
    return { kind: 'provider', change: change.change, name, ...fileOf(origin), text: linesOf(definition) };
  }
  if (change.kind !== 'tool') {
    const { kind, name, definition, source, differs } = change.pending;
    return {
      kind,
      change: change.change,
      name,
      text: [`source: ${JSON.stringify(source)}`, ...differingLines(differs), linesOf(definition)].join('\n'),
    };
  }
  const { name, risk, execution, origin, definition } = change.tool;
  if (origin.source !== undefined) {
    const lines = [`source: ${JSON.stringify(origin.source.name)}`, ...differingLines(change.differs), linesOf(definition)];
    return { kind: 'tool', change: change.change, name, risk, text: lines.join('\n') };
  }
  const code = change.code.map(({ file, sha256 }) => `code ${JSON.stringify(file)}, sha256 ${sha256 || 'unknown: it cannot be read'}`);
  return { kind: 'tool', change: change.change, name, risk, ...fileOf(origin), text: [...code, linesOf(execution)].join('\n') };
}

function differingLines(members: readonly string[] = []): readonly string[] {
  return members.length === 0 ? [] : [`differs: ${members.join(', ')}`];
}

function rankOf({ risk }: PendingChange): number {
  return risk === undefined ? riskLevels.length : riskLevels.indexOf(risk);
}

function fileOf({ file }: { readonly file?: string }): { readonly file?: string } {
  return file === undefined ? {} : { file };
}

function linesOf(definition: object): string {
  return Object.entries(definition)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n');
}

function filesIn(value: unknown): readonly { readonly name: string; readonly content: string }[] {
  const files: readonly unknown[] = Array.isArray(value) ? value : [];
  return files.filter(isPlainObject).map(({ name, content }) => ({ name: String(name), content: String(content) }));
}
