import { type CommandInvocation, type Kernel, ToolkitError } from '../../../../kernel/index.ts';
import { ChangeBatches } from '../../../shared/folder-watch/change-batches.ts';
import { watchFolders } from '../../../shared/folder-watch/watch-folders.ts';
import { watchedFolders } from '../../../shared/folder-watch/watched-folders.ts';
import { serverOfCommand } from '../../../shared/pinned-code/server-of-command.ts';
import { projectFolder } from '../../../shared/project/project-folder.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { BufferedLogger } from './buffered-logger.ts';
import { CallPrinter } from './call-printer.ts';
import { Journal } from './journal.ts';
import { Reloader } from './reloader.ts';
import { serverEvents } from './server-events.ts';
import { welcome } from './welcome.ts';

/** Serves, watches and reports until it is interrupted. */
export async function develop(invocation: CommandInvocation): Promise<void> {
  const { flags, serve, note, terminal, configFile, createKernel } = invocation;
  const startedAt = Date.now();
  const journal = await Journal.open(terminal, note);
  const project = projectFolder(configFile);
  const log = new BufferedLogger();
  let watched: readonly string[] = [];
  let calls: CallPrinter | undefined;
  const events = serverEvents({
    onEnd: (end) => calls?.print(end),
    onServe: () => journal.printText(welcome(kernel, watched, flags['transport'] === 'stdio')),
  });
  const kernel: Kernel = await createKernel(
    {},
    serverOfCommand(flags, (options) => ({ ...options, logger: log.wrap(options.logger), plugins: [events, ...options.plugins] })),
  );
  calls = new CallPrinter(journal, kernel);
  const reloader = new Reloader(kernel, journal, log, configFile);
  const changes = new ChangeBatches((files) => reloader.reload(files));
  let stopWatching = (): void => {};
  try {
    await reloader.start();
    watched = watchedFolders(kernel, project);
    const listeners = {
      onChange: (file: string) => changes.add(file),
      onError: (message: string) =>
        journal.printLine('bad', visibleText(`some changes may be missed: ${message}. Start again after a change.`)),
    };
    stopWatching = watchFolders([...watched, ...(configFile === undefined ? [] : [configFile])], listeners, startedAt);
    await serve(kernel);
  } catch (error) {
    throw withAdvice(error);
  } finally {
    changes.close();
    stopWatching();
    await kernel.close();
  }
}

/** Adds a hint to EADDRINUSE: a server of an earlier start often still runs. */
function withAdvice(error: unknown): unknown {
  const isTaken = ToolkitError.is(error) && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
  return isTaken ? new ToolkitError(error.code, `${error.message} --port 0 takes a free one.`, error.details, { cause: error }) : error;
}
