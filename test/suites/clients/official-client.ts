import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { textOf } from '../../e2e/program.ts';
import { closeAfterTest, type OpenForeign, token } from './foreign.ts';

/** The official client. `mode`: how it finds out of which era the server is. Over HTTP only. */
export const officialClient =
  (mode: 'legacy' | 'auto'): OpenForeign<'http'> =>
  async ({ url }) => {
    const client = new Client({ name: 'suite', version: '1.0.0' }, { versionNegotiation: { mode } });
    closeAfterTest(() => client.close());
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    );
    const { tools } = await client.listTools();
    return {
      names: tools.map(({ name }) => name),
      call: async (name, parameters) => textOf(await client.callTool({ name, arguments: parameters })),
    };
  };
