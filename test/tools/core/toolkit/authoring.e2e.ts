import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { validateTool } from '../../../../tools/core/toolkit/check.ts';
import { locate, parse } from '../../../../tools/core/toolkit/parse.ts';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const good = `name: shop_get_order
description: Reads one order of the shop by its number.
parameters:
  number: { type: string, required: true, description: "Number of the order, such as Ü-7." }
execution:
  type: http
  method: get
  url: https://shop.example/orders/{number}
`;

/** The same, with a parameter that its provider shares. */
const referring = good.replace(/\{ type: string, .*\}/, '{ $ref: "#/$defs/number" }');

async function project(files: Readonly<Record<string, string>> = {}): Promise<{ toolkit: Toolkit; cwd: string }> {
  const cwd = await temporaryFolder({ 'tools/.keep': '', ...files });
  return { cwd, toolkit: await coreToolkit({ cwd, toolPaths: ['tools'] }) };
}

interface Finding {
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

describe('toolkit_validate_tool', () => {
  const validate = async (yaml: string): Promise<{ valid: boolean; errors: Finding[]; warnings: Finding[] }> =>
    (await (await project()).toolkit.execute('toolkit_validate_tool', { yaml })) as never;

  it('finds nothing wrong with a good definition, and registers nothing', async () => {
    const { toolkit } = await project();
    expect(await toolkit.execute('toolkit_validate_tool', { yaml: good })).to.deep.equal({ valid: true, errors: [], warnings: [] });
    expect(toolkit.listTools().map(({ name }) => name)).to.not.include('shop_get_order');
  });

  const broken = [
    { what: 'a mistyped key', yaml: `${good}requires_aproval: true\n`, at: [9, 1], says: 'requires_approval' },
    { what: 'a wrong type', yaml: good.replace('method: get', 'method: gett'), at: [7, 3], says: 'expected one of' },
    { what: 'a placeholder that nobody fills in', yaml: good.replace('{number}', '{numbr}'), at: [5, 1], says: 'Did you mean "number"?' },
    { what: 'broken YAML', yaml: 'name: [a\n', at: [2, 1], says: 'is not valid YAML' },
    { what: 'keys within keys', yaml: '? '.repeat(100), at: [1, 129], says: 'is nested too deeply: expected at most 64 levels' },
    {
      what: 'an alias that holds itself',
      yaml: `${good}output_schema: &s { a: *s }\n`,
      at: [9, 24],
      says: 'has an alias inside what it repeats',
    },
    {
      what: 'thousands of unknown keys',
      yaml: good + Array.from({ length: 14_000 }, (_, n) => `k${n}: 1\n`).join(''),
      at: [6664, 6],
      says: 'has too many keys',
    },
    { what: 'a text that is no object', yaml: 'hello', at: [1, 1], says: 'expected an object' },
    {
      what: 'the name of another tool',
      yaml: good.replace('shop_get_order', 'time_now'),
      at: [1, 1],
      says: 'is not used: the name belongs to a tool that comes with this program',
    },
    { what: 'an execution that nobody knows', yaml: good.replace('type: http', 'type: htp'), at: [6, 3], says: 'Did you mean "http"?' },
  ];
  for (const { what, yaml, at, says } of broken) {
    it(`says line and column of ${what}`, async () => {
      const { valid, errors } = await validate(yaml);
      expect(valid).to.equal(false);
      expect(errors.map(({ message }) => message).join()).to.include(says);
      expect(errors.map(({ line, column }) => [line, column])).to.deep.include(at);
    });
  }

  it('warns of what model APIs refuse, with line and column, and of nothing that is listed in another form', async () => {
    const written = good.replace(
      /parameters:\n.*\n/,
      (text) => `${text}  any: { description: Any value. }\n  the-unit: { type: string }\n`,
    );
    expect(await validate(written)).to.deep.equal({
      valid: true,
      errors: [],
      warnings: [
        {
          path: 'parameters.the-unit',
          line: 6,
          column: 3,
          message: 'is refused by Gemini: expected a letter (a to z) or an underscore, and at most 63 of these and digits as its name',
        },
      ],
    });
  });

  it('tells twenty errors of a definition with thousands, each with its line', async () => {
    const keys = Array.from({ length: 500 }, (_, n) => `requires_approva${n}: 1\n`).join('');
    const { valid, errors } = await validate(`${good}${keys}`);
    expect(valid).to.equal(false);
    expect(errors).to.have.length(20);
    expect(errors[0]).to.include({ path: 'requires_approva0', line: 9, column: 1 });
    expect(errors[19]?.message).to.include('has more issues than can be listed');
  });

  it('loads a definition with a hundred keys that nobody knows, and tells twenty', async () => {
    const keys = Array.from({ length: 100 }, (_, n) => `x_${n}_zzzzzzzzzz: 1\n`).join('');
    const { valid, warnings } = await validate(`${good}${keys}`);
    expect(valid).to.equal(true);
    expect(warnings).to.have.length(20);
  });

  it('reads the text in a child process, once for its value and once for the places of its mistakes', async () => {
    const tasks: string[] = [];
    const context = {
      tools: {
        check: (_: unknown, { locate }: { locate: (pointer: string) => object }) => [
          { severity: 'error', message: 'is wrong', position: locate('/name') },
        ],
      },
      inChild: async (code: string, data: never) => {
        tasks.push(code);
        return code.endsWith('#parse') ? parse(data) : locate(data);
      },
    };
    const { errors } = await validateTool({ yaml: '\nname: a\n' }, context as unknown as FunctionContext);
    expect(errors).to.deep.equal([{ path: '', line: 2, column: 1, message: 'is wrong' }]);
    expect(tasks).to.deep.equal(['./parse.ts#parse', './parse.ts#locate']);
  });

  const executions: Readonly<Record<string, (module: string) => string>> = {
    'code of a function tool': (module) => `{ type: function, code: ${module} }`,
    'a parser of a command tool': (module) => `{ type: command, command: "true", parse: ${module} }`,
    'a preparation of a command tool': (module) => `{ type: command, command: "true", prepare: ${module} }`,
  };
  for (const [what, execution] of Object.entries(executions)) {
    it(`does not tell whether a file outside exists, which ${what} names`, async () => {
      const { toolkit, cwd } = await project({ 'secret.js': 'export const run = 1;', 'tools/own/.keep': '' });
      const problems = async (tool: string, module: string, more: Readonly<Record<string, string>>): Promise<string> => {
        const yaml = `name: own_it\ndescription: It.\nexecution: ${execution(module)}\n`;
        const found = toolkit.execute(tool, { yaml, ...more }).then(
          (output) => (output as unknown as { errors: Finding[] }).errors.map(({ message }) => message).join(),
          (error: Error) => error.message,
        );
        return (await found).replaceAll('missing.js', 'secret.js');
      };
      const below = `./${path.relative(process.cwd(), cwd)}`;
      const places = [
        ['toolkit_validate_tool', below, {}],
        ['toolkit_validate_tool', `./x/../${path.relative(process.cwd(), cwd)}`, {}],
        ['toolkit_create_tool', '../..', { directory: 'tools/own' }],
      ] as const;
      for (const [tool, folder, more] of places) {
        const existing = await problems(tool, `${folder}/secret.js`, more);
        expect(existing, folder).to.include('expected a module in the folder of the definition or below it');
        expect(await problems(tool, `${folder}/missing.js`, more)).to.equal(existing);
      }
    });
  }

  it('says which file a definition lacks that refers to its provider', async () => {
    const { valid, errors } = await validate(referring);
    expect(valid).to.equal(false);
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include({ path: 'parameters.number.$ref', line: 4, column: 13 });
    expect(errors[0]?.message).to.include('Expected the definition.yaml beside the tool, or one in a folder above');
  });

  it('tells warnings apart', async () => {
    const { valid, errors, warnings } = await validate(`${good}colour: red\n`);
    expect({ valid, errors }).to.deep.equal({ valid: true, errors: [] });
    expect(warnings[0]).to.include({ path: 'colour', line: 9, column: 1 });
  });

  it('tells every mistake at once', async () => {
    const { errors } = await validate(good.replace('method: get', 'method: gett').replace('name: shop_get_order', 'name: "ü"'));
    expect(errors.map(({ path: place }) => place)).to.include.members(['name']);
  });
});

describe('toolkit_create_tool', () => {
  it('writes the file as it was given, and the tool is there after a reload', async () => {
    const { toolkit, cwd } = await project();
    const file = path.join(cwd, 'tools/shop/shop_get_order.yaml');
    expect(await toolkit.execute('toolkit_create_tool', { yaml: good, directory: 'tools/shop' })).to.deep.equal({
      name: 'shop_get_order',
      path: file,
      files: [],
      warnings: [],
    });
    expect(await readFile(file, 'utf8')).to.equal(good);
    expect(await toolkit.execute('toolkit_reload_tools')).to.deep.equal({
      added: ['shop_get_order'],
      removed: [],
      changed: [],
      failed: [],
    });
  });

  it('finds the parameters that the provider of the folder shares', async () => {
    const { toolkit, cwd } = await project({
      'tools/shop/definition.yaml': 'provider: { name: shop }\n$defs: { number: { type: string } }\n',
    });
    expect(await toolkit.execute('toolkit_create_tool', { yaml: referring, directory: 'tools/shop' })).to.include({
      name: 'shop_get_order',
    });
    const error = await rejection(
      toolkit.execute('toolkit_create_tool', { yaml: referring, directory: 'tools/other' }),
      'INVALID_PARAMETERS',
    );
    expect(error.message).to.include(`Expected ${path.join(cwd, 'tools/other/definition.yaml')}`);
  });

  it('finds the module of a function beside the file', async () => {
    const { toolkit } = await project({ 'tools/own/it.mjs': 'export const run = () => 7;' });
    const yaml = 'name: own_it\ndescription: Gives seven.\nexecution: { type: function, code: ./it.mjs }\n';
    await toolkit.execute('toolkit_create_tool', { yaml, directory: 'tools/own' });
    await toolkit.execute('toolkit_reload_tools');
    expect(await toolkit.execute('own_it')).to.equal(7);
  });

  it('writes nothing for a definition with mistakes, and says them all', async () => {
    const { toolkit, cwd } = await project();
    const yaml = `${good}requires_aproval: true\n`;
    const error = await rejection(toolkit.execute('toolkit_create_tool', { yaml }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('9:1 requires_aproval');
    await rejection(toolkit.execute('fs_read_file', { path: path.join(cwd, 'tools/shop_get_order.yaml') }), 'NOT_FOUND');
  });

  it('replaces a file only when told to', async () => {
    const { toolkit } = await project({ 'tools/shop_get_order.yaml': good });
    await rejection(toolkit.execute('toolkit_create_tool', { yaml: good }), 'EXECUTION_FAILED');
    expect(await toolkit.execute('toolkit_create_tool', { yaml: good, overwrite: true })).to.include({ name: 'shop_get_order' });
  });

  it('stays inside the roots and asks a person', async () => {
    const { toolkit } = await project();
    await rejection(toolkit.execute('toolkit_create_tool', { yaml: good, directory: '../other' }), 'INVALID_PARAMETERS');
    await rejection(toolkit.kernel.call({ tool: 'toolkit_create_tool', parameters: { yaml: good }, origin: 'model' }), 'APPROVAL_REQUIRED');
  });
});

describe('toolkit_reload_tools', () => {
  it('says what was added, removed and changed, and keeps the tool of a file that is broken now', async () => {
    const named = (name: string, more = ''): string => good.replace('shop_get_order', name) + more;
    const { toolkit, cwd } = await project({
      'tools/gone.yaml': named('gone'),
      'tools/changed.yaml': named('changed'),
      'tools/broken.yaml': named('broken'),
    });
    await rm(path.join(cwd, 'tools/gone.yaml'));
    await writeFile(path.join(cwd, 'tools/changed.yaml'), named('changed', 'risk: high\n'));
    await writeFile(path.join(cwd, 'tools/broken.yaml'), named('broken', 'risk: hgh\n'));
    await writeFile(path.join(cwd, 'tools/new.yaml'), named('new'));
    const { failed, ...rest } = (await toolkit.execute('toolkit_reload_tools')) as unknown as {
      failed: { path: string; message: string }[];
    };
    expect(rest).to.deep.equal({ added: ['new'], removed: ['gone'], changed: ['changed'] });
    expect(failed).to.have.lengthOf(1);
    expect(failed[0]?.path).to.equal(`${path.join(cwd, 'tools/broken.yaml')}:9:1`);
    expect(failed[0]?.message).to.match(/^risk: expected one of/);
    expect(toolkit.listTools().map(({ name }) => name)).to.include('broken');
  });
});
