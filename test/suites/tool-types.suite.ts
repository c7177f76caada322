import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { program } from '../e2e/program.ts';
import { compilerSays } from '../support/compiler.ts';
import { temporaryFolder } from '../support/temporary.ts';

const run = promisify(execFile);

/** Every line below a `@ts-expect-error` must be wrong for the compiler, every other one right. */
const host = `
import { Toolkit, tool } from '@toolkit/core';

await using toolkit = await Toolkit.init();

const { ts } = await toolkit.execute('slack_send_channel_message', { channel: 'C1', text: 'hello' });
export const sentAt: string | undefined = ts;
// @ts-expect-error: a parameter of another type
await toolkit.execute('slack_send_channel_message', { channel: 1, text: 'hello' });
// @ts-expect-error: a parameter that is required
await toolkit.execute('slack_send_channel_message', { text: 'hello' });
// @ts-expect-error: a parameter that is none
await toolkit.execute('slack_send_channel_message', { channel: 'C1', text: 'hello', chanel: 'C1' });
// @ts-expect-error: the parameters left out where one is required
await toolkit.execute('slack_send_channel_message');

const hash = await toolkit.execute('crypto_hash', { text: 'a', algorithm: 'sha256' });
// @ts-expect-error: a value that the enumeration does not have
await toolkit.execute('crypto_hash', { text: 'a', algorithm: 'sha257' });
// @ts-expect-error: a member that the output does not have
hash.digests;

// A tool without parameters, and one whose parameters are all optional.
await toolkit.execute('no_parameters');
await toolkit.execute('no_parameters', {});
// @ts-expect-error: it has none
await toolkit.execute('no_parameters', { a: 1 });
await toolkit.execute('time_now');

// The kernel of a toolkit, with a caller.
await toolkit.kernel.execute('text_slugify', { text: 'A b' }, { caller: 'ada' });
// @ts-expect-error: a parameter of another type
await toolkit.kernel.execute('text_slugify', { text: 1 }, { caller: 'ada' });

// Other names stay allowed.
const unknownOutput = await toolkit.execute('tool_of_tomorrow', { anything: true });
// @ts-expect-error: any JSON
unknownOutput.member;

export class Names {
  readonly toolkit = toolkit;
  @tool('text_slugify')
  slug(_parameters: { text: string }): Promise<{ slug: string }> {
    throw new Error('replaced by the tool');
  }
  // @ts-expect-error: the tool gives another result
  @tool('text_slugify')
  count(_parameters: { text: string }): Promise<number> {
    throw new Error('replaced by the tool');
  }
}
`;

describe('toolkit types', () => {
  it('gives the compiler the parameters and outputs of all shipped tools', async () => {
    const folder = await temporaryFolder({
      'package.json': JSON.stringify({ type: 'module', dependencies: { '@toolkit/slack': '*' } }),
      'host.ts': host,
      'toolkit.config.yaml': 'plugins:\n  - [toolkit/standard, { toolPaths: [./tools] }]\n',
      'tools/no_parameters.yaml':
        'name: no_parameters\ndescription: Takes nothing and gives nothing.\nexecution: { type: command, command: "true" }\n',
    });
    await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    // Not as declarations, which the compiler would not check with skipLibCheck.
    await run(process.execPath, [program, 'types', '--out', 'toolkit-tools.ts'], { cwd: folder });
    const { stdout: checked } = await run(process.execPath, [program, 'types', '--out', 'toolkit-tools.ts', '--check'], { cwd: folder });
    expect(checked).to.equal('');
    const tsconfig = {
      extends: path.resolve('tsconfig.json'),
      compilerOptions: {
        typeRoots: [path.resolve('node_modules/@types')],
        paths: { '@toolkit/core': [path.resolve('dist/plugins/toolkit/index.d.ts')] },
        noUnusedLocals: false,
      },
      include: ['*.ts'],
    };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    expect(await compilerSays(folder)).to.equal('');
  });
});
