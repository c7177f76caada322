import { type Kernel, messageOf, outOfDescriptorsError, ToolkitError } from '../../../kernel/index.ts';
import { reportError } from './report-error.ts';
import type { StandardError } from './standard-error/standard-error.ts';

/** Exit code after a second Ctrl-C. */
const interruptedExitCode = 130;
/** Delay before a slow load is reported, in milliseconds. */
const slowLoadMs = 10_000;

/** Reports when foreign code ends the process, or leaves it waiting for ever, and makes the exit code 1. */
export interface EndWatch {
  /** Sets the configuration file that is being loaded; undefined when the load has ended. */
  setLoading(file: string | undefined): void;
  /** Masks the secrets of this kernel in reports of uncaught errors. */
  addKernel(kernel: Kernel): void;
  /** Allows the process to end. Uncaught errors are still reported. */
  allowExit(): void;
}

/** Starts to watch for the end of the process and for uncaught errors. Stack traces are printed with `isDebug`. */
export function watchEnd(isDebug: boolean, errors: StandardError): EndWatch {
  let loading: string | undefined;
  let slow: NodeJS.Timeout | undefined;
  const kernels: Kernel[] = [];
  const maskSecrets = (text: string): string => kernels.reduce((own, kernel) => kernel.mask(own), text);
  const onUncaught = (error: unknown): void => {
    watch.allowExit();
    reportError(outOfDescriptorsError(error) === undefined ? uncaughtError(error, maskSecrets) : error, isDebug, errors);
    process.exit(1);
  };
  // The event loop is empty, while a promise is still awaited.
  const onStalled = (): void => {
    watch.allowExit();
    reportError(stalledError(loading), isDebug, errors);
    process.exit(1);
  };
  const onExit = (code: number): void => {
    if (code === interruptedExitCode) return;
    reportError(endedError(code, loading), isDebug, errors);
    process.exitCode = 1;
  };
  const watch: EndWatch = {
    setLoading(file) {
      loading = file;
      clearTimeout(slow);
      if (file === undefined) return;
      const note = `toolkit: ${file} is still being loaded after ${slowLoadMs / 1000} s: a promise that it awaits has not settled. Ctrl-C ends this.\n`;
      slow = setTimeout(() => errors.report('warn', note), slowLoadMs).unref();
    },
    addKernel(kernel) {
      kernels.push(kernel);
    },
    allowExit() {
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

function stalledError(loading: string | undefined): ToolkitError {
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

function endedError(code: number, loading: string | undefined): ToolkitError {
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

function uncaughtError(error: unknown, maskSecrets: (text: string) => string): ToolkitError {
  const problem = maskSecrets(messageOf(error)).replace(/\.$/, '');
  const reported = new ToolkitError(
    'PLUGIN_FAILED',
    `The configuration, a plugin or a tool threw an error that nothing caught: ${problem}. --debug shows where it was thrown.`,
  );
  if (error instanceof Error && error.stack !== undefined) reported.stack = maskSecrets(error.stack);
  return reported;
}
