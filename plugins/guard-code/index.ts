import path from 'node:path';
import Type from 'typebox';
import { apiVersion, type Call, definePlugin, type Registry, type Tool } from '../../kernel/index.ts';
import { CodeLedger } from '../shared/pinned-code/code-ledger.ts';
import { WatchedCode } from './watched-code.ts';
import { writtenPaths } from './written-paths.ts';

/**
 * Remembers which contents of pinned code a call of a model has written, so that a restart or a reload of the operator does not make them callable:
 * `toolkit tools accept` does, or a person who is asked when a model reloads. What the operator writes needs nobody.
 */
export const guardCode = definePlugin({
  name: 'guard-code',
  apiVersion,
  optionsSchema: Type.Object({}, { additionalProperties: false }),
  apply(kernel) {
    const ledger = new CodeLedger(kernel.cwd);
    kernel.extend.controlFiles(path.dirname(ledger.file), { what: 'what models wrote', read: false });
    kernel.hooks.discover.tap('guard-code', (sink) => {
      if (sink.isShown) return;
      for (const { file, part, sha256 } of ledger.unaccepted()) sink.unseen({ file, ...(part === undefined ? {} : { part }), sha256 });
    });
    const watched = new WatchedCode(() => kernel.kernel.registry);
    // Calls that run now, and what they were about to write.
    const running = new Map<string, { readonly hasBegun: boolean }>();
    const appliesTo = mayWrite;
    kernel.hooks.execute.for('*').tap({ name: 'guard-code', stage: 2000, appliesTo }, (call: Call) => {
      if (call.origin !== 'model' || watched.isEmpty) return undefined;
      watched.look();
      const begun = watched.filesAt(writtenPaths(call));
      // Before the write: a process that is killed in the middle of it leaves at least this.
      ledger.addBegan(call.id, call.tool.name, begun);
      running.set(call.id, { hasBegun: begun.length > 0 });
      return undefined;
    });
    kernel.hooks.settled.tap({ name: 'guard-code', appliesTo }, ({ id, toolName }) => {
      const call = running.get(id);
      if (call === undefined) return;
      running.delete(id);
      const { registry } = kernel.kernel;
      const packages = packagesOf(registry);
      // What a reload of this very call has linked was shown to a person.
      const linked = linkedIn(registry);
      const changed = watched.look().filter((file) => !linked.has(contentOf(file)));
      ledger.addWritten(changed.map((file) => ({ ...file, tool: toolName, packages })));
      if (call.hasBegun) ledger.addEnded(id);
    });
    kernel.extend.ready(() => void kernel.kernel.onReload((registry) => acceptShown(ledger, registry)));
  },
});

/** Tools that say of themselves that they only read are believed: the operator or an installation wrote that. */
function mayWrite({ annotations }: Tool): boolean {
  return annotations.readOnlyHint !== true;
}

/** What nobody had accepted is withheld in every reload but one that was shown to a person: what runs now has been seen. */
function acceptShown(ledger: CodeLedger, registry: Registry): void {
  const linked = linkedIn(registry);
  const packages = packagesOf(registry);
  const seen = ledger
    .unaccepted()
    .filter(
      (file) =>
        linked.has(contentOf(file)) ||
        (registry.pinned.some(({ file: manifest }) => manifest === file.file) &&
          packages.some((name) => file.packages?.includes(name) === false)),
    );
  ledger.accept(seen);
}

function linkedIn({ tools }: Registry): ReadonlySet<string> {
  return new Set([...tools.values()].flatMap(({ code = [] }) => code.map(contentOf)));
}

function contentOf({ file, part = '', sha256 }: { readonly file: string; readonly part?: string; readonly sha256: string }): string {
  return `${file}\0${part}\0${sha256}`;
}

function packagesOf({ tools }: Registry): readonly string[] {
  return [...new Set([...tools.values()].flatMap(({ origin }) => origin.package?.name ?? []))];
}
