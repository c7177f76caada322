import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { compiled } from '../../support/compiled.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { failure } from '../mcp/support/client.ts';
import { boundWorld } from './bound-world.ts';

const run = promisify(execFile);

const key = 'a key of thirty-two bytes or more';
const moduleOf = (name: string): string => JSON.stringify(path.resolve(name));

/** A server of its own, with the state folder of its account, that calls `act` with a token and says how that ended. */
const program = `
import { createKernel } from ${moduleOf('kernel/index.ts')};
import { approvalGate } from ${moduleOf('plugins/approval-gate/index.ts')};
import { executorFunction } from ${moduleOf('plugins/executor-function/index.ts')};
import { toolFiles } from ${moduleOf('plugins/tool-files/index.ts')};

const [cwd, approval] = process.argv.slice(2);
const gate = approvalGate({ mode: 'strict', key: ${JSON.stringify(key)} });
const logger = { error() {}, warn() {}, info() {}, debug() {} };
const kernel = await createKernel({ cwd, logger, plugins: [executorFunction(), toolFiles({ toolPaths: ['tools'] }), gate] });
console.log(await kernel.execute('act', {}, { origin: 'model', approval }).catch((error) => error.message));
await kernel.close();
`;

const files = {
  'server.mjs': program,
  'tools/act.yaml': 'name: act\ndescription: Acts.\nrequires_approval: true\nexecution: { type: function, code: ./act.mjs }\n',
  'tools/act.mjs': 'export default () => "ran"',
};

describe('a token of a key that processes share', () => {
  it('counts in one of them: not again in the one that gave it, nor in one that starts later', async () => {
    const folder = await temporaryFolder(files);
    const stateFolder = path.join(folder, 'state', 'toolkit');
    const gate = { mode: 'strict', key, stateFolder } as const;
    const start = () => boundWorld({ gate, folder, options: { toolPaths: ['tools'] } });
    const { call, requests } = await start();
    failure(await call('act'), 'APPROVAL_REQUIRED');
    const token = requests[0]?.token?.() ?? '';
    const env = { ...process.env, XDG_STATE_HOME: path.join(folder, 'state') };
    const { stdout } = await run(process.execPath, [await compiled(path.join(folder, 'server.mjs')), folder, token], { env });
    expect(stdout).to.equal('ran\n');
    for (const server of [call, (await start()).call]) {
      const { message } = failure(await server('act', { _toolkit_approved: token }), 'APPROVAL_REQUIRED');
      expect(message).to.include('its approval token has been used, and counts once');
    }
  });

  it('counts nowhere else: a process with the key and another state folder cannot know whether it was used', async () => {
    const folder = await temporaryFolder(files);
    const startIn = (state: string) =>
      boundWorld({ gate: { mode: 'strict', key, stateFolder: path.join(folder, state) }, folder, options: { toolPaths: ['tools'] } });
    const [giver, other, later] = [await startIn('one'), await startIn('two'), await startIn('one')];
    failure(await giver.call('act'), 'APPROVAL_REQUIRED');
    const token = giver.requests[0]?.token?.() ?? '';
    const { message } = failure(await other.call('act', { _toolkit_approved: token }), 'APPROVAL_REQUIRED');
    expect(message).to.include('or one that shares its store or state folder');
    expect(await later.call('act', { _toolkit_approved: token })).to.not.have.property('isError', true);
    failure(await giver.call('act', { _toolkit_approved: token }), 'APPROVAL_REQUIRED');
  });
});
