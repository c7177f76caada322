import type { HostParts } from '../../host-stdio/host-parts.ts';
import { MCPServer } from '../mcp-server.ts';
import { Toolkit } from '../toolkit.ts';
import { clientOptions } from './client-options.ts';

/** What `toolkit host` is made of. */
export const hostParts: HostParts = {
  async openToolkit(options, client) {
    return Toolkit.init(await clientOptions(options, client));
  },
  async startServer(options, client, output) {
    const server = new MCPServer(await clientOptions(options, client));
    await server.start(output === undefined ? {} : { output });
    return {
      url: server.url,
      token: server.getActiveToken(),
      kernel: server.kernel,
      ended: server.ended,
      stop: (how) => server.stop(how),
    };
  },
  modelCalls() {
    throw new Error('not yet');
  },
  modelForm() {
    throw new Error('not yet');
  },
};
