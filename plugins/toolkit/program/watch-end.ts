import { type Kernel, messageOf, outOfDescriptorsError, ToolkitError } from '../../../kernel/index.ts';
import { reportError } from './report-error.ts';
import type { StandardError } from './standard-error/standard-error.ts';

/** A second Ctrl-C. */
const interrupted = 130;
/** When a person is told what takes so long. */
const slowMs = 10_000;

/** What others wrote can end the process, or let it run dry: it then says so, and ends with 1. */
export interface EndWatch {
  /** This configuration file is being loaded; undefined: no longer. */
  loads(file: string | undefined): void;
  /** What is said about an error that nobody catches holds none of the secrets of this kernel. */
  masks(kernel: Kernel): void;
  /** From now on the process may end. Errors that nobody catches are still said. */
  done(): void;
}

/** Watches from this moment on for the end of the process, and for errors that nothing catches. Stack traces are shown with `isDebug`. */
export function watchEnd(isDebug: boolean, errors: StandardError): EndWatch {
  let loading: string | undefined;
  let slow: NodeJS.Timeout | undefined;
  const kernels: Kernel[] = [];
  const masked = (text: string): string => kernels.reduce((own, kernel) => kernel.mask(own), text);
  const onUncaught = (error: unknown): void => {
    watch.done();
    reportError(outOfDescriptorsError(error) === undefined ? uncaught(error, masked) : error, isDebug, errors);
    process.exit(1);
  };
  // Nothing is left that could go on, while something is still awaited.
  const onStalled = (): void => {
    watch.done();
    reportError(stalled(loading), isDebug, errors);
    process.exit(1);
  };
  const onExit = (code: number): void => {
    if (code === interrupted) return;
    reportError(ended(code, loading), isDebug, errors);
    process.exitCode = 1;
  };
  const watch: EndWatch = {
    loads(file) {
      loading = file;
      clearTimeout(slow);
      if (file === undefined) return;
      const note = `toolkit: ${file} is still being loaded after ${slowMs / 1000} s: what it awaits has not come. Ctrl-C ends this.\n`;
      slow = setTimeout(() => errors.report('warn', note), slowMs).unref();
    },
    masks(kernel) {
      kernels.push(kernel);
    },
    done() {
      clearTimeout(slow);
      process.off('beforeExit', onStalled);
      process.off('exit', onExit);
    },
  };
  process.on('beforeExit', onStalled);
  process.on('exit', onExit);
  process.once('uncaughtException', onUncaught);
  return watch;
}

function stalled(loading: string | undefined): ToolkitError {
  if (loading === undefined)
    return new ToolkitError('PLUGIN_FAILED', 'A plugin or a library awaits what never comes. With --debug the last lines show where.');
  return new ToolkitError(
    'CONFIG_INVALID',
    `${loading}: does not load: it awaits what never comes. Give every await at its top level an end.`,
  );
}

function ended(code: number, loading: string | undefined): ToolkitError {
  if (loading === undefined)
    return new ToolkitError(
      'PLUGIN_FAILED',
      `A plugin or a library ended the process (exit code ${code}) before the work was done. Have it throw an error in place of process.exit().`,
    );
  return new ToolkitError(
    'CONFIG_INVALID',
    `${loading}: does not load: it ends the process (exit code ${code}). Export a configuration, or throw an error that says what is missing.`,
  );
}

function uncaught(error: unknown, masked: (text: string) => string): ToolkitError {
  const problem = masked(messageOf(error)).replace(/\.$/, '');
  const told = new ToolkitError(
    'PLUGIN_FAILED',
    `The configuration, a plugin or a tool left an error to nobody: ${problem}. --debug shows where it was thrown.`,
  );
  if (error instanceof Error && error.stack !== undefined) told.stack = masked(error.stack);
  return told;
}
