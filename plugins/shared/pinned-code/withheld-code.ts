import path from 'node:path';
import { type CodeFile, type Kernel, keyOfCode, type Risk, unseen } from '../../../kernel/index.ts';
import type { CodeLedger } from './code-ledger.ts';

/** A tool that models cannot call, or a manifest whose new names are ignored, because a model wrote a file that was not accepted yet. */
export interface Withheld {
  readonly kind: 'tool' | 'manifest';
  readonly name: string;
  readonly risk?: Risk;
  /** The first file. */
  readonly file: string;
  /** The files in their present state. */
  readonly files: readonly CodeFile[];
}

/** Finds the files that were not accepted, among the tools of a kernel and the manifests that discovery read. */
export function findWithheld({ registry }: Pick<Kernel, 'registry'>, ledger: CodeLedger): readonly Withheld[] {
  const written = new Map(ledger.unaccepted().map((file) => [keyOfCode(file), file]));
  const found: Withheld[] = [];
  for (const tool of registry.tools.values()) {
    const files = (tool.code ?? []).flatMap((file) => (file.sha256 === unseen ? (written.get(keyOfCode(file)) ?? []) : []));
    const [first] = files;
    if (first !== undefined) found.push({ kind: 'tool', name: tool.name, risk: tool.risk, file: first.file, files });
  }
  for (const manifest of registry.pinned) {
    const file = written.get(keyOfCode(manifest));
    if (file !== undefined) found.push({ kind: 'manifest', name: path.basename(file.file), file: file.file, files: [file] });
  }
  return found;
}
