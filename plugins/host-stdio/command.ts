import type { Socket } from 'node:net';
import { type Command, type CommandInvocation, excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';
import type { LoadParts } from './host-parts.ts';

/** `toolkit host`: the kernel for a program in another language. */
export function hostCommand(loadParts: LoadParts): Command {
  return {
    name: 'host',
    description:
      'Serve a program in another language, which starts this one and speaks with it on standard input and output (plugins/host-stdio/README.md). No configuration is read unless it asks for one.',
    readsConfiguration: false,
    flags: [
      {
        flag: '--fd <number>',
        description: 'speak over this descriptor, a socket, and leave standard input and output to an MCP server',
        parse: descriptor,
      },
    ],
    examples: [{ line: 'toolkit host', does: 'what the Python SDK starts' }],
    async run({ flags, terminal, output }) {
      const end = stopped(terminal);
      const { serveHost } = await import('./serve-host.ts');
      const socket = flags['fd'] === undefined ? undefined : await socketOf(flags['fd'] as number);
      await serveHost({
        input: socket ?? terminal.input,
        output: socket ?? output,
        standardOutput: socket === undefined ? undefined : output,
        loadParts,
        stopped: end,
      });
      socket?.destroy();
      // A client that waits for the end reads no more.
      if (output.writableLength > 0) output.destroy(Object.assign(new Error('nobody reads it'), { code: 'EPIPE' }));
    },
  };
}

/** Resolves at a signal. Without a terminal SIGINT is ignored: Ctrl-C reaches the client as well, and the client decides. */
function stopped({ isInteractive }: CommandInvocation['terminal']): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGINT', () => (isInteractive ? resolve() : undefined));
    process.on('SIGTERM', () => resolve());
    process.on('SIGHUP', () => resolve());
  });
}

function descriptor(value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value) && Number(value) > 2) return Number(value);
  throw new ToolkitError('INVALID_PARAMETERS', `expected the number of a descriptor above 2, received "${excerpt(value, 100)}"`);
}

async function socketOf(fd: number): Promise<Socket> {
  const net = await import('node:net');
  try {
    return new net.Socket({ fd, readable: true, writable: true });
  } catch (error) {
    throw new ToolkitError('INVALID_PARAMETERS', `--fd ${fd} is no socket that this process was given: ${excerpt(messageOf(error))}.`);
  }
}
