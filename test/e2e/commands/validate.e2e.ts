import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { terminal } from '../../support/terminal.ts';
import { program } from '../program.ts';

const good = `name: say
description: Prints a text as it is, for trying things out.
parameters:
  text: { type: string, required: true, description: What to print. }
execution: { type: command, command: echo, args: ['text={text}'] }
output_schema: { type: string }
examples: [{ parameters: { text: hello }, output: hello }]
`;
const open = good.replace('parameters:', 'requires_aproval: true\nparameters:').replace('name: say', 'name: pay');
const terse = good.replace(/^examples.*$/m, '').replace('name: say', 'name: terse');

const config = 'plugins:\n  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false, includeCore: false }]\n';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function validate(cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const { PATH = '' } = process.env;
    execFile(process.execPath, ['--', program, 'validate', ...args], { cwd, env: { PATH, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe('toolkit validate', () => {
  // All 255 tools of a clone, on a slow machine.
  it('prints what is wrong in all that the configuration loads, once, and ends with 1', async () => {
    const cwd = await temporaryFolder({
      'toolkit.config.yaml': config,
      'tools/say.yaml': good,
      'tools/pay.yaml': open,
      'tools/terse.yaml': terse,
      'elsewhere/pay.yaml': open,
    });
    expect(await validate(cwd)).to.deep.equal({
      code: 1,
      stdout: `tools/pay.yaml:3:1: error: requires_aproval is not known here. Did you mean "requires_approval"?
tools/terse.yaml:1:1: warning: examples are missing. Show one call: examples: [{ description: …, parameters: {…} }]
3 tools, 0 providers, 0 skills: 1 error, 1 warning
`,
      stderr: 'toolkit: TOOL_INVALID: The definitions have 1 error. Correct them, then validate again.\n',
    });
  });

  it('looks at the given paths alone, without a configuration as well, and ends with 0 when nothing is wrong', async () => {
    const cwd = await temporaryFolder({ 'tools/say.yaml': good, 'tools/pay.yaml': open, 'more/terse.yaml': terse });
    expect(await validate(cwd, ['tools/say.yaml', 'more/'])).to.deep.equal({
      code: 0,
      stdout: `more/terse.yaml:1:1: warning: examples are missing. Show one call: examples: [{ description: …, parameters: {…} }]
2 tools, 0 providers, 0 skills: 0 errors, 1 warning
`,
      stderr: '',
    });
  });

  it('finds nothing wrong with what this package brings', async () => {
    const { code, stdout } = await validate(
      await temporaryFolder({
        'toolkit.config.yaml': config.replace('includeCore: false', 'includeCore: true').replace('toolPaths: [tools], ', ''),
      }),
    );
    expect({ code, stdout }).to.satisfy(() => code === 0 && /^\d+ tools, .*: 0 errors, 0 warnings\n$/.test(stdout), stdout);
  });

  const ownPackage = '{ "name": "@toolkit/core", "type": "module" }';
  const sources: { title: string; cwd: () => Promise<string>; paths: string[] }[] = [
    { title: 'in a clone', cwd: async () => '.', paths: ['tools'] },
    { title: 'of one group in a clone', cwd: async () => '.', paths: ['tools/core/git'] },
    {
      title: 'in one file of a clone, and another twice',
      cwd: async () => '.',
      paths: ['tools/core/web/web_head.yaml', 'tools/core/json', 'tools/core/json'],
    },
    {
      title: 'in another clone, as a link',
      cwd: async () => {
        const cwd = await temporaryFolder({ 'clone/package.json': ownPackage });
        await cp('tools/core/text', path.join(cwd, 'clone/tools/core/text'), { recursive: true });
        await symlink('clone', path.join(cwd, 'link'));
        return cwd;
      },
      paths: ['link'],
    },
    {
      title: 'in another clone, by a copy of this package in the project',
      cwd: async () => {
        const cwd = await temporaryFolder({ 'package.json': ownPackage });
        await cp('tools/core/time', path.join(cwd, 'tools/core/moved'), { recursive: true });
        return cwd;
      },
      paths: ['tools/core'],
    },
  ];
  for (const { title, cwd, paths } of sources)
    it(`takes what this package brings for what it is: ${title}`, async () => {
      const { code, stdout } = await validate(await cwd(), paths);
      expect({ code, stdout }).to.satisfy(() => code === 0 && /^[1-9]\d* tools, .*: 0 errors, 0 warnings\n$/.test(stdout), stdout);
    });

  it('finds what is wrong in a clone of this package', async () => {
    const named = (name: string): string => good.replace('name: say', `name: ${name}`);
    const cwd = await temporaryFolder({
      'package.json': ownPackage,
      'tools/core/text/text_slugify.yaml': named('text_slugify').replace('type: string, required', 'type: strung, required'),
      'tools/core/text/text_diff.yaml': named('text_diff'),
      'tools/core/text/text_diff2.yaml': named('text_diff'),
      'more/time_now.yaml': named('time_now'),
    });
    const { code, stdout } = await validate(cwd, ['tools/core/text', 'more', '--format', 'json']);
    const { problems } = JSON.parse(stdout) as { problems: { file: string; rule: string; message: string }[] };
    expect(code).to.equal(1);
    expect(problems.map(({ file, rule }) => [file, rule])).to.deep.equal([
      ['more/time_now.yaml', 'TOOL_DUPLICATE'],
      ['tools/core/text/text_diff2.yaml', 'TOOL_DUPLICATE'],
      ['tools/core/text/text_slugify.yaml', 'TOOL_INVALID'],
    ]);
  });

  for (const manifest of ['{ "name": "a-project" }', '{ "private": true }'])
    it(`refuses a name of this package in a project of another name: ${manifest}`, async () => {
      const cwd = await temporaryFolder({
        'package.json': manifest,
        'tools/core/text/text_diff.yaml': good.replace('name: say', 'name: text_diff'),
      });
      const { code, stdout } = await validate(cwd, ['tools']);
      expect(code).to.equal(1);
      expect(stdout).to.include('the name belongs to a tool that comes with this program');
    });

  const limits = [
    { args: ['--max-warnings', '1'], code: 0, stderr: '' },
    {
      args: ['--max-warnings', '0'],
      code: 1,
      stderr: 'toolkit: TOOL_INVALID: The definitions have 1 warning, and --max-warnings allows 0. Correct them, then validate again.\n',
    },
  ];
  for (const { args, code, stderr } of limits) {
    it(`ends with ${code} for one warning and ${args.join(' ')}`, async () => {
      const ended = await validate(await temporaryFolder({ 'tools/terse.yaml': terse }), ['tools', ...args]);
      expect({ code: ended.code, stderr: ended.stderr }).to.deep.equal({ code, stderr });
    });
  }

  const wrong = [
    { title: 'an unknown format', args: ['--format', 'xml'], says: 'expected text, json, sarif or github, received "xml"' },
    {
      title: 'a path that does not exist',
      args: ['tools', 'tolls'],
      says: '/tolls',
    },
    { title: 'a limit that is no number', args: ['--max-warnings', 'few'], says: 'expected a whole number from 0, received "few"' },
    { title: 'an unknown flag', args: ['--stric'], says: "unknown option '--stric'" },
  ];
  for (const { title, args, says } of wrong) {
    it(`ends with 2 for ${title}`, async () => {
      const { code, stdout, stderr } = await validate(await temporaryFolder({ 'tools/say.yaml': good }), args);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.include(says);
    });
  }

  it('keeps standard output for the report whatever is logged', async () => {
    const cwd = await temporaryFolder({ 'tools/pay.yaml': open });
    const { stdout, stderr } = await validate(cwd, ['tools', '--format', 'json'], { TOOLKIT_LOG_LEVEL: 'debug', FORCE_COLOR: '1' });
    expect(JSON.parse(stdout)).to.include({ tools: 1, errors: 1 });
    expect(stderr).to.include('definition file');
  });
});

describe('toolkit validate in a terminal', () => {
  it('shows each problem with its place', async () => {
    const cwd = await temporaryFolder({
      'tools/one.yaml': 'name: one_tool\ndescripton: Says hello.\nrisk: huge\nexecution: { type: command, command: echo }\n',
      'tools/two.yaml': 'name: two_tool\ndescription: Says hello.\nexecution: { type: http, url: https://example.org/{id} }\n',
    });
    const { ended, screen } = terminal(['validate', 'tools'], { cwd, columns: 120 });
    expect(await ended).to.equal(1);
    await matchesSnapshot('validate', screen());
  });
});
