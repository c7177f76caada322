import { type Command, type Kernel, type Risk, type Terminal, ToolkitError } from '../../../kernel/index.ts';
import { toolPathsOf } from '../../shared/flags/tool-paths.ts';
import { type ActiveRecord, readRecord } from '../../shared/pinned-code/active-record.ts';
import { CodeLedger } from '../../shared/pinned-code/code-ledger.ts';
import { findWithheld } from '../../shared/pinned-code/withheld-code.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { textTable } from '../../shared/terminal/table.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { visibleText } from '../../shared/text/visible-text.ts';

/** Difference between the definitions on disk and those that the server has loaded. */
interface Pending {
  /** `withheld`: a model wrote the file, and it was not accepted yet; or it differs from `toolkit.lock`. */
  readonly change: 'new' | 'changed' | 'removed' | 'withheld';
  readonly kind: string;
  readonly name: string;
  readonly risk?: Risk;
  readonly file?: string;
  /** Source that lists the tool or provider. */
  readonly source?: string;
  /** Difference from the lock, with the command that accepts it. */
  readonly differs?: string;
}

/** `toolkit tools pending`: shows what the next reload or start would change. */
export const toolsPendingCommand: Command = {
  name: 'tools pending',
  description:
    'Compare the tools that a server of this folder has loaded with the definitions and code on disk: a restart would load the differences. Also shows what stays withheld from models after a restart, because a model wrote it ("toolkit tools accept").',
  flags: [{ flag: '--json', description: 'print JSON' }],
  examples: [{ line: 'toolkit tools pending', does: 'what to look at before a server is started again' }],
  async run({ flags, createKernel, write, note, terminal, configFile, env }) {
    const folder = projectFolder(configFile);
    const record = await readRecord({ env, folder });
    const isRecorded = !('doubt' in record);
    const kernel = await createKernel(isRecorded ? toolPathsOf(record) : {});
    try {
      const lockedOut = lockedOutItems(kernel);
      if (!isRecorded && lockedOut.length === 0) throw noRecord(record.doubt);
      const withheld = findWithheld(kernel, new CodeLedger(folder, env)).map(
        ({ files: _files, ...shown }) => ({ change: 'withheld', ...shown }) as const,
      );
      const all: readonly Pending[] = [...lockedOut, ...withheld];
      const isWithheld = ({ kind, name }: Pending): boolean => all.some((one) => one.kind === kind && one.name === name);
      const different = isRecorded ? comparePending(record, kernel, await kernel.fingerprints()).filter((one) => !isWithheld(one)) : [];
      const pending: readonly Pending[] = [...all, ...different];
      write(flags['json'] === true ? jsonText(pending) : await report(pending, terminal));
      if (isRecorded) note(`Compared with what ${serverOf(record)} had loaded at ${visibleText(record.writtenAt)}.\n`);
      const broken = kernel.registry.problems.filter(({ severity }) => severity === 'error').length;
      if (broken > 0) note(`${broken} problems of definitions: "toolkit validate" shows them.\n`);
    } finally {
      await kernel.close();
    }
  },
};

function noRecord(doubt: string): ToolkitError {
  return new ToolkitError(
    'NOT_FOUND',
    `There is no record of what a server has loaded: ${doubt}. Only "toolkit mcp" and "toolkit dev" keep one, where the configuration lists approvalGate().`,
  );
}

/** Returns what a plugin withholds. Changes of sources are in the record: a restart accepts those. */
function lockedOutItems({ registry, sources }: Kernel): readonly Pending[] {
  const ofSources = new Set(sources.pending().map(({ name }) => name));
  return [...registry.withheld.values(), ...registry.withheldSkills.values()]
    .filter(({ kind, name }) => kind !== 'tool' || !ofSources.has(name))
    .map(({ kind, name, how, acceptedBy }) => ({ change: 'withheld', kind, name, differs: `${how}: ${acceptedBy}` }));
}

function comparePending(record: ActiveRecord, kernel: Kernel, marks: ReadonlyMap<string, string>): readonly Pending[] {
  const known = new Map(Object.entries(record.marks));
  const pending: Pending[] = [];
  for (const [key, mark] of marks) {
    const change = known.has(key) ? 'changed' : 'new';
    if (known.get(key) !== mark) pending.push({ change, ...parseKey(key), ...factsOf(key, kernel) });
    known.delete(key);
  }
  return [...pending, ...[...known.keys()].map((key) => ({ change: 'removed', ...parseKey(key) }) as const)];
}

function parseKey(key: string): Pick<Pending, 'kind' | 'name'> {
  const end = key.indexOf(' ');
  return { kind: key.slice(0, end), name: key.slice(end + 1) };
}

function factsOf(key: string, { registry }: Kernel): Pick<Pending, 'risk' | 'file' | 'source'> {
  const { kind, name } = parseKey(key);
  const tool = kind === 'tool' ? registry.tools.get(name) : undefined;
  const { file, source } = (tool ?? registry.providers.get(name))?.origin ?? {};
  return {
    ...(tool === undefined ? {} : { risk: tool.risk }),
    ...(file === undefined ? {} : { file }),
    ...(source === undefined ? {} : { source: source.name }),
  };
}

async function report(pending: readonly Pending[], terminal: Terminal): Promise<string> {
  if (pending.length === 0) return 'Nothing is new or different.\n';
  const rows = pending.map(
    ({ change, kind, name, risk = '', source, differs = source === undefined ? '' : `source ${source}`, file = differs }) => [
      change,
      visibleText(kind),
      paint(terminal, 'name', visibleText(name)),
      risk,
      visibleText(file),
    ],
  );
  return textTable(terminal, [{}, {}, {}, {}, { narrow: 'cut' }], rows);
}

function serverOf({ pid }: ActiveRecord): string {
  try {
    process.kill(pid, 0);
    return `the server with process ${pid}`;
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EPERM';
    return isThere ? `the server with process ${pid}` : `the last server (process ${pid}, which has ended)`;
  }
}
