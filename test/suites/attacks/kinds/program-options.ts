import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { Attack, AttackKind } from '../attack.ts';

const folder = 'my-tools/options';

const secret = 'planted-options-1029384756';

interface Given {
  /** The program, and with it the name of the tool. */
  readonly program: string;
  readonly command?: string;
  readonly args: string;
  /** The parameter `x`, as flow YAML. @default a string */
  readonly x?: string;
}

const definitionOf = ({ program, command = program, args, x = '{ type: string }' }: Given): string => `name: options_${program}
description: Runs ${program} on what is given.
risk: low
parameters: { x: ${x} }
execution: { type: command, command: ${command}, args: ${args} }
`;

const list = '{ type: array, items: { type: string } }';

const tools: readonly Given[] = [
  { program: 'sort', args: '["{x}"]' },
  { program: 'tar', args: '[-cf, /dev/null, "{x}"]', x: list },
  { program: 'find', args: '[my-tools/options, "{x}", made-by-option]' },
  { program: 'grep', args: '[planted, ["{x}"]]' },
  { program: 'node', args: '["{x}"]' },
  { program: 'python3', args: '["{x}.py"]' },
  { program: 'git', args: '[diff, "{x}"]' },
  { program: 'wc', args: '["{x}"]', x: '{ type: string, default: -l }' },
  { program: 'date', args: '[--, "{x}"]' },
  { program: 'xargs', args: '["{x}"]', x: '{ type: string, enum: [-r] }' },
  { program: 'head', args: '[-n, "{x}", my-tools/options/secret.txt]', x: '{ type: integer }' },
  { program: 'seq', args: '["{x}"]', x: '{ type: string, options: true }' },
];

const schemaTool = `name: options_tail
description: Shows the end of a file.
risk: low
input_schema: { type: object, properties: { x: { type: string }, y: { type: string, enum: ["-n1"] } } }
execution: { type: command, command: tail, args: ["{y}", "{x}"] }
`;

const files = {
  ...Object.fromEntries(tools.map((tool) => [`${folder}/${tool.program}.yaml`, definitionOf(tool)])),
  [`${folder}/tail.yaml`]: schemaTool,
  [`${folder}/secret.txt`]: `${secret}\n`,
};

/** A call that is refused by the name of the parameter, and starts nothing. */
function refused(program: string, attempt: string, before: string, x: unknown, more: object = {}): Attack {
  return {
    subject: program,
    attempt,
    before,
    async run(server) {
      const result = await server.call(`options_${program}`, { x, ...more });
      expect(result, result.text.slice(0, 500)).to.include({ isError: true, code: 'INVALID_PARAMETERS' });
      expect(result.text)
        .to.match(/\bx(\[\d+\])?\\?" of \\?"options_\w+\\?" would be an option of/)
        .and.not.include(secret);
      expect(existsSync(path.join(server.cwd, 'made-by-option'))).to.equal(false);
    },
  };
}

/** A call of a core tool with an option in place of a value, which does not become one. */
function harmless(tool: string, attempt: string, parameters: object): Attack {
  return {
    subject: tool,
    attempt,
    before: 'held',
    async run(server) {
      const result = await server.call(tool, parameters);
      expect(result.text).to.not.include(secret);
      expect(existsSync(path.join(server.cwd, 'made-by-option'))).to.equal(false);
    },
  };
}

/** Makes a row for a call that an author has allowed: it must still work. */
function passed(program: string, attempt: string, x: unknown, output: RegExp): Attack {
  return {
    subject: program,
    attempt,
    before: 'passed',
    async run(server) {
      const result = await server.call(`options_${program}`, { x });
      expect(result.text).to.match(output).and.not.include('would be an option');
    },
  };
}

const attacks: readonly Attack[] = [
  refused('sort', 'writes a file by --output', 'the file was written', '--output=made-by-option'),
  refused('tar', 'runs a program by an item of a list', 'it ran', [
    '--checkpoint=1',
    '--checkpoint-action=exec=touch made-by-option',
    folder,
  ]),
  refused('find', 'writes a list of files', 'it was written', '-fprint'),
  refused('grep', 'reads the patterns of another file, in a group', 'it was read', '-f/etc/passwd'),
  refused('node', 'runs code in place of a script', 'it ran', "--eval=require('fs').writeFileSync('made-by-option','')"),
  refused('python3', 'runs code before the rest of an argument', 'it ran', "-copen('made-by-option','w')#"),
  refused('git', 'writes a file by --output', 'the file was written', '--output=made-by-option'),
  refused('wc', 'reads a list of files beside the default', 'it was read', '--files0-from=my-tools/options/secret.txt'),
  refused('tail', 'follows a file, by a written JSON Schema', 'until the time limit', '--follow=my-tools/options/secret.txt', { y: '-n1' }),
  passed('date', 'is an operand behind "--"', '--rfc-email', /rfc-email/),
  passed('xargs', 'is one of the values that the author lists', '-r', /"isError":false|"content"/),
  passed('head', 'is a number', -1, /"content"/),
  passed('seq', 'is an option where the author says so', '--version', /coreutils/),
  harmless('git_grep', 'opens what is found in a program', { pattern: 'Gr', revision: '-Otouch made-by-option' }),
  harmless('git_log', 'writes a file by --output', { revision: '--output=made-by-option' }),
  harmless('git_blame', 'shows a file outside of the history', {
    path: 'notes/héllo wörld.txt',
    revision: '--contents=my-tools/options/secret.txt',
  }),
  harmless('git_show', 'takes an option for an object', { object: '--output=made-by-option' }),
  harmless('git_diff', 'compares without a repository', { from: '--output=made-by-option' }),
  harmless('git_create_branch', 'removes a branch', { name: '-D', start_point: 'main' }),
  harmless('git_switch', 'throws changes away', { branch: '--discard-changes' }),
  harmless('git_list_tags', 'lists by a format', { pattern: '--format=planted' }),
  harmless('git_fetch', 'runs a program in place of a remote', { remote: '--upload-pack=touch made-by-option' }),
  harmless('git_add', 'adds what is ignored', { paths: ['--force'] }),
  harmless('git_restore', 'takes an option for a path', { paths: ['--pathspec-from-file=my-tools/options/secret.txt'] }),
];

export const programOptions: AttackKind = { rule: 'a value does not become an option of a program', files, attacks };
