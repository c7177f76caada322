import path from 'node:path';
import { expect } from 'chai';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { testKernel } from '../../support/test-kernel.ts';

const secret = 'sk-0123456789abcdefghijklmnopqrstuvwxyz';
// The secret stands across the place where an excerpt ends.
const script = `const filler = 'x'.repeat(190);`;
const yaml = (name: string, execution: string): string => `name: ${name}\ndescription: d\n${execution}`;

const files = {
  'in-process.yaml': yaml('in_process', 'secrets: [API_SECRET]\nexecution: { type: function, code: ./fail.mjs }\n'),
  'in-thread.yaml': yaml('in_thread', 'secrets: [API_SECRET]\nexecution: { type: function, code: ./fail.mjs, worker: true }\n'),
  'fail.mjs': `export default (_, { secrets }) => { ${script} throw new Error(filler + secrets.API_SECRET); };`,
  'in-python.yaml': yaml('in_python', 'secrets: [API_SECRET]\nexecution: { type: function, code: ./fail.py }\n'),
  'fail.py': "def run(params, context):\n    raise ValueError('x' * 475 + context.secrets['API_SECRET'])\n",
  'command.yaml': yaml(
    'command',
    `execution: { type: command, command: node, args: [-e, "${script} console.error(filler + process.argv[1]); process.exit(1)", '{API_SECRET}'] }\n`,
  ),
  'json.yaml': yaml(
    'json',
    `execution: { type: command, command: node, args: [-e, "console.log('x'.repeat(90) + process.argv[1])", '{API_SECRET}'], parse: json }\n`,
  ),
};

describe('an error that quotes a secret at the place where it is cut', () => {
  for (const [tool, code] of Object.entries({
    in_process: 'EXECUTION_FAILED',
    in_thread: 'EXECUTION_FAILED',
    in_python: 'EXECUTION_FAILED',
    command: 'EXECUTION_FAILED',
    json: 'OUTPUT_INVALID',
  } as const)) {
    it(`shows no part of it when ${tool} fails`, async () => {
      const folder = await temporaryFolder(files);
      const kernel = await testKernel({
        plugins: [credentialsPlaceholder(), executorCommand(), toolFiles({ toolPaths: [path.join(folder)] })],
      });
      const error = await rejection(kernel.execute(tool, {}, { credentials: { API_SECRET: secret } }), code);
      expect(JSON.stringify([error, error.message]))
        .to.include('xxxx')
        .and.not.include(secret.slice(0, 5));
    });
  }
});
