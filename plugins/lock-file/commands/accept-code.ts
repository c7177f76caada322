import path from 'node:path';
import { type CodeFile, type CommandInvocation, type Kernel, unseen } from '../../../kernel/index.ts';
import { readRecord } from '../../shared/pinned-code/active-record.ts';
import { pin } from '../../shared/pinned-code/code-file.ts';
import { CodeLedger } from '../../shared/pinned-code/code-ledger.ts';
import { findWithheld, type Withheld } from '../../shared/pinned-code/withheld-code.ts';
import { terminalText } from '../../shared/text/visible-text.ts';

/** Code that models wrote, or that has changed since a server loaded it. */
export interface CodeToAccept {
  /** Names of what is withheld. */
  readonly names: readonly string[];
  /** True for the name or the file of something withheld. */
  isWithheld(name: string): boolean;
  /** Returns the files to accept: of these names, else all. */
  filesOf(names: readonly string[]): readonly CodeFile[];
  readonly ledger: CodeLedger;
}

/** Finds the code to accept, among the tools of a kernel and the record of the running server. */
export async function codeToAccept({ env }: Pick<CommandInvocation, 'env'>, kernel: Kernel, folder: string): Promise<CodeToAccept> {
  const record = await readRecord({ env, folder });
  const ledger = new CodeLedger(folder, env);
  const marks = 'doubt' in record ? undefined : { now: await kernel.fingerprints(), loaded: record.marks };
  const withheld = findWithheld(kernel, ledger);
  const { tools } = kernel.registry;
  const isOf = ({ kind, file, name: own }: Withheld, name: string): boolean =>
    kind === 'manifest' && (own === name || file === path.resolve(name));
  const codeOf = (name: string): readonly CodeFile[] => (tools.get(name)?.code ?? []).map(({ file, part }) => pin(file, part));
  const isChanged = (tool: string): boolean => marks !== undefined && marks.now.get(`tool ${tool}`) !== marks.loaded[`tool ${tool}`];
  const all = (): readonly CodeFile[] => {
    const changed = [...tools.values()].filter(({ name, code = [] }) => code.some(({ sha256 }) => sha256 === unseen) || isChanged(name));
    return [...withheld.flatMap(({ files }) => files), ...changed.flatMap(({ name }) => codeOf(name))];
  };
  const named = (name: string): readonly CodeFile[] =>
    tools.has(name) ? codeOf(name) : withheld.filter((one) => isOf(one, name)).flatMap(({ files }) => files);
  return {
    names: withheld.map(({ name }) => name),
    isWithheld: (name) => withheld.some((one) => isOf(one, name)),
    filesOf: (names) => unique(names.length === 0 ? all() : names.flatMap(named)),
    ledger,
  };
}

/** Accepts the code. Returns a report, empty when there was none. */
export function acceptCode({ ledger, filesOf }: CodeToAccept, names: readonly string[]): string {
  const files = filesOf(names);
  ledger.accept(files);
  const lines = files.map(
    ({ file, part, sha256 }) => `${terminalText(part === undefined ? file : `${file} (${part})`)}  ${sha256 || 'not there'}\n`,
  );
  return lines.length === 0 ? '' : `Accepted as it is now:\n${lines.join('')}`;
}

function unique(files: readonly CodeFile[]): readonly CodeFile[] {
  const byContent = new Map(
    files.map(({ file, part, sha256 }) => [`${file}\0${part ?? ''}`, { file, ...(part === undefined ? {} : { part }), sha256 }]),
  );
  return [...byContent.values()];
}
