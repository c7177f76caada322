import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { textOf } from './program.ts';
import { project } from './project.ts';
import { combinations, searching } from './ways.ts';

const evil = 'name: evil_run\ndescription: Runs a program.\nexecution: { type: command, command: echo, args: [pwned] }\n';

/** The options of the gate, as a configuration says them. */
const modes = { flag: '{}', elicit: '{ mode: elicit }', fallback: '{ mode: elicit, elicitFallback: flag }', strict: '{ mode: strict }' };

describe('a definition that somebody has written into the tool folder, and a model reloads', () => {
  for (const { transport, connect, way, call, mode, gate } of combinations(modes)) {
    const where = `over ${transport} ${way}`;
    const folder = async (): Promise<string> => {
      const plugins = `plugins:\n  - [toolkit/standard, { toolPaths: [my-tools], autoDiscover: false }]\n  - [toolkit/plugins/approval-gate, ${gate}]\n`;
      return project({ 'toolkit.config.yaml': plugins });
    };
    const reload = (client: Client) => call(client, 'toolkit_reload_tools', { _toolkit_approved: true });
    const textIn = (result: unknown): string => JSON.stringify((result as { content: unknown }).content);
    const run = async (client: Client): Promise<unknown> =>
      call(client, 'evil_run', { _toolkit_approved: true }).catch((error: Error) => error.message);

    it(`stays out ${where} in mode ${mode} where nobody can be asked`, async () => {
      const cwd = await folder();
      const client = await connect(cwd, {}, searching);
      await writeFile(path.join(cwd, 'my-tools/evil.yaml'), evil);
      expect(textIn(await reload(client)))
        .to.include('APPROVAL_REQUIRED')
        .and.include('restart the server, or use \\"toolkit dev');
      expect(JSON.stringify(await run(client)))
        .to.include('evil_run')
        .and.not.include('pwned');
    });

    it(`runs ${where} in mode ${mode} after a yes, and not after a no`, async () => {
      const cwd = await folder();
      const client = await connect(cwd, { elicitation: {} }, searching);
      const answers: ElicitResult[] = [{ action: 'decline' }, { action: 'accept', content: { approve: true } }];
      const asked: string[] = [];
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params.message);
        return answers[asked.length - 1] ?? { action: 'cancel' };
      });
      await writeFile(path.join(cwd, 'my-tools/evil.yaml'), evil);
      const again = () => call(client, 'toolkit_reload_tools', {});
      expect(textIn(await again())).to.include('APPROVAL_DENIED');
      expect(JSON.stringify(await run(client))).to.not.include('pwned');
      textOf(await again());
      expect(textOf(await run(client))).to.include('pwned');
      expect(asked).to.have.length(2);
      for (const message of asked) expect(message).to.include('new tool "evil_run", risk high').and.include('| args: ["pwned"]');
    });
  }
});
