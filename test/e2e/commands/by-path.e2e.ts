import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { start } from '../program.ts';

const definition = `name: own_words
description: Counts the words of a text.
parameters:
  text: { type: string, required: true, from: path, description: The text. }
  stop: { type: array, from: path, items: { type: string }, description: Words to leave out. }
execution: { type: function, code: ./words.mjs }
risk: low
`;
const module =
  "export const run = ({ text, stop = [] }) => text.split(/\\s+/).filter((word) => word !== '' && !stop.includes(word)).length;\n";

async function program(args: readonly string[], cwd: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const started = start(args, { cwd });
  started.child.stdin?.end();
  const { code } = await started.exit;
  return { code, stdout: started.stdout(), stderr: started.stderr() };
}

describe('a parameter that says from: path, in the program', () => {
  const project = (): Promise<string> =>
    temporaryFolder({
      'tools/own_words.yaml': definition,
      'tools/words.mjs': module,
      'a.txt': 'one two three\n',
      'stop.json': '["two"]',
      'toolkit.config.json': JSON.stringify({ plugins: [['toolkit/standard', { toolPaths: ['./tools'], includeCore: false }]] }),
    });

  it('is given to `toolkit run` by a flag of its own, in place of the value', async () => {
    const cwd = await project();
    const { code, stdout, stderr } = await program(['run', 'own_words', '--text-path', 'a.txt', '--stop_path', 'stop.json'], cwd);
    expect({ code, stdout, stderr }).to.deep.equal({ code: 0, stdout: '2\n', stderr: '' });
    const neither = await program(['run', 'own_words'], cwd);
    expect(neither.code).to.not.equal(0);
    expect(neither.stderr).to.include('give "text", or "text_path"');
    const both = await program(['run', 'own_words', '--text', 'x', '--text-path', 'a.txt'], cwd);
    expect(both.stderr).to.include('give "text" or "text_path", not both');
  });

  it('is shown by `toolkit describe`, and in the types of `toolkit types`', async () => {
    const cwd = await project();
    expect((await program(['describe', 'own_words'], cwd)).stdout)
      .to.include('text_path')
      .and.include('stop_path');
    await program(['types'], cwd);
    expect(await readFile(path.join(cwd, 'toolkit-tools.d.ts'), 'utf8')).to.match(
      /text\?: string;[\s\S]*text_path\?: string;[\s\S]*stop\?: string\[\];[\s\S]*stop_path\?: string;/,
    );
  });

  it('is a key of the JSON Schema of definitions, by which editors know it', async () => {
    const schema = await readFile('dist/schemas/tool.schema.json', 'utf8');
    for (const key of ['from', 'streamed', 'tables']) expect(schema).to.include(`"${key}"`);
    expect((await program(['validate', 'tools/own_words.yaml'], await project())).code).to.equal(0);
  });
});
