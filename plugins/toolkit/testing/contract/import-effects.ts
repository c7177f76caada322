import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
// Own text: printed by a program of ours
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { excerpt } from '../../../../kernel/index.ts';
import { codeModule, codeRoot } from '../../../shared/project/layout.ts';
import { changesBetween, type ProcessChanges, type ProcessState } from './process-state.ts';

/** Effects of importing a module, besides its definitions. */
export interface ImportEffects extends ProcessChanges {
  /** Text on standard output and standard error. */
  readonly printed: string;
  readonly connections: number;
  readonly programs: number;
  /** True when it exports a plugin where a configuration looks for it: by default, or as its only function. */
  readonly isPlugin: boolean;
  /** Reason why it cannot be imported. */
  readonly failure?: string;
}

type Report = Pick<ImportEffects, 'connections' | 'programs' | 'isPlugin' | 'failure'> & {
  readonly before: ProcessState;
  readonly after: ProcessState;
};

/** Imports a module by its URL in a process of its own. Throws when the process ends meanwhile. */
export async function importEffects(module: string): Promise<ImportEffects> {
  const probe = path.join(codeRoot(), 'plugins/toolkit/testing/contract/import-probe.mjs');
  const kernel = pathToFileURL(codeModule('kernel/index')).href;
  const child = spawn(process.execPath, [...loaderArguments(), probe, kernel, module], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const streams = child.stdio.slice(1) as NodeJS.ReadableStream[];
  const [stdout = '', stderr = '', report = ''] = await Promise.all(streams.map((stream) => text(stream)));
  const [code] = (await ended) as [number | null];
  if (report === '') throw new Error(`Importing ${module} ends the process with ${code ?? 'a signal'}. ${excerpt(stderr)}`);
  // Own text: the report of a child process.
  const { before, after, ...rest } = JSON.parse(report) as Report;
  return { ...rest, ...changesBetween(before, after), printed: stdout + stderr };
}

/** Returns the arguments of this process that control how modules are loaded. */
function loaderArguments(): readonly string[] {
  const { execArgv } = process;
  return execArgv.flatMap((argument, index) => {
    if (!/^(--import|--loader|--experimental-loader|--require|-r|--conditions|-C)(=|$)/.test(argument)) return [];
    return argument.includes('=') ? [argument] : [argument, execArgv[index + 1] ?? ''];
  });
}
