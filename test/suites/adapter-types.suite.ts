import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { compilerSays } from '../support/compiler.ts';
import { temporaryFolder } from '../support/temporary.ts';

const adapters = ['ai-sdk', 'anthropic', 'langchain', 'openai'];

/** As much of these as the snippets use: they are not installed here. */
const absent = `
declare module '@langchain/langgraph' {
  export function interrupt<Value = unknown, Answer = unknown>(value: Value): Answer;
  export class MemorySaver {}
  export class Command {
    constructor(options: { resume: unknown });
  }
}
declare module 'langchain' {
  import type { StructuredToolInterface } from '@langchain/core/tools';
  interface State { readonly __interrupt__?: { readonly value?: unknown }[] }
  export function createAgent(options: { model: string; tools: StructuredToolInterface[]; checkpointer: object }): {
    invoke(input: unknown, config: object): Promise<State>;
  };
}
`;

describe('the READMEs of the adapters', () => {
  it('have TypeScript that compiles', async () => {
    const folder = await temporaryFolder({ 'package.json': '{ "type": "module" }', 'absent.d.ts': absent });
    await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    const names: string[] = [];
    for (const adapter of adapters) {
      const readme = await readFile(`plugins/adapter-${adapter}/README.md`, 'utf8');
      for (const [index, [, text = '']] of [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].entries()) {
        names.push(`${adapter}-${index}.ts`);
        await writeFile(path.join(folder, `${adapter}-${index}.ts`), text);
      }
    }
    expect(names).to.have.length(8);
    const source = (file: string): string[] => [path.resolve(file)];
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: path.resolve('tsconfig.json'),
        compilerOptions: {
          typeRoots: [path.resolve('node_modules/@types')],
          paths: {
            '@toolkit/core': source('dist/plugins/toolkit/index.d.ts'),
            ...Object.fromEntries(adapters.map((name) => [`@toolkit/core/${name}`, source(`dist/plugins/adapter-${name}/index.d.ts`)])),
          },
        },
        include: ['*.ts'],
      }),
    );
    expect(await compilerSays(folder)).to.equal('');
  });
});
