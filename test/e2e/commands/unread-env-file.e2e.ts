import { expect } from 'chai';
import { start } from '../program.ts';
import { setupProject } from './setup-project.ts';

const token = { 'project/.env': 'SHOP_TOKEN=sk-value\n' };

async function run(cwd: string, args: readonly string[]) {
  const { exit, stdout, stderr, child } = start(args, { cwd, env: {} });
  child.stdin?.end();
  const { code } = await exit;
  return { code, stdout: stdout(), text: stdout() + stderr() };
}

describe('a .env that no resolver reads', () => {
  const commands: readonly (readonly string[])[] = [['run', 'shop_order'], ['secrets', 'check'], ['doctor']];
  for (const args of commands) {
    it(`is named by toolkit ${args.join(' ')} where it would help, without a value`, async () => {
      const { cwd } = await setupProject(token);
      const { text } = await run(cwd, args);
      expect(text.replaceAll(/\s+/g, ' ')).to.include(
        'The file .env of the project has SHOP_TOKEN, and no resolver reads it: start with --secrets env,dotenv',
      );
      expect(text).not.to.include('sk-value');
    });
  }

  const silent: readonly (readonly [title: string, files: Readonly<Record<string, string>>])[] = [
    ['there is none', {}],
    ['it has other names', { 'project/.env': 'OTHER=1\n' }],
    ['it has no value for the name', { 'project/.env': 'SHOP_TOKEN=\n' }],
    ['it is a folder', { 'project/.env/file': '' }],
  ];
  for (const [title, files] of silent) {
    it(`is not named where ${title}`, async () => {
      const { cwd } = await setupProject(files);
      const { code, text } = await run(cwd, ['secrets', 'check']);
      expect(code).to.equal(1);
      expect(text).not.to.include('.env of the project');
    });
  }

  it('is read by secrets check with --secrets, which then finds what the setup finds', async () => {
    const { cwd } = await setupProject(token);
    const { code, stdout } = await run(cwd, ['secrets', 'check', '--secrets', 'env,dotenv', '--json']);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout).find(({ secret }: { secret: string }) => secret === 'SHOP_TOKEN'))
      .to.have.property('resolver')
      .that.includes('dotenv');
  });

  it('is read by toolkit run with --secrets', async () => {
    const { cwd } = await setupProject({
      ...token,
      'project/tools/shop/show.yaml':
        'name: shop_show\ndescription: Says whether it has the token.\nrisk: low\nexecution: { type: command, command: sh, args: ["-c", "test -n \\"$T\\" && echo yes"], env: { T: "{SHOP_TOKEN}" } }\n',
    });
    expect((await run(cwd, ['run', 'shop_show'])).text).to.include('Missing required parameter: SHOP_TOKEN');
    expect((await run(cwd, ['run', 'shop_show', '--secrets', 'env,dotenv', '--output', 'raw'])).stdout).to.equal('yes\n');
  });
});
