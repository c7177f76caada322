import type { Command, CommandInvocation } from '../../kernel/index.ts';
import type { LoadParts } from './host-parts.ts';

/** `toolkit host`: the kernel for a program in another language. */
export function hostCommand(loadParts: LoadParts): Command {
  return {
    name: 'host',
    description:
      'Serve a program in another language, which starts this one and speaks with it on standard input and output (plugins/host-stdio/README.md). No configuration is read unless it asks for one.',
    readsConfiguration: false,
    examples: [{ line: 'toolkit host', does: 'what the Python SDK starts' }],
    async run({ terminal, output }) {
      const { serveHost } = await import('./serve-host.ts');
      await serveHost({ input: terminal.input, output, loadParts, stopped: stopped(terminal) });
    },
  };
}

/** Resolves at a signal. Ctrl-C reaches all programs of a terminal: what it means is for the client to say, where there is one. */
function stopped({ isInteractive }: CommandInvocation['terminal']): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGINT', () => (isInteractive ? resolve() : undefined));
    process.on('SIGTERM', () => resolve());
    process.on('SIGHUP', () => resolve());
  });
}
