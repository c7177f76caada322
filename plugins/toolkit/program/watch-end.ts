import { type Kernel, messageOf, outOfDescriptorsError, ToolkitError } from '../../../kernel/index.ts';
import { reportError } from './report-error.ts';
import type { StandardError } from './standard-error/standard-error.ts';

/** Exit code after a second Ctrl-C. */
const interrupted = 130;
/** Delay before a slow load is reported, in milliseconds. */
const slowMs = 10_000;

/** Reports when foreign code ends the process, or leaves it waiting for ever, and makes the exit code 1. */
export interface EndWatch {
  /** Sets the configuration file that is being loaded; undefined when the load has ended. */
  loads(file: string | undefined): void;
  /** Masks the secrets of this kernel in reports of uncaught errors. */
  masks(kernel: Kernel): void;
  /** Allows the process to end. Uncaught errors are still reported. */
  done(): void;
}

/** Starts to watch for the end of the process and for uncaught errors. Stack traces are printed with `isDebug`. */
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
  // The event loop is empty, while a promise is still awaited.
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
      const note = `toolkit: ${file} is still being loaded after ${slowMs / 1000} s: a promise that it awaits has not settled. Ctrl-C ends this.\n`;
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
    return new ToolkitError(
      'PLUGIN_FAILED',
      'A plugin or a library awaits a promise that never settles. With --debug the last lines show where.',
    );
  return new ToolkitError(
    'CONFIG_INVALID',
    `${loading}: does not load: it awaits a promise that never settles. Make every await at its top level end.`,
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
    `The configuration, a plugin or a tool threw an error that nothing caught: ${problem}. --debug shows where it was thrown.`,
  );
  if (error instanceof Error && error.stack !== undefined) told.stack = masked(error.stack);
  return told;
}
