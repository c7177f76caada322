import path from 'node:path';
import { type CodeFile, type Command, didYouMean, type Kernel, ToolkitError, unseen } from '../../../kernel/index.ts';
import { toolPathsOf } from '../../shared/flags/tool-paths.ts';
import { readRecord } from '../../shared/pinned-code/active-record.ts';
import { pin } from '../../shared/pinned-code/code-file.ts';
import { CodeLedger } from '../../shared/pinned-code/code-ledger.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { findWithheld } from './withheld.ts';

/** `toolkit tools accept`: accepts code that models wrote, in its present state. */
export const toolsAcceptCommand: Command = {
  name: 'tools accept',
  description:
    'Accept the present code of tools that are withheld from models, because it has changed since it was loaded or because a model wrote it. Look at it first, with "toolkit tools pending". A running server applies this with the next call; a module that it has already loaded stays until it starts again.',
  arguments: [{ name: '[names...]', description: 'tools, or files that are listed as pending (default: all that are withheld)' }],
  examples: [
    { line: 'toolkit tools accept', does: 'all that is withheld' },
    { line: 'toolkit tools accept report_monthly', does: 'the code of one tool' },
  ],
  async run({ arguments: names, createKernel, write, configFile, env }) {
    const folder = projectFolder(configFile);
    const record = await readRecord({ env, folder });
    const kernel = await createKernel('doubt' in record ? {} : toolPathsOf(record));
    try {
      const ledger = new CodeLedger(folder, env);
      const marks = 'doubt' in record ? undefined : { now: await kernel.fingerprints(), loaded: record.marks };
      const files = filesOf(
        names,
        kernel,
        ledger,
        (name) => marks !== undefined && marks.now.get(`tool ${name}`) !== marks.loaded[`tool ${name}`],
      );
      ledger.accept(files);
      const lines = files.map(
        ({ file, part, sha256 }) => `${terminalText(part === undefined ? file : `${file} (${part})`)}  ${sha256 || 'not there'}\n`,
      );
      write(lines.length === 0 ? 'Nothing is withheld.\n' : `Accepted as it is now:\n${lines.join('')}`);
    } finally {
      await kernel.close();
    }
  },
};

/** Returns the files to accept. Without names: code that models wrote, and code of tools that has changed since a server loaded it. */
function filesOf(names: readonly string[], kernel: Kernel, ledger: CodeLedger, isChanged: (tool: string) => boolean): readonly CodeFile[] {
  const withheld = findWithheld(kernel, ledger);
  const { tools } = kernel.registry;
  const codeOf = (name: string): readonly CodeFile[] => (tools.get(name)?.code ?? []).map(({ file, part }) => pin(file, part));
  const changed = [...tools.values()].filter(({ name, code = [] }) => code.some(({ sha256 }) => sha256 === unseen) || isChanged(name));
  const all =
    names.length === 0
      ? [...withheld.flatMap(({ files }) => files), ...changed.flatMap(({ name }) => codeOf(name))]
      : names.flatMap((name) => {
          const ofFile = withheld.filter(
            ({ kind, file, name: own }) => kind === 'manifest' && (own === name || file === path.resolve(name)),
          );
          if (tools.has(name)) return codeOf(name);
          if (ofFile.length > 0) return ofFile.flatMap(({ files }) => files);
          throw unknownName(name, [...withheld.map((one) => one.name), ...tools.keys()]);
        });
  const byContent = new Map(
    all.map(({ file, part, sha256 }) => [`${file}\0${part ?? ''}`, { file, ...(part === undefined ? {} : { part }), sha256 }]),
  );
  return [...byContent.values()];
}

function unknownName(name: string, known: readonly string[]): ToolkitError {
  const shown = terminalText(name);
  return new ToolkitError(
    'INVALID_PARAMETERS',
    `There is no tool and no withheld file "${shown}".${didYouMean(name, known)} "toolkit tools pending" lists what is withheld.`,
    { name: shown },
  );
}
