import path from 'node:path';
import Type from 'typebox';
import { apiVersion, type Call, definePlugin, type Registry, type Tool } from '../../kernel/index.ts';
import { CodeLedger } from '../shared/pinned-code/code-ledger.ts';
import { WatchedCode } from './watched-code.ts';
import { writtenPaths } from './written-paths.ts';

/**
 * Remembers the contents of pinned code that calls of models have written, so that neither a restart nor a reload by the
 * operator makes them callable. `toolkit tools accept` does, or a person who is asked when a model reloads. Code that the
 * operator writes needs no acceptance.
 */
export const guardCode = definePlugin({
  name: 'guard-code',
  apiVersion,
  optionsSchema: Type.Object({}, { additionalProperties: false }),
  apply(kernel) {
    const ledger = new CodeLedger(kernel.cwd);
    kernel.extend.controlFiles(path.dirname(ledger.file), { what: 'the record of code that models wrote', read: false });
    kernel.hooks.discover.tap('guard-code', (sink) => {
      if (sink.isShown) return;
      for (const { file, part, sha256 } of ledger.unaccepted()) sink.unseen({ file, ...(part === undefined ? {} : { part }), sha256 });
    });
    const watched = new WatchedCode(() => kernel.kernel.registry);
    // Running calls, and whether they were about to write to watched code.
    const running = new Map<string, { readonly hasBegun: boolean }>();
    const appliesTo = mayWrite;
    kernel.hooks.execute.for('*').tap({ name: 'guard-code', stage: 2000, appliesTo }, (call: Call) => {
      if (call.origin !== 'model' || watched.isEmpty) return undefined;
      watched.check();
      const filesToWrite = watched.filesAt(writtenPaths(call));
      // Before the write, so that a process that is killed during it leaves at least this record.
      ledger.addBegan(call.id, call.tool.name, filesToWrite);
      running.set(call.id, { hasBegun: filesToWrite.length > 0 });
      return undefined;
    });
    kernel.hooks.settled.tap({ name: 'guard-code', appliesTo }, ({ id, toolName }) => {
      const call = running.get(id);
      if (call === undefined) return;
      running.delete(id);
      const { registry } = kernel.kernel;
      const packages = packagesOf(registry);
      // A person was shown the code that a reload by this very call has linked.
      const linked = linkedIn(registry);
      const changed = watched.check().filter((file) => !linked.has(contentKey(file)));
      ledger.addWritten(changed.map((file) => ({ ...file, tool: toolName, packages })));
      if (call.hasBegun) ledger.addEnded(id);
    });
    kernel.extend.ready(() => void kernel.kernel.onReload((registry) => acceptLinked(ledger, registry)));
  },
});

/** True for tools that may write. `readOnlyHint` is trusted, because the operator or an installation wrote it. */
function mayWrite({ annotations }: Tool): boolean {
  return annotations.readOnlyHint !== true;
}

/**
 * Accepts the code that a reload has linked. Unaccepted code is withheld in every reload that was not shown to a person, so a
 * person has seen the code that runs now.
 */
function acceptLinked(ledger: CodeLedger, registry: Registry): void {
  const linked = linkedIn(registry);
  const packages = packagesOf(registry);
  const accepted = ledger
    .unaccepted()
    .filter(
      (file) =>
        linked.has(contentKey(file)) ||
        (registry.pinned.some(({ file: manifest }) => manifest === file.file) &&
          packages.some((name) => file.packages?.includes(name) === false)),
    );
  ledger.accept(accepted);
}

function linkedIn({ tools }: Registry): ReadonlySet<string> {
  return new Set([...tools.values()].flatMap(({ code = [] }) => code.map(contentKey)));
}

function contentKey({ file, part = '', sha256 }: { readonly file: string; readonly part?: string; readonly sha256: string }): string {
  return `${file}\0${part}\0${sha256}`;
}

function packagesOf({ tools }: Registry): readonly string[] {
  return [...new Set([...tools.values()].flatMap(({ origin }) => origin.package?.name ?? []))];
}
