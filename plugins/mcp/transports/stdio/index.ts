import type { Transport } from '../transport.ts';

/** One client that has started this process: requests on standard input, answers on standard output. */
export interface StdioTransport extends Transport<Record<never, never>> {}

export const stdio: StdioTransport = {
  options: {},
  ownsStdout: true,
  async start({ protocol, output }) {
    const { serveStdio } = await import('./serve-stdio.ts');
    return serveStdio(protocol, output);
  },
};
